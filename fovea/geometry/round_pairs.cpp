#include "fovea/geometry/round_pairs.h"

namespace fovea {

namespace {

double clamp_to(double x, double limit) {
    return x < -limit ? -limit : (x > limit ? limit : x);
}

/// Closest points of two segments: at heights `s` on A's axis and `t` along B's.
struct AxisPoints {
    double s, t;
};

/// Minimises |centre + t axis - s y| (Ericson, "Real-Time Collision Detection", 5.1.9). Parallel
/// segments that overlap meet all along; their middle is taken.
AxisPoints closest_on_axes(double half_a, double half_b, const Vec3d& axis, const Vec3d& centre) {
    const double cosine = axis.y;
    const double sine_squared = axis.x * axis.x + axis.z * axis.z;
    const double along = dot(axis, centre);
    if (sine_squared < k_flat_tilt * k_flat_tilt) {
        const double reach = half_b * std::abs(cosine);
        const double low = std::max(-half_a, centre.y - reach);
        const double high = std::min(half_a, centre.y + reach);
        const double s = clamp_to((low + high) * 0.5, half_a);
        return {s, clamp_to(cosine * s - along, half_b)};
    }
    const double s_free = (centre.y - cosine * along) / sine_squared;
    const double s = clamp_to(s_free, half_a);
    const double t_free = cosine * s - along;
    const double t = clamp_to(t_free, half_b);
    if (t == t_free) return {s, t};
    return {clamp_to(centre.y + t * cosine, half_a), t};
}

struct Vec2d {
    double x, y;
    Vec2d operator+(const Vec2d& b) const { return {x + b.x, y + b.y}; }
    Vec2d operator-(const Vec2d& b) const { return {x - b.x, y - b.y}; }
    Vec2d operator*(double s) const { return {x * s, y * s}; }
    double dot(const Vec2d& b) const { return x * b.x + y * b.y; }
};

/// The corner farthest along `d` of a round core's section through its axis, which points up or
/// down as `up` says.
Vec2d profile_corner(const ConvexCore& core, double up, const Vec2d& d) {
    const double radius = core.half.x, top = up < 0 ? -core.half.y : core.half.y;
    if (core.kind == ConvexCore::Kind::cone) {
        const Vec2d tip{0, top}, rim{d.x < 0 ? -radius : radius, -top};
        return tip.dot(d) > rim.dot(d) ? tip : rim;
    }
    return {d.x < 0 ? -radius : radius, d.y < 0 ? -core.half.y : core.half.y};
}

} // namespace

LocalProximity capsule_capsule(const RoundSolid& a, const RoundSolid& b, const Vec3d& axis,
                               const Vec3d& centre) {
    const AxisPoints closest = closest_on_axes(a.half_height, b.half_height, axis, centre);
    const Vec3d on_a(0, closest.s, 0);
    const Vec3d on_b = centre + axis * closest.t;
    const Vec3d offset = on_b - on_a;
    // Axes that meet are parted soonest across both.
    const double reach = 1e-9 * (a.radius + b.radius + a.half_height + b.half_height);
    Vec3d normal = offset;
    if (length_squared(offset) < reach * reach) {
        normal = cross(Vec3d(0, 1, 0), axis);
        if (length_squared(normal) < k_flat_tilt * k_flat_tilt) normal = {1, 0, 0};
        if (dot(normal, offset) < 0) normal = -normal;
    }
    normal = normalized_or(normal, Vec3d(1, 0, 0));
    return {on_a + normal * a.radius, on_b - normal * b.radius, normal,
            dot(offset, normal) - a.radius - b.radius};
}

// With parallel axes the support of either solid depends on a direction only through its slope, so
// the best direction lies in the plane of the axes and the problem is one of two polygons:
//
//     y              Polygons are parted best along the normal of an edge: of a cap, a side or a
//     |  .---.       cone's slope. Where A's and B's extreme edges overlap along the tangent t, the
//   .-|--|.  |       middle of the overlap is the witness; for caps of cylinders that is the
//   | |  |'--'       middle of the lens in which the discs overlap.
//   '-|---'  ->u
std::optional<LocalProximity> parallel_round_cores(const CorePair& pair) {
    // Tighter than k_flat_tilt, because here the tilt enters the distance itself.
    constexpr double k_parallel = 2e-7;
    const Vec3d axis = pair.rotation.y;
    if (axis.x * axis.x + axis.z * axis.z > k_parallel * k_parallel) return std::nullopt;

    const Vec3d up(0, 1, 0);
    const Vec3d outward = normalized_or(Vec3d(pair.position.x, 0, pair.position.z), Vec3d(1, 0, 0));
    Vec3d normal;
    double separation = -std::numeric_limits<double>::infinity();
    const auto consider = [&](const Vec3d& n) {
        const double gap = dot(n, pair.support_b(-n)) - dot(n, pair.support_a(n));
        if (gap > separation) {
            separation = gap;
            normal = n;
        }
    };
    consider(outward);
    consider(up);
    consider(-up);
    const auto slope = [&](const ConvexCore& core, const Vec3d& tipwards) {
        if (core.kind != ConvexCore::Kind::cone) return;
        const double radius = core.half.x, height = 2 * core.half.y;
        consider((outward * height + tipwards * radius) /
                 std::sqrt(radius * radius + height * height));
    };
    slope(pair.a, up);
    slope(pair.b, axis.y < 0 ? up : -up);

    const Vec3d tangent = up * dot(normal, outward) - outward * dot(normal, up);
    const Vec2d n{dot(normal, outward), dot(normal, up)}, t{-n.y, n.x};
    const double across = dot(pair.position, outward);
    const auto end_of_a = [&](double tilt) {
        return t.dot(profile_corner(pair.a, 1, n + t * tilt));
    };
    const auto end_of_b = [&](double tilt) {
        const Vec2d corner = profile_corner(pair.b, axis.y, t * tilt - n);
        return t.dot(Vec2d{corner.x + across, corner.y + pair.position.y});
    };
    const double low = std::max(end_of_a(-k_flat_tilt), end_of_b(-k_flat_tilt));
    const double high = std::min(end_of_a(k_flat_tilt), end_of_b(k_flat_tilt));
    if (separation >= 0 && low > high) return std::nullopt;
    const Vec3d on_a = normal * dot(normal, pair.support_a(normal)) + tangent * ((low + high) / 2);
    return LocalProximity{on_a, on_a + normal * separation, normal, separation};
}

} // namespace fovea
