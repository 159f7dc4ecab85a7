#include "fovea/geometry/point_distance.h"

#include "fovea/geometry/simplex.h"

namespace fovea {

namespace {

double clamp_to(double x, double limit) {
    return x < -limit ? -limit : (x > limit ? limit : x);
}

double with_sign(double magnitude, double sign) {
    return sign < 0 ? -magnitude : magnitude;
}

/// A point outside, its nearest surface point known. `normal` serves where both coincide.
PointDistance outside(const Vec3d& point, const Vec3d& surface, const Vec3d& normal) {
    const Vec3d offset = point - surface;
    const Vec3d unit = normalized_or(offset, normal);
    return {surface, unit, dot(offset, unit)};
}

/// Coordinates in the plane through the axis of a round solid and the point.
struct Profile {
    double across; ///< distance from the axis
    Vec3d outward; ///< unit, away from the axis; x for points on it

    explicit Profile(const Vec3d& p)
        : across(std::sqrt(p.x * p.x + p.z * p.z))
        , outward(normalized_or(Vec3d(p.x, 0, p.z), Vec3d(1, 0, 0))) {}
};

} // namespace

PointDistance point_to_box(const Vec3d& half, const Vec3d& p) {
    const Vec3d surface(clamp_to(p.x, half.x), clamp_to(p.y, half.y), clamp_to(p.z, half.z));
    if (!(surface == p)) return outside(p, surface, {1, 0, 0});
    const double x = half.x - std::abs(p.x);
    const double y = half.y - std::abs(p.y);
    const double z = half.z - std::abs(p.z);
    if (x <= y && x <= z)
        return {{with_sign(half.x, p.x), p.y, p.z}, {with_sign(1, p.x), 0, 0}, -x};
    if (y <= z) return {{p.x, with_sign(half.y, p.y), p.z}, {0, with_sign(1, p.y), 0}, -y};
    return {{p.x, p.y, with_sign(half.z, p.z)}, {0, 0, with_sign(1, p.z)}, -z};
}

PointDistance point_to_cylinder(double radius, double half_height, const Vec3d& p) {
    const Profile profile(p);
    const double side = radius - profile.across;
    const double cap = half_height - std::abs(p.y);
    if (side >= 0 && cap >= 0) {
        if (cap < side)
            return {{p.x, with_sign(half_height, p.y), p.z}, {0, with_sign(1, p.y), 0}, -cap};
        Vec3d surface = profile.outward * radius;
        surface.y = p.y;
        return {surface, profile.outward, -side};
    }
    Vec3d surface = side < 0 ? profile.outward * radius : Vec3d(p.x, 0, p.z);
    surface.y = clamp_to(p.y, half_height);
    return outside(p, surface, profile.outward);
}

PointDistance point_to_capsule(double radius, double half_height, const Vec3d& p) {
    const Vec3d core(0, clamp_to(p.y, half_height), 0);
    // A point on the axis leaves soonest across it.
    const Vec3d normal = normalized_or(p - core, Vec3d(1, 0, 0));
    return {core + normal * radius, normal, dot(p - core, normal) - radius};
}

PointDistance point_to_cone(double radius, double half_height, const Vec3d& p) {
    // Profile:  the base runs from (0, -h) to (r, -h), the slope from there to the tip (0, h).
    const Profile profile(p);
    const double slant = std::sqrt(radius * radius + 4 * half_height * half_height);
    const double nx = 2 * half_height / slant, ny = radius / slant; // normal of the slope
    const double above_slope = nx * profile.across + ny * (p.y - half_height);
    const double above_base = -half_height - p.y;
    const Vec3d slope_normal = profile.outward * nx + Vec3d(0, ny, 0);
    if (above_slope <= 0 && above_base <= 0) {
        if (above_base > above_slope) return {{p.x, -half_height, p.z}, {0, -1, 0}, above_base};
        return {p - slope_normal * above_slope, slope_normal, above_slope};
    }
    // Outside: foot on the slope, measured down from the tip, and on the base.
    const double down =
        clamp_to((profile.across * ny + (half_height - p.y) * nx) - slant / 2, slant / 2) +
        slant / 2;
    Vec3d on_slope = profile.outward * (down * ny);
    on_slope.y = half_height - down * nx;
    Vec3d on_base = profile.across > radius ? profile.outward * radius : Vec3d(p.x, 0, p.z);
    on_base.y = -half_height;
    if (length_squared(p - on_base) < length_squared(p - on_slope))
        return outside(p, on_base, {0, -1, 0});
    return outside(p, on_slope, slope_normal);
}

PointDistance point_to_triangle(const std::array<Vec3d, 3>& t, const Vec3d& p) {
    const auto weights = nearest_on_triangle(t[0] - p, t[1] - p, t[2] - p);
    const Vec3d surface = t[0] * weights[0] + t[1] * weights[1] + t[2] * weights[2];
    const Vec3d face = normalized_or(cross(t[1] - t[0], t[2] - t[0]), Vec3d(0, 1, 0));
    if (weights[0] > 0 && weights[1] > 0 && weights[2] > 0) {
        const double height = dot(p - surface, face);
        return {surface, height < 0 ? -face : face, std::abs(height)};
    }
    return outside(p, surface, face);
}

} // namespace fovea
