#include "fovea/volume/cell_split.h"

#include <cmath>

namespace fovea {

namespace {

/// Gives a triangle to the cells that it reaches into. `cells` are the parts of `box`, x fastest.
void hand_down(const Triangle3d& corners, std::uint32_t triangle, const Box3d& box,
               const std::array<int, 3>& parts, std::vector<Cell>& cells) {
    const Vec3d low = min(min(corners[0], corners[1]), corners[2]);
    const Vec3d high = max(max(corners[0], corners[1]), corners[2]);
    int from[3], to[3];
    for (int axis = 0; axis < 3; ++axis) {
        const double step = (box.high[axis] - box.low[axis]) / parts[axis];
        const auto part_of = [&](double x) {
            return std::clamp(int(std::floor((x - box.low[axis]) / step)), 0, parts[axis] - 1);
        };
        from[axis] = part_of(low[axis] - 1e-12);
        to[axis] = part_of(high[axis] + 1e-12);
    }
    const bool single = from[0] == to[0] && from[1] == to[1] && from[2] == to[2];
    for (int k = from[2]; k <= to[2]; ++k) {
        for (int j = from[1]; j <= to[1]; ++j) {
            for (int i = from[0]; i <= to[0]; ++i) {
                Cell& cell = cells[i + parts[0] * (j + parts[1] * k)];
                if (single || overlaps(corners, cell.box)) cell.triangles.push_back(triangle);
            }
        }
    }
}

/// The parts of `cell` that hold something of the shape.
std::vector<Cell> split(const ContentModel& content, const Cell& cell, std::uint32_t index,
                        const CellParts& parts_of) {
    const Ball around{cell.box.centre(), length(cell.box.half())};
    if (cell.triangles.empty() && content.protrusion(around) < -content.grid.spacing()) {
        return {{cell.box, index, {}}};
    }
    const Vec3d extent = cell.box.high - cell.box.low;
    const auto parts = parts_of(extent);
    const int count = parts[0] * parts[1] * parts[2];
    std::vector<Cell> cells(count);
    for (int i = 0; i < count; ++i) {
        const int at[3] = {i % parts[0], i / parts[0] % parts[1], i / parts[0] / parts[1]};
        for (int axis = 0; axis < 3; ++axis) {
            const double step = extent[axis] / parts[axis];
            cells[i].box.low[axis] = cell.box.low[axis] + step * at[axis];
            cells[i].box.high[axis] = at[axis] + 1 == parts[axis]
                                          ? cell.box.high[axis]
                                          : cell.box.low[axis] + step * (at[axis] + 1);
        }
        cells[i].parent = index;
    }
    for (const std::uint32_t t : cell.triangles) {
        hand_down(content.mesh.corners(t), t, cell.box, parts, cells);
    }
    std::erase_if(cells, [&](const Cell& part) {
        if (!part.triangles.empty()) return false;
        return !content.solid || !(cell.triangles.empty() || content.inside(part.box.centre()));
    });
    return cells;
}

} // namespace

Cell root_cell(const ContentModel& content, bool cube) {
    const Vec3d half = cube ? Vec3d(0.5, 0.5, 0.5) : content.mesh.half_box;
    // A hair of room keeps faces that lie on the box from being lost to rounding.
    const Vec3d room = half + Vec3d(1e-9, 1e-9, 1e-9);
    Cell cell{{-room, room}, 0, {}};
    cell.triangles.resize(content.mesh.triangles.size());
    for (std::uint32_t i = 0; i < cell.triangles.size(); ++i) cell.triangles[i] = i;
    return cell;
}

std::array<int, 3> cubic_parts(const Vec3d& extent, int branching, int most) {
    std::array<int, 3> parts = {1, 1, 1};
    for (;;) {
        int longest = -1;
        for (int axis = 0; axis < 3; ++axis) {
            const int product = parts[0] * parts[1] * parts[2] / parts[axis] * (parts[axis] + 1);
            if (parts[axis] >= most || product > branching) continue;
            if (longest < 0 || extent[axis] / parts[axis] > extent[longest] / parts[longest]) {
                longest = axis;
            }
        }
        if (longest < 0) return parts;
        ++parts[longest];
    }
}

std::vector<Cell> split_cells(const ContentModel& content, std::vector<Cell> cells,
                              const CellParts& parts, const Jobs& jobs) {
    std::vector<std::vector<Cell>> below(cells.size());
    jobs.for_blocks(cells.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            below[i] = split(content, cells[i], std::uint32_t(i), parts);
            cells[i].triangles = {};
        }
    });
    std::vector<Cell> next;
    for (auto& part : below) {
        for (Cell& cell : part) next.push_back(std::move(cell));
    }
    return next;
}

} // namespace fovea
