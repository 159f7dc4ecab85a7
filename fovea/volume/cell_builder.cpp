#include "fovea/volume/cell_builder.h"

#include <cmath>

#include "fovea/volume/cell_split.h"
#include "fovea/volume/pattern_search.h"

namespace fovea {

namespace {

/// Spheres that meet in a point are blown up a little, so that they overlap there.
constexpr double k_overlap = 1 + 1e-4;

class CellBuilder {
  public:
    CellBuilder(const ContentModel& content, SphereMethod method)
        : content_(content)
        , octree_(method == SphereMethod::octree) {}

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

  private:
    void append_inner_corners(const Box3d& box, std::vector<Vec3d>& corners) const {
        for (int i = 0; i < 8; ++i) {
            const Vec3d p(i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                          i & 4 ? box.high.z : box.low.z);
            if (content_.inside(p)) corners.push_back(p);
        }
    }

    const ContentModel& content_;
    bool octree_;
};

} // namespace

SphereDraft draft_from_cells(const ContentModel& content, SphereMethod method,
                             const DraftPlan& plan, const Jobs& jobs, BuildWatch& watch) {
    const CellBuilder builder(content, method);
    const bool octree = method == SphereMethod::octree;
    const auto parts = [&](const Vec3d& extent) {
        return cubic_parts(extent, plan.branching, octree ? 2 : 64);
    };
    SphereDraft draft;
    std::vector<Cell> cells = {root_cell(content, octree)};
    draft.push_back({{builder.ball(cells[0])}, {}});
    for (int level = 1; level < plan.levels; ++level) {
        if (!watch.reached(double(level) / plan.levels)) break;
        std::vector<Cell> next = split_cells(content, std::move(cells), parts, jobs);
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
        if (plan.target_error > 0 &&
            (worst <= plan.target_error || cells.size() > k_most_for_target))
            break;
    }
    return draft;
}

} // namespace fovea
