// Compounds are taken part by part. A moving mesh is opened like any ladder: the ball around a node
// is sent on the node's way, and only if it meets something sooner than the best so far are the
// node's children looked at.
//
//        O   -> meets nothing: whatever it holds does not either
//      .'
//    (root) - - O -> meets the wall at t1:  children, groups, triangles      -> touch at t >= t1
//      '.
//        O   -> meets it at t2 > t: passed over
//
#include "fovea/collide/shape_impact.h"

#include "fovea/collide/ladder.h"
#include "fovea/collide/search_rim.h"
#include "fovea/collide/swept_box.h"
#include "fovea/collide/triangle_surface.h"
#include "fovea/geometry/placed_core.h"

namespace fovea {

namespace {

using Corners = std::array<Vec3, 3>;

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

/// Where a ball about the origin of a moving frame can get to, in the frame of a shape that stays:
/// the box around its reach in any orientation, swept along the way of its centre.
SweptBoxd way_of(double radius, const Motion& motion, float duration, float target,
                 const Transform& at) {
    const Mat3d rotation = rotation_of(Quatd(at.orientation));
    const Vec3d centre = Transformd(motion.start) * Vec3d(motion.centre);
    const double reach = radius + length(Vec3d(motion.centre)) + double(target);
    const double rim = double(k_search_rim) * (double(largest_coordinate(motion.start.position)) +
                                               double(largest_coordinate(at.position)) + reach);
    SweptBoxd box(transposed_times(rotation, centre - Vec3d(at.position)),
                  transposed_times(rotation, Vec3d(motion.velocity) * double(duration)));
    box.half = Vec3d(1, 1, 1) * (reach + rim);
    return box;
}

/// A convex solid or a triangle of the mover, on its way.
struct MovingPart {
    const Shape* solid; ///< nothing: the triangle
    Corners corners;
    const Motion& motion; ///< of the frame that it is given in
    const Motion& around; ///< of the frame in whose origin the ball around it is
    double radius;        ///< of that ball

    template <class... Rest>
    Impact meet(const Rest&... rest) const {
        return solid ? time_of_impact(*solid, motion, rest...)
                     : time_of_impact(corners, motion, rest...);
    }
};

/// What the mover may run into.
struct Obstacle {
    const CollisionShape& shape;
    const Motion& motion;
    const ImpactSettings& settings;

    /// Calls `offer(impact, part)` for what the part meets within `duration`, until it says that
    /// it has enough, or `go_on()`, asked before each measurement, says no.
    template <class GoOn, class Offer>
    void meet(const MovingPart& part, float duration, GoOn&& go_on, Offer&& offer) const {
        bool enough = false;
        if (const TriangleSurface surface(shape); surface) {
            const Transform& at = motion.start;
            const SweptBoxd way = way_of(part.radius, part.around, duration, settings.target, at);
            surface.search(
                way.origin, [&](const Aabb& box) { return !enough && way.meets(box, 1); },
                [&](std::uint32_t k, Corners triangle) {
                    enough = enough || !go_on();
                    if (enough) return;
                    for (Vec3& corner : triangle) corner = at * corner;
                    enough = offer(part.meet(triangle, duration, settings), k);
                });
        } else {
            visit_parts(shape, motion, [&](std::uint32_t k, const Shape& other, const Motion& its) {
                enough = enough || !go_on();
                if (!enough) enough = offer(part.meet(other, its, duration, settings), k);
            });
        }
    }
};

class Sweep {
  public:
    Sweep(const CollisionShape& mover, const Motion& motion, const Obstacle& obstacle,
          float duration, float slow, WorkMeter* work)
        : mover_(mover)
        , motion_(motion)
        , obstacle_(obstacle)
        , slow_(slow)
        , work_(work)
        , first_{{Impact::Outcome::apart, double(duration), {}, 0}} {}

    ShapeImpact run() {
        if (const TriangleMesh* mesh = mesh_of(mover_)) {
            mesh_ = mesh;
            open(k_root_slot, 0);
        } else {
            visit_parts(mover_, motion_,
                        [&](std::uint32_t i, const Shape& part, const Motion& motion) {
                            send({&part, {}, motion, motion, double(bounding_radius(part))}, i);
                        });
        }
        return first_;
    }

  private:
    /// Before anything is done: if there is no time for it, the test is cut.
    bool go_on() {
        first_.cut = first_.cut || (work_ && work_->exhausted());
        return !first_.cut;
    }
    void charge(const Impact& impact) const {
        if (work_) work_->charge(std::uint64_t(impact.rounds) * k_impact_round_units);
    }

    void send(const MovingPart& part, std::uint32_t number) {
        obstacle_.meet(
            part, float(first_.impact.time), [&] { return go_on(); },
            [&](const Impact& impact, std::uint32_t other) {
                charge(impact);
                offer(impact, number, other);
                return false;
            });
    }

    void offer(const Impact& impact, std::uint32_t part_a, std::uint32_t part_b) {
        const int rounds = first_.impact.rounds + impact.rounds;
        const bool sooner =
            !first_.impact.stops() || impact.time < first_.impact.time ||
            (impact.time == first_.impact.time &&
             (part_a < first_.part_a || (part_a == first_.part_a && part_b < first_.part_b)));
        const bool grazes = impact.outcome == Impact::Outcome::touching && speed_of(impact) < slow_;
        const bool passed_over =
            first_.passed_over || grazes || impact.outcome == Impact::Outcome::overlapping;
        if (ahead(impact) && !grazes && sooner)
            first_ = {impact, part_a, part_b, false, first_.cut};
        first_.passed_over = passed_over;
        first_.impact.rounds = rounds;
    }

    /// With which the body, or the place where it touches, comes on towards the obstacle.
    float speed_of(const Impact& impact) const {
        const Proximity& touch = impact.proximity;
        const auto turning = [&](const Motion& motion, const Vec3& point) {
            const Vec3 centre(pose_at(motion, impact.time) * Vec3d(motion.centre));
            return cross(motion.angular_velocity, point - centre);
        };
        const Vec3 turned =
            turning(motion_, touch.point_a) - turning(obstacle_.motion, touch.point_b);
        return dot(motion_.velocity - obstacle_.motion.velocity, touch.normal) +
               std::max(dot(turned, touch.normal), 0.0f);
    }

    static bool ahead(const Impact& impact) {
        return impact.outcome == Impact::Outcome::touching ||
               impact.outcome == Impact::Outcome::undecided;
    }

    /// `level` counts on beyond the nodes: groups, and triangles.
    void open(std::uint32_t slot, int level) {
        if (first_.impact.stops() && first_.impact.time <= 0) return; // nothing can be sooner
        if (!go_on()) return;
        const Ladder& ladder = *mover_.ladder;
        const BoundingBall ball = ladder.ball(slot);
        const Shape sphere = Sphere{ball.radius};
        const Motion motion = motion_of_part(motion_, Transform(ball.centre));
        bool meets = false;
        obstacle_.meet(
            {&sphere, {}, motion, motion, double(ball.radius)}, float(first_.impact.time),
            [&] { return go_on(); },
            [&](const Impact& impact, std::uint32_t) {
                charge(impact);
                first_.impact.rounds += impact.rounds;
                return meets = impact.stops();
            });
        if (!meets) return;
        if (level == ladder.levels() + 1) {
            const std::uint32_t number = ladder.element(slot);
            return send({nullptr, corners(*mesh_, number), motion_, motion, double(ball.radius)},
                        number);
        }
        const Ladder::Children children = ladder.children[slot];
        for (std::uint32_t i = 0; i < children.count; ++i)
            open(children.first_block * LadderBlock::k_width + i, level + 1);
    }

    const CollisionShape& mover_;
    const Motion& motion_;
    const Obstacle& obstacle_;
    float slow_;
    WorkMeter* work_;
    ShapeImpact first_;
    const TriangleMesh* mesh_ = nullptr;
};

} // namespace

ShapeImpact time_of_impact(const CollisionShape& a, const Motion& motion_a, const CollisionShape& b,
                           const Motion& motion_b, float duration, const ImpactSettings& settings,
                           float slow, WorkMeter* work) {
    const Obstacle obstacle{b, motion_b, settings};
    return Sweep(a, motion_a, obstacle, duration, slow, work).run();
}

} // namespace fovea
