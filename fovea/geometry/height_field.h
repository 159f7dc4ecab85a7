// Ground given by heights on a regular grid.
//
//     z                      Heights are measured along +y over a grid in the xz plane that starts
//     |                      at the origin. Each cell is parted into two triangles along the
//     3-----2                diagonal from (x, z) to (x + 1, z + 1):
//     | 1 / |
//     |  /  |                  triangle 2 cell      corners 0, 2, 1
//     | / 0 |                  triangle 2 cell + 1  corners 0, 3, 2
//     0-----1 --> x          counter-clockwise seen from above.
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/geometry/surface_triangle.h"

namespace fovea {

struct HeightField {
    /// Of rows or columns: beyond it the rounding of coordinates shows in the width of a cell.
    static constexpr std::uint32_t k_side_limit = 1u << 22;

    std::uint32_t columns = 0;  ///< of heights, along x; at least 2
    std::uint32_t rows = 0;     ///< along z; at least 2
    float spacing = 1;          ///< metres between neighbouring heights
    std::vector<float> heights; ///< row by row

    Vec3 vertex(std::uint32_t column, std::uint32_t row) const {
        return {float(column) * spacing, heights[std::size_t(row) * columns + column],
                float(row) * spacing};
    }
    std::uint32_t triangles() const { return 2 * (columns - 1) * (rows - 1); }
};

/// Refuses fewer than two rows or columns, more than the limit or so many that triangles cannot be
/// numbered, a spacing that is not positive, and heights that are not finite or not as many as the
/// grid has places.
Result<void> check_height_field(const HeightField& field);

/// The three corners of triangle `number`.
std::array<Vec3, 3> corners(const HeightField& field, std::uint32_t number);

Aabb bounds(const HeightField& field);

/// Cells from the first row and column to before the last.
struct CellRange {
    std::uint32_t first_column, last_column, first_row, last_row;

    bool empty() const { return first_column >= last_column || first_row >= last_row; }
};

/// All cells that meet the box, seen from above, and perhaps some next to them.
CellRange cells_near(const HeightField& field, const Aabb& box);

/// Triangle `number` with its neighbours.
SurfaceTriangle surface_triangle(const HeightField& field, std::uint32_t number);

/// Appends the triangles whose bounds overlap `box`, in ascending order.
void gather_triangles(const HeightField& field, const Aabb& box,
                      std::vector<SurfaceTriangle>& triangles);

/// The same surface as a mesh, its triangles in the same order.
TriangleMesh to_mesh(const HeightField& field);

} // namespace fovea
