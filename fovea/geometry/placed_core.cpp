#include "fovea/geometry/placed_core.h"

namespace fovea {

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
