#include "fovea/contact/node_contact.h"

#include <algorithm>
#include <cmath>

#include "fovea/volume/core_gap.h"
#include "fovea/volume/volume_pairs.h"

namespace fovea {

namespace {

/// Distance of the point from A's core on a line of length d > 0.
template <class T>
T along_line(PointFormula formula, T d, T radius_a, T radius_b) {
    switch (formula) {
    case PointFormula::plane: {
        // Where one sphere holds the other they meet in no circle, and the formula runs away.
        const T at = (d * d + radius_a * radius_a - radius_b * radius_b) / (2 * d);
        return std::clamp(at, -radius_a, radius_a);
    }
    case PointFormula::middle:
        return (std::max(-radius_a, d - radius_b) + std::min(radius_a, d + radius_b)) / 2;
    case PointFormula::ratio:
        break;
    }
    const T radii = radius_a + radius_b;
    return radii > 0 ? d * radius_a / radii : d / 2;
}

/// Dingliana 4.2, without the factor that contradicts its limits.
float closeness_of(float depth, float smaller_radius) {
    if (!(smaller_radius > 0)) return depth > 0 ? 1 : 0;
    return std::clamp(depth / (2 * smaller_radius), 0.0f, 1.0f);
}

/// Centres nearer than this, relative to the radii, give no direction.
constexpr float k_coincident = 1e-6f;

NodeVolumed stand_in(const NodeVolumed& volume) {
    if (volume.type != VolumeType::cube) return volume;
    return {VolumeType::point, volume.centre, {}, {}, std::sqrt(3.0) * length(volume.u)};
}

} // namespace

NodeContact sphere_contact(const Vec3& centre_a, float radius_a, const Vec3& centre_b,
                           float radius_b, PointFormula formula, const Vec3& fallback) {
    const Vec3 between = centre_b - centre_a;
    const float d = length(between), radii = radius_a + radius_b;
    const float depth = radii - d, closeness = closeness_of(depth, std::min(radius_a, radius_b));
    if (!(d > k_coincident * radii)) return {centre_a, fallback, depth, closeness};
    const Vec3 normal = between * (1 / d);
    const float at = along_line(formula, d, radius_a, radius_b);
    return {centre_a + normal * at, normal, depth, closeness};
}

NodeContact volume_contact(const NodeVolumed& volume_a, const NodeVolumed& volume_b,
                           PointFormula formula, const Vec3& fallback) {
    const NodeVolumed a = stand_in(volume_a), b = stand_in(volume_b);
    const CoreGap gap = core_gap(a, b);
    const double d = std::sqrt(gap.squared), radii = a.radius + b.radius;
    const auto smaller = float(std::min(a.radius, b.radius));
    const double size = radii + length(a.u) + length(b.u);
    if (d > k_coincident * size) {
        const Vec3d normal = (gap.on_b - gap.on_a) / d;
        const double at = along_line(formula, d, a.radius, b.radius);
        const auto depth = float(radii - d);
        return {Vec3(gap.on_a + normal * at), Vec3(normal), depth, closeness_of(depth, smaller)};
    }
    if (a.type == VolumeType::point && b.type == VolumeType::point)
        return {Vec3(gap.on_a), fallback, float(radii), 1};
    // Cores that cross part along the least translation.
    const VolumeContact crossing = pair_model(a.type, b.type).contact(a, b);
    return {Vec3(crossing.point), Vec3(crossing.normal), float(crossing.depth), 1};
}

NodeContact plane_contact(const NodeVolumed& volume, const Vec3d& up, double offset) {
    const auto towards = [&](const Vec3d& axis) { return dot(axis, up) > 0 ? -axis : axis; };
    Vec3d lowest = volume.centre + towards(volume.u) + towards(volume.v) - up * volume.radius;
    double radius = volume.radius;
    if (volume.type == VolumeType::cube) {
        const double half = length(volume.u);
        if (half > 0) lowest += towards(cross(volume.u, volume.v) / half);
        radius = half;
    }
    const double height = dot(lowest, up) - offset;
    // Midway between the lowest point and the plane.
    return {Vec3(lowest - up * (height / 2)), Vec3(-up), float(-height),
            closeness_of(float(-height), float(radius))};
}

} // namespace fovea
