#include "fovea/geometry/time_of_impact.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/assert.h"
#include "fovea/geometry/placed_core.h"
#include "fovea/geometry/shape_bounds.h"

namespace fovea {

namespace {

std::array<Vec3d, 3> in_double(const std::array<Vec3, 3>& triangle) {
    return {Vec3d(triangle[0]), Vec3d(triangle[1]), Vec3d(triangle[2])};
}

double farthest(const std::array<Vec3, 3>& triangle, const Vec3& from) {
    double squared = 0;
    for (const Vec3& corner : triangle)
        squared = std::max(squared, length_squared(Vec3d(corner) - Vec3d(from)));
    return std::sqrt(squared);
}

/// A solid or triangle on its way.
class Traveller {
  public:
    Traveller(const Shape& shape, const Motion& motion)
        : Traveller(make_core(shape), motion,
                    double(bounding_radius(shape)) + length(Vec3d(motion.centre))) {}

    Traveller(const std::array<Vec3, 3>& triangle, const Motion& motion)
        : Traveller(make_core(in_double(triangle)), motion, farthest(triangle, motion.centre)) {}

    void go_to(double time) {
        const Transformd pose = pose_at(motion_, time);
        placed_.rotation = rotation_of(pose.orientation);
        placed_.position = pose.position;
    }

    /// A bound on how fast any point goes along the unit vector `n`.
    double speed_along(const Vec3d& n) const {
        return dot(n, velocity_) + length(cross(n, spin_)) * reach_;
    }

    /// Of the point that is at `point` at the start.
    Vec3d velocity_at(const Vec3d& point) const {
        const Vec3d centre = Transformd(motion_.start) * Vec3d(motion_.centre);
        return velocity_ + cross(spin_, point - centre);
    }

    const PlacedCore& placed() const { return placed_; }

  private:
    Traveller(const ConvexCore& core, const Motion& motion, double reach)
        : motion_(motion)
        , velocity_(motion.velocity)
        , spin_(motion.angular_velocity)
        , reach_(reach)
        , placed_{core} {
        go_to(0);
    }

    const Motion& motion_;
    Vec3d velocity_, spin_;
    double reach_; ///< farthest point from the centre of rotation
    PlacedCore placed_;
};

/// What stays where it is.
template <class Placed>
struct Standing {
    Placed at;

    void go_to(double) {}
    double speed_along(const Vec3d&) const { return 0; }
    Vec3d velocity_at(const Vec3d&) const { return {}; }
    const Placed& placed() const { return at; }
};

Proximity to_float(const LocalProximity& p) {
    return {Vec3(p.point_a), Vec3(p.point_b), Vec3(p.normal), float(p.separation)};
}

template <class Other>
Impact find_impact(Traveller a, Other b, double duration, const ImpactSettings& settings) {
    FOVEA_ASSERT(settings.target > 0 && settings.tolerance > 0);
    using enum Impact::Outcome;
    const double target = settings.target, tolerance = settings.tolerance;
    double time = 0;
    for (int round = 1;; ++round) {
        const LocalProximity found = measure(a.placed(), b.placed());
        const double gap = found.separation - target;
        const auto approach = [&] {
            return dot(found.normal, a.velocity_at(found.point_a) - b.velocity_at(found.point_b));
        };
        if (round == 1 && (gap < 0 || (gap <= tolerance && approach() <= 0)))
            return {overlapping, 0, to_float(found), round};
        if (gap <= tolerance) return {touching, time, to_float(found), round};
        const double closing = a.speed_along(found.normal) + b.speed_along(-found.normal);
        if (!(closing * (duration - time) >= gap)) return {apart, duration, {}, round};
        if (round >= settings.max_rounds) return {undecided, time, to_float(found), round};
        time += gap / closing;
        a.go_to(time);
        b.go_to(time);
    }
}

Impact find_impact(const Traveller& a, const Shape& b, const Motion& motion_b, double duration,
                   const ImpactSettings& settings) {
    if (const auto* plane = std::get_if<HalfSpace>(&b)) {
        return find_impact(a, Standing<PlacedPlane>{place_plane(*plane, motion_b.start)}, duration,
                           settings);
    }
    return find_impact(a, Traveller(b, motion_b), duration, settings);
}

} // namespace

Impact time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                      const Motion& motion_b, float duration, const ImpactSettings& settings) {
    return find_impact(Traveller(a, motion_a), b, motion_b, duration, settings);
}

Impact time_of_impact(const std::array<Vec3, 3>& triangle, const Motion& motion, const Shape& b,
                      const Motion& motion_b, float duration, const ImpactSettings& settings) {
    return find_impact(Traveller(triangle, motion), b, motion_b, duration, settings);
}

Impact time_of_impact(const std::array<Vec3, 3>& triangle, const Motion& motion,
                      const std::array<Vec3, 3>& standing, float duration,
                      const ImpactSettings& settings) {
    return find_impact(Traveller(triangle, motion), Standing<PlacedCore>{place_core(standing)},
                       duration, settings);
}

Impact time_of_impact(const Shape& a, const Motion& motion_a, const std::array<Vec3, 3>& triangle,
                      float duration, const ImpactSettings& settings) {
    return find_impact(Traveller(a, motion_a), Standing<PlacedCore>{place_core(triangle)}, duration,
                       settings);
}

} // namespace fovea
