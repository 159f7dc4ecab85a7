// Boxes around a shape, split again and again; those that hold nothing of it are dropped.
#pragma once

#include <array>
#include <functional>

#include "fovea/volume/box_clip.h"
#include "fovea/volume/sphere_draft.h"

namespace fovea {

struct Cell {
    Box3d box;
    std::uint32_t parent;                 ///< into the level before
    std::vector<std::uint32_t> triangles; ///< none: the cell lies inside the solid
};

/// How many parts a cell of the given extent is split into along each axis.
using CellParts = std::function<std::array<int, 3>(const Vec3d& extent)>;

/// The cell around the whole shape: a cube, or its box.
Cell root_cell(const ContentModel& content, bool cube);

/// Parts with a product of at most `branching`, at most `most` along an axis, splitting the longest
/// first.
std::array<int, 3> cubic_parts(const Vec3d& extent, int branching, int most);

/// The cells of the next level, in the order of their parents: those with triangles and, if the
/// inside is to be enclosed, those inside the solid. A cell deep inside is handed down whole.
std::vector<Cell> split_cells(const ContentModel& content, std::vector<Cell> cells,
                              const CellParts& parts, const Jobs& jobs);

} // namespace fovea
