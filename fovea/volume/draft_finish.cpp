#include "fovea/volume/draft_finish.h"

#include "fovea/geometry/rounding.h"
#include "fovea/volume/pattern_search.h"

namespace fovea {

namespace {

/// Radius about `centre` that holds a sphere; larger than the rounding of its computation.
double reach(const Vec3d& centre, const Vec3d& child, double radius) {
    return (length(child - centre) + radius) * (1 + 1e-12);
}

} // namespace

std::vector<SphereLevel> rounded_out(const SphereDraft& draft, const PreparedMesh& mesh) {
    std::vector<SphereLevel> levels;
    for (const DraftLevel& drafted : draft) {
        SphereLevel level;
        level.parents = drafted.parents;
        for (const Ball& ball : drafted.balls) {
            const Vec3d exact = mesh.to_metres(ball.centre);
            const Vec3 centre(exact);
            const double moved = length(Vec3d(centre) - exact);
            level.centres.push_back(centre);
            level.radii.push_back(
                rounded_up((ball.radius * (1 + 1e-9) + 1e-9) * mesh.scale + moved));
        }
        levels.push_back(std::move(level));
    }
    return levels;
}

std::vector<Ball> in_units(const SphereLevel& level, const PreparedMesh& mesh) {
    std::vector<Ball> balls;
    for (std::size_t i = 0; i < level.centres.size(); ++i) {
        balls.push_back({mesh.to_units(level.centres[i]), level.radii[i] / mesh.scale});
    }
    return balls;
}

void enclose_children(SphereDraft& draft, const ContentModel& content) {
    for (std::size_t l = draft.size() - 1; l-- > 0;) {
        const DraftLevel& below = draft[l + 1];
        std::size_t first = 0;
        for (std::size_t i = 0; i < draft[l].balls.size(); ++i) {
            std::size_t end = first;
            while (end < below.balls.size() && below.parents[end] == i) ++end;
            const auto radius_about = [&](const Vec3d& centre) {
                double radius = 0;
                for (std::size_t c = first; c < end; ++c) {
                    radius = std::max(radius,
                                      reach(centre, below.balls[c].centre, below.balls[c].radius));
                }
                return radius;
            };
            Ball& ball = draft[l].balls[i];
            const auto cost = [&](const Vec3d& centre) {
                return content.protrusion({centre, radius_about(centre)});
            };
            if (end > first) {
                ball.centre = pattern_search(ball.centre, 0.25 * ball.radius, 1e-3, cost);
                ball.radius = radius_about(ball.centre);
            }
            first = end;
        }
    }
}

void enclose_children(std::span<SphereLevel> levels) {
    for (std::size_t l = levels.size(); l-- > 1;) {
        const SphereLevel& below = levels[l];
        for (std::size_t i = 0; i < below.centres.size(); ++i) {
            SphereLevel& above = levels[l - 1];
            const std::uint32_t parent = below.parents[i];
            const double needed = reach(Vec3d(above.centres[parent]), Vec3d(below.centres[i]),
                                        double(below.radii[i]));
            above.radii[parent] = std::max(above.radii[parent], rounded_up(needed));
        }
    }
}

bool children_inside(const SphereTree& tree) {
    for (std::uint32_t node = 1; node < tree.size(); ++node) {
        const std::uint32_t parent = tree.parent(node);
        const double needed = length(Vec3d(tree.centre(node)) - Vec3d(tree.centre(parent))) +
                              double(tree.radius(node));
        if (needed > double(tree.radius(parent))) return false;
    }
    return true;
}

} // namespace fovea
