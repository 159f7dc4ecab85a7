#include "fovea/geometry/height_field.h"

#include <algorithm>

#include "fovea/geometry/height_search.h"
#include "fovea/geometry/number_text.h"

namespace fovea {

namespace {

/// A place on the grid, possibly beyond its rim.
struct Place {
    std::int64_t column, row;
};

struct CellTriangle {
    std::array<Place, 3> corners, across;
};

CellTriangle cell_triangle(const HeightField& field, std::uint32_t number) {
    const std::uint32_t cell = number / 2;
    const std::int64_t x = cell % (field.columns - 1), z = cell / (field.columns - 1);
    if (number % 2 == 0)
        return {{{{x, z}, {x + 1, z + 1}, {x + 1, z}}}, {{{x, z + 1}, {x + 2, z + 1}, {x, z - 1}}}};
    return {{{{x, z}, {x, z + 1}, {x + 1, z + 1}}}, {{{x - 1, z}, {x + 1, z + 2}, {x + 1, z}}}};
}

bool inside(const HeightField& field, const Place& p) {
    return p.column >= 0 && p.row >= 0 && p.column < field.columns && p.row < field.rows;
}

Vec3 vertex(const HeightField& field, const Place& p) {
    return field.vertex(std::uint32_t(p.column), std::uint32_t(p.row));
}

/// The cells along one axis that the interval [low, high] meets, as [first, last).
struct Cells {
    std::uint32_t first, last;

    Cells(float low, float high, float spacing, std::uint32_t count) {
        const auto bounded = [&](double x) {
            return std::uint32_t(std::clamp(x, 0.0, double(count)));
        };
        first = bounded(std::floor(double(low) / spacing));
        last = high < 0 ? 0 : bounded(std::floor(double(high) / spacing) + 1);
        // The rounding of coordinates must not lose a cell that is merely touched.
        if (first > 0) --first;
        if (last > 0 && last < count) ++last;
    }
};

} // namespace

Result<void> check_height_field(const HeightField& field) {
    if (field.columns < 2 || field.rows < 2) {
        return failure("height field: needs at least 2 x 2 heights, has " +
                       std::to_string(field.columns) + " x " + std::to_string(field.rows));
    }
    if (std::max(field.columns, field.rows) > HeightField::k_side_limit ||
        std::uint64_t(field.columns - 1) * (field.rows - 1) > 0x7fffffffu) {
        return failure("height field: " + std::to_string(field.columns) + " x " +
                       std::to_string(field.rows) +
                       " heights are too many; up to 2^22 a side and 2^31 cells can be used");
    }
    if (!(field.spacing > 0) || !std::isfinite(field.spacing))
        return failure("height field: spacing must be positive, is " + number_text(field.spacing));
    if (field.heights.size() != std::size_t(field.columns) * field.rows) {
        return failure("height field: " + std::to_string(field.heights.size()) +
                       " heights for a grid of " + std::to_string(field.columns) + " x " +
                       std::to_string(field.rows));
    }
    for (std::size_t i = 0; i < field.heights.size(); ++i) {
        if (!std::isfinite(field.heights[i])) {
            return failure("height field: height " + std::to_string(i) + " is " +
                           number_text(field.heights[i]));
        }
    }
    return {};
}

std::array<Vec3, 3> corners(const HeightField& field, std::uint32_t number) {
    const CellTriangle cell = cell_triangle(field, number);
    return {vertex(field, cell.corners[0]), vertex(field, cell.corners[1]),
            vertex(field, cell.corners[2])};
}

Aabb bounds(const HeightField& field) {
    const auto [low, high] = std::minmax_element(field.heights.begin(), field.heights.end());
    const Vec3 far_corner = field.vertex(field.columns - 1, field.rows - 1);
    return {{0, *low, 0}, {far_corner.x, *high, far_corner.z}};
}

CellRange cells_near(const HeightField& field, const Aabb& box) {
    const Cells x(box.low.x, box.high.x, field.spacing, field.columns - 1);
    const Cells z(box.low.z, box.high.z, field.spacing, field.rows - 1);
    return {x.first, x.last, z.first, z.last};
}

SurfaceTriangle surface_triangle(const HeightField& field, std::uint32_t number) {
    const CellTriangle cell = cell_triangle(field, number);
    SurfaceTriangle result{};
    result.number = number;
    for (std::size_t i = 0; i < 3; ++i) {
        result.corners[i] = vertex(field, cell.corners[i]);
        result.open[i] = !inside(field, cell.across[i]);
        if (!result.open[i]) result.across[i] = vertex(field, cell.across[i]);
    }
    return result;
}

void gather_triangles(const HeightField& field, const Aabb& box,
                      std::vector<SurfaceTriangle>& triangles) {
    query_triangles(field, box, [&](std::uint32_t number, const std::array<Vec3, 3>&) {
        triangles.push_back(surface_triangle(field, number));
    });
}

TriangleMesh to_mesh(const HeightField& field) {
    TriangleMesh mesh;
    for (std::uint32_t row = 0; row < field.rows; ++row)
        for (std::uint32_t column = 0; column < field.columns; ++column)
            mesh.vertices.push_back(field.vertex(column, row));
    for (std::uint32_t number = 0; number < field.triangles(); ++number) {
        TriangleMesh::Triangle t;
        const CellTriangle cell = cell_triangle(field, number);
        for (std::size_t i = 0; i < 3; ++i)
            t[i] = std::uint32_t(cell.corners[i].row) * field.columns +
                   std::uint32_t(cell.corners[i].column);
        mesh.triangles.push_back(t);
    }
    return mesh;
}

} // namespace fovea
