#include "fovea/geometry/time_of_impact.h"

#include "fovea/base/assert.h"
#include "fovea/geometry/placed_core.h"
#include "fovea/geometry/shape_bounds.h"

namespace fovea {

namespace {

/// A solid on its way.
class Traveller {
  public:
    Traveller(const Shape& shape, const Motion& motion)
        : motion_(motion)
        , velocity_(motion.velocity)
        , spin_(motion.angular_velocity)
        , reach_(double(bounding_radius(shape)) + length(Vec3d(motion.centre)))
        , placed_{make_core(shape)} {
        go_to(0);
    }

    void go_to(double time) {
        const Transformd pose = pose_at(motion_, time);
        placed_.rotation = rotation_of(pose.orientation);
        placed_.position = pose.position;
    }

    /// A bound on how fast any point goes along the unit vector `n`.
    double speed_along(const Vec3d& n) const {
        return dot(n, velocity_) + length(cross(n, spin_)) * reach_;
    }

    const PlacedCore& placed() const { return placed_; }

  private:
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
        if (round == 1 && gap < 0) return {overlapping, 0, to_float(found), round};
        if (gap <= tolerance) return {touching, time, to_float(found), round};
        const double closing = a.speed_along(found.normal) + b.speed_along(-found.normal);
        if (!(closing * (duration - time) >= gap)) return {apart, duration, {}, round};
        if (round >= settings.max_rounds) return {undecided, time, to_float(found), round};
        time += gap / closing;
        a.go_to(time);
        b.go_to(time);
    }
}

} // namespace

Impact time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                      const Motion& motion_b, float duration, const ImpactSettings& settings) {
    const Traveller first(a, motion_a);
    if (const auto* plane = std::get_if<HalfSpace>(&b)) {
        return find_impact(first, Standing<PlacedPlane>{place_plane(*plane, motion_b.start)},
                           duration, settings);
    }
    return find_impact(first, Traveller(b, motion_b), duration, settings);
}

Impact time_of_impact(const Shape& a, const Motion& motion_a, const std::array<Vec3, 3>& triangle,
                      float duration, const ImpactSettings& settings) {
    return find_impact(Traveller(a, motion_a), Standing<PlacedCore>{place_core(triangle)}, duration,
                       settings);
}

} // namespace fovea
