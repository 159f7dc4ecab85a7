#include "fovea/collide/shape_impact.h"

#include "fovea/collide/search_rim.h"
#include "fovea/collide/swept_box.h"
#include "fovea/collide/triangle_surface.h"
#include "fovea/geometry/placed_core.h"

namespace fovea {

namespace {

/// The motion of a part that is placed in the frame of a moving shape.
Motion motion_of_part(const Motion& whole, const Transform& placement) {
    return {whole.start * placement, to_local(placement, whole.centre), whole.velocity,
            whole.angular_velocity};
}

/// Calls `visit(number, shape, motion)` for the convex solids, or the half-space, of a shape.
template <class Visit>
void visit_parts(const CollisionShape& shape, const Motion& motion, Visit&& visit) {
    if (const auto* compound = std::get_if<CompoundShape>(&shape.shape)) {
        const auto& parts = compound->data->parts;
        for (std::uint32_t i = 0; i < parts.size(); ++i)
            visit(i, parts[i].shape, motion_of_part(motion, parts[i].placement));
    } else {
        visit(0, shape.shape, motion);
    }
}

/// Where the solid can get to, in the frame of a shape that stays: the box around its reach in any
/// orientation, swept along the way of its centre.
SweptBoxd way_of(const Shape& solid, const Motion& motion, float duration, float target,
                 const Transform& at) {
    const Mat3d rotation = rotation_of(Quatd(at.orientation));
    const Vec3d centre = Transformd(motion.start) * Vec3d(motion.centre);
    const double reach = double(bounding_radius(solid)) + length(Vec3d(motion.centre)) + target;
    const double rim = k_search_rim * (largest_coordinate(motion.start.position) +
                                       largest_coordinate(at.position) + reach);
    SweptBoxd box(transposed_times(rotation, centre - Vec3d(at.position)),
                  transposed_times(rotation, Vec3d(motion.velocity) * double(duration)));
    box.half = Vec3d(1, 1, 1) * (reach + rim);
    return box;
}

} // namespace

ShapeImpact time_of_impact(const CollisionShape& a, const Motion& motion_a, const CollisionShape& b,
                           const Motion& motion_b, float duration, const ImpactSettings& settings) {
    ShapeImpact first{{Impact::Outcome::apart, duration, {}, 0}};
    const auto offer = [&](const Impact& impact, std::uint32_t part_a, std::uint32_t part_b) {
        const int rounds = first.impact.rounds + impact.rounds;
        const bool stops = impact.outcome == Impact::Outcome::touching ||
                           impact.outcome == Impact::Outcome::undecided;
        const bool sooner =
            !first.impact.stops() || impact.time < first.impact.time ||
            (impact.time == first.impact.time &&
             (part_a < first.part_a || (part_a == first.part_a && part_b < first.part_b)));
        if (stops && sooner) first = {impact, part_a, part_b};
        first.impact.rounds = rounds;
    };
    visit_parts(a, motion_a, [&](std::uint32_t i, const Shape& part, const Motion& motion) {
        if (const TriangleSurface surface(b); surface) {
            const Transform& at = motion_b.start;
            const SweptBoxd way = way_of(part, motion, duration, settings.target, at);
            surface.search(
                way.origin, [&](const Aabb& box) { return way.meets(box, 1); },
                [&](std::uint32_t k, std::array<Vec3, 3> triangle) {
                    for (Vec3& corner : triangle) corner = at * corner;
                    offer(time_of_impact(part, motion, triangle, duration, settings), i, k);
                });
        } else {
            visit_parts(b, motion_b, [&](std::uint32_t k, const Shape& other, const Motion& its) {
                offer(time_of_impact(part, motion, other, its, duration, settings), i, k);
            });
        }
    });
    return first;
}

} // namespace fovea
