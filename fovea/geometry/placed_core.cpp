#include "fovea/geometry/placed_core.h"

#include <optional>

#include "fovea/geometry/point_distance.h"

namespace fovea {

namespace {

/// Distance of a point from a core in closed form, where there is one.
std::optional<PointDistance> point_to_core(const ConvexCore& core, const Vec3d& point) {
    using Kind = ConvexCore::Kind;
    switch (core.kind) {
    case Kind::point:
        return point_to_capsule(0, 0, point);
    case Kind::segment:
        return point_to_capsule(0, core.half.y, point);
    case Kind::box:
        return point_to_box(core.half, point);
    case Kind::cylinder:
        return point_to_cylinder(core.half.x, core.half.y, point);
    case Kind::cone:
        return point_to_cone(core.half.x, core.half.y, point);
    case Kind::triangle:
        return point_to_triangle(core.corners, point);
    case Kind::hull:
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

PlacedCore place_core(const Shape& solid, const Transform& at) {
    return {make_core(solid), rotation_of(Quatd(at.orientation)), Vec3d(at.position)};
}

PlacedCore place_core(const std::array<Vec3, 3>& triangle) {
    const Vec3d origin(triangle[0]);
    return {
        make_core(std::array{Vec3d(), Vec3d(triangle[1]) - origin, Vec3d(triangle[2]) - origin}),
        Mat3d::identity(), origin};
}

PlacedPlane place_plane(const HalfSpace& plane, const Transform& at) {
    const Vec3d normal = rotation_of(Quatd(at.orientation)) * Vec3d(plane.normal);
    return {normal, plane.offset + dot(normal, Vec3d(at.position))};
}

LocalProximity measure(const PlacedCore& a, const PlacedCore& b) {
    if (a.core.kind == ConvexCore::Kind::point) {
        const Vec3d centre = transposed_times(b.rotation, a.position - b.position);
        if (const auto found = point_to_core(b.core, centre)) {
            const Vec3d out = b.rotation * found->normal;
            const Vec3d surface = b.rotation * found->surface + b.position;
            return {a.position - out * a.core.rounding, surface + out * b.core.rounding, -out,
                    found->distance - a.core.rounding - b.core.rounding};
        }
    }
    const Mat3d back = transposed(a.rotation);
    const LocalProximity local =
        core_proximity({a.core, b.core, back * b.rotation, back * (b.position - a.position)});
    return {a.rotation * local.point_a + a.position, a.rotation * local.point_b + a.position,
            a.rotation * local.normal, local.separation};
}

LocalProximity measure(const PlacedCore& a, const PlacedPlane& b) {
    const Vec3d down = -b.normal;
    const Vec3d lowest = a.rotation * support(a.core, transposed_times(a.rotation, down)) +
                         a.position + down * a.core.rounding;
    const double separation = dot(b.normal, lowest) - b.offset;
    return {lowest, lowest + down * separation, down, separation};
}

} // namespace fovea
