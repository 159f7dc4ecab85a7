#include "fovea/volume/cell_builder.h"

#include <array>
#include <cmath>

#include "fovea/volume/box_clip.h"
#include "fovea/volume/pattern_search.h"

namespace fovea {

namespace {

/// Spheres that meet in a point are blown up a little, so that they overlap there.
constexpr double k_overlap = 1 + 1e-4;

struct Cell {
    Box3d box;
    std::uint32_t parent;
    std::vector<std::uint32_t> triangles; ///< none: the cell lies inside the solid
};

/// Parts per axis with a product of at most `branching`, splitting the longest parts first.
std::array<int, 3> parts_of(const Vec3d& extent, int branching, int most) {
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

class CellBuilder {
  public:
    CellBuilder(const ContentModel& content, SphereMethod method, int branching)
        : content_(content)
        , octree_(method == SphereMethod::octree)
        , branching_(branching) {}

    Cell root() const {
        const Vec3d half = octree_ ? Vec3d(0.5, 0.5, 0.5) : content_.mesh.half_box;
        // A hair of room keeps faces that lie on the box from being lost to rounding.
        const Vec3d room = half + Vec3d(1e-9, 1e-9, 1e-9);
        Cell cell{{-room, room}, 0, {}};
        cell.triangles.resize(content_.mesh.triangles.size());
        for (std::uint32_t i = 0; i < cell.triangles.size(); ++i) cell.triangles[i] = i;
        return cell;
    }

    Ball ball(const Cell& cell) const {
        const Vec3d centre = cell.box.centre();
        if (octree_ || cell.triangles.empty()) {
            return {centre, length(cell.box.half()) * k_overlap};
        }
        std::vector<Vec3d> corners;
        for (const std::uint32_t t : cell.triangles) {
            append_clipped(content_.mesh.corners(t), cell.box, corners);
        }
        if (content_.solid) append_inner_corners(cell.box, corners);
        if (corners.empty()) return {centre, length(cell.box.half()) * k_overlap};
        Vec3d low = corners[0], high = low;
        for (const Vec3d& p : corners) low = min(low, p), high = max(high, p);
        const auto radius_about = [&](const Vec3d& c) {
            double squared = 0;
            for (const Vec3d& p : corners) squared = std::max(squared, length_squared(p - c));
            return std::sqrt(squared);
        };
        // The ball that stands off least, not the smallest: those are two things where the shape is
        // hollow.
        const Vec3d tight =
            pattern_search((low + high) * 0.5, 0.1 * length(high - low), 0.1, [&](const Vec3d& c) {
                return content_.protrusion({c, radius_about(c)});
            });
        return {tight, radius_about(tight) * k_overlap + 1e-7};
    }

    /// The cells of the next level in `cell`.
    std::vector<Cell> split(const Cell& cell, std::uint32_t index) const {
        if (cell.triangles.empty() && content_.protrusion(ball(cell)) < -content_.grid.spacing()) {
            Cell same = cell;
            same.parent = index;
            return {same};
        }
        const Vec3d extent = cell.box.high - cell.box.low;
        const auto parts = parts_of(extent, branching_, octree_ ? 2 : 64);
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
        for (const std::uint32_t t : cell.triangles) hand_down(t, cell.box, parts, cells);
        std::vector<Cell> kept;
        for (Cell& part : cells) {
            const bool full = part.triangles.empty() && content_.solid &&
                              (cell.triangles.empty() || content_.inside(part.box.centre()));
            if (full || !part.triangles.empty()) kept.push_back(std::move(part));
        }
        return kept;
    }

  private:
    void hand_down(std::uint32_t triangle, const Box3d& box, const std::array<int, 3>& parts,
                   std::vector<Cell>& cells) const {
        const Triangle3d corners = content_.mesh.corners(triangle);
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

    void append_inner_corners(const Box3d& box, std::vector<Vec3d>& corners) const {
        for (int i = 0; i < 8; ++i) {
            const Vec3d p(i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                          i & 4 ? box.high.z : box.low.z);
            if (content_.inside(p)) corners.push_back(p);
        }
    }

    const ContentModel& content_;
    bool octree_;
    int branching_;
};

} // namespace

SphereDraft draft_from_cells(const ContentModel& content, SphereMethod method,
                             const DraftPlan& plan, const Jobs& jobs, BuildWatch& watch) {
    const CellBuilder builder(content, method, plan.branching);
    SphereDraft draft;
    std::vector<Cell> cells = {builder.root()};
    draft.push_back({{builder.ball(cells[0])}, {}});
    for (int level = 1; level < plan.levels; ++level) {
        if (!watch.reached(double(level) / plan.levels)) break;
        std::vector<std::vector<Cell>> split(cells.size());
        jobs.for_blocks(cells.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                split[i] = builder.split(cells[i], std::uint32_t(i));
                cells[i].triangles = {};
            }
        });
        std::vector<Cell> next;
        for (auto& part : split) {
            for (Cell& cell : part) next.push_back(std::move(cell));
        }
        if (plan.target_count > 0 && next.size() > plan.target_count) break;
        cells = std::move(next);
        DraftLevel drafted;
        drafted.balls.resize(cells.size());
        jobs.for_blocks(cells.size(), 8, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) drafted.balls[i] = builder.ball(cells[i]);
        });
        double worst = 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            drafted.parents.push_back(cells[i].parent);
            if (plan.target_error > 0) {
                worst = std::max(worst, content.exact_protrusion(drafted.balls[i]));
            }
        }
        draft.push_back(std::move(drafted));
        if (plan.target_error > 0 && worst <= plan.target_error) break;
    }
    return draft;
}

} // namespace fovea
