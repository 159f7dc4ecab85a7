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

std::optional<LocalProximity> parallel_cylinders(const RoundSolid& a, const RoundSolid& b,
                                                 const Vec3d& axis, const Vec3d& centre) {
    // Tighter than k_flat_tilt, because here the tilt enters the distance itself.
    constexpr double k_parallel = 2e-7;
    const double sine_squared = axis.x * axis.x + axis.z * axis.z;
    if (sine_squared > k_parallel * k_parallel) return std::nullopt;

    const Vec3d across(centre.x, 0, centre.z);
    const double apart = length(across);
    const Vec3d outward = normalized_or(across, Vec3d(1, 0, 0));
    const double axial = std::abs(centre.y) - a.half_height - b.half_height;
    const double radial = apart - a.radius - b.radius;
    if (axial >= 0 && radial >= 0) return std::nullopt;

    if (axial > radial) {
        const double side = centre.y < 0 ? -1 : 1;
        // Middle of the lens in which the discs overlap.
        const double low = std::max(-a.radius, apart - b.radius);
        const double high = std::min(a.radius, apart + b.radius);
        const Vec3d middle = outward * ((low + high) * 0.5);
        const Vec3d normal(0, side, 0);
        const Vec3d on_a = middle + normal * a.half_height;
        return LocalProximity{on_a, on_a + normal * axial, normal, axial};
    }
    const double low = std::max(-a.half_height, centre.y - b.half_height);
    const double high = std::min(a.half_height, centre.y + b.half_height);
    const Vec3d on_a = outward * a.radius + Vec3d(0, (low + high) * 0.5, 0);
    return LocalProximity{on_a, on_a + outward * radial, outward, radial};
}

} // namespace fovea
