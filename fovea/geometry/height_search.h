// Searches of the triangles of a height field, straight from the grid.
//
//   query:  the cells below a box                search:  the grid halved again and again, as if a
//                                                tree stood over it, the half around `from` first
//    . . . . . .                                  +-------+---+-+-+
//    . +---+ . .                                  |       | 3 |2|1|  <- from
//    . | # | . .                                  |   5   +---+-+-+
//    . +---+ . .                                  |       |   4   |
//    . . . . . .                                  +-------+-------+
//
// A ray meets what search visits in order from its start to its end, so that it ends with the first
// hit, and the closest point begins with the cells around it.
#pragma once

#include <utility>

#include "fovea/geometry/height_field.h"

namespace fovea {

/// Calls `visit(number, corners)` for the triangles of the cell whose bounds `meets` accepts.
template <class Meets, class Visit>
void visit_cell(const HeightField& field, std::uint32_t column, std::uint32_t row, Meets&& meets,
                Visit&& visit) {
    const std::uint32_t cell = row * (field.columns - 1) + column;
    for (const std::uint32_t number : {2 * cell, 2 * cell + 1}) {
        const std::array<Vec3, 3> t = corners(field, number);
        const Aabb box{min(min(t[0], t[1]), t[2]), max(max(t[0], t[1]), t[2])};
        if (meets(box)) visit(number, t);
    }
}

/// Calls `visit(number, corners)` for the triangles whose bounds overlap `box`, in ascending order.
template <class Visit>
void query_triangles(const HeightField& field, const Aabb& box, Visit&& visit) {
    const CellRange cells = cells_near(field, box);
    const auto meets = [&](const Aabb& other) { return overlap(other, box); };
    for (std::uint32_t row = cells.first_row; row < cells.last_row; ++row)
        for (std::uint32_t column = cells.first_column; column < cells.last_column; ++column)
            visit_cell(field, column, row, meets, visit);
}

/// Calls `visit(number, corners)` for the triangles of the cells whose bounds `meets` accepts, the
/// cells nearer to `from` first. A box around several cells that it refuses is passed over; it is
/// as high as `heights`, the bounds of the whole field.
template <class Meets, class Visit>
void search_triangles(const HeightField& field, const Aabb& heights, const CellRange& cells,
                      const Vec3d& from, Meets&& meets, Visit&& visit) {
    if (cells.empty()) return;
    const float s = field.spacing;
    const Aabb box{{float(cells.first_column) * s, heights.low.y, float(cells.first_row) * s},
                   {float(cells.last_column) * s, heights.high.y, float(cells.last_row) * s}};
    if (!meets(box)) return;
    const std::uint32_t columns = cells.last_column - cells.first_column;
    const std::uint32_t rows = cells.last_row - cells.first_row;
    if (columns == 1 && rows == 1)
        return visit_cell(field, cells.first_column, cells.first_row, meets, visit);
    CellRange low = cells, high = cells;
    double middle = 0; ///< on which side of it `from` lies
    if (columns >= rows) {
        low.last_column = high.first_column = cells.first_column + columns / 2;
        middle = double(low.last_column) * s - from.x;
    } else {
        low.last_row = high.first_row = cells.first_row + rows / 2;
        middle = double(low.last_row) * s - from.z;
    }
    if (middle < 0) std::swap(low, high);
    search_triangles(field, heights, low, from, meets, visit);
    search_triangles(field, heights, high, from, meets, visit);
}

} // namespace fovea
