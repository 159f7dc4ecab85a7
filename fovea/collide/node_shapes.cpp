#include "fovea/collide/node_shapes.h"

#include <algorithm>

#include "fovea/geometry/convex_core.h"
#include "fovea/geometry/rounding.h"

namespace fovea {

namespace {

/// The rotation that takes the axes x, y, z to unit vectors at right angles.
Quatd rotation_to(const Vec3d& x, const Vec3d& y) {
    const Quatd first = rotation_between(Vec3d(1, 0, 0), x);
    // What is left is a turn about x; half of its angle from the cosine.
    const Vec3d from = rotate(first, Vec3d(0, 1, 0));
    const double cosine = std::clamp(dot(from, y), -1.0, 1.0);
    const double sine = std::sqrt((1 - cosine) / 2) * (dot(cross(from, y), x) < 0 ? -1 : 1);
    return normalized(Quatd(std::sqrt((1 + cosine) / 2), x * sine) * first);
}

} // namespace

PlacedShape node_shape(const Ladder& ladder, int level, std::uint32_t slot,
                       const Transformd& pose) {
    if (ladder.kinds[std::size_t(level)] == LevelKind::solids) {
        const Ladder::Solid& solid = ladder.solids[ladder.first_element_below(slot)];
        return {solid.shape, Transform(pose * Transformd(solid.placement))};
    }
    const NodeVolumed volume = node_volume(ladder, level, slot, pose);
    const double u = length(volume.u), v = length(volume.v), r = volume.radius;
    const Vec3 centre(volume.centre);
    if (volume.type == VolumeType::point || (u == 0 && v == 0))
        return {Sphere{rounded_up(r)}, Transform(centre)};
    if (volume.type == VolumeType::segment || v == 0) {
        const Quatd turn = rotation_between(Vec3d(0, 1, 0), volume.u / u);
        return {Capsule{rounded_up(r), rounded_up(u)}, {centre, Quat(turn)}};
    }
    const Quatd turn = rotation_to(volume.u / u, volume.v / v);
    const Vec3d half = volume.type == VolumeType::cube ? Vec3d(u, v, u) : Vec3d(u + r, v + r, r);
    return {Box{{rounded_up(half.x), rounded_up(half.y), rounded_up(half.z)}},
            {centre, Quat(turn)}};
}

Vec3d point_of_element(const Ladder& ladder, std::uint32_t number) {
    if (ladder.top == LadderTop::triangles) return Vec3d(ladder.triangles[number].corners[0]);
    const Ladder::Solid& solid = ladder.solids[number];
    const ConvexCore core = make_core(solid.shape);
    Vec3d middle;
    for (const Vec3& vertex : core.vertices) middle += Vec3d(vertex) / double(core.vertices.size());
    return Transformd(solid.placement) * middle;
}

float facing(const Proximity& near, const std::array<Vec3, 3>& triangle) {
    const Vec3 up = cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
    return -dot(near.normal, up) / std::max(length(up), 1e-30f); // the normal leads to the triangle
}

double lowest(const NodeVolumed& volume, const Vec3d& normal) {
    double extent = std::abs(dot(volume.u, normal)) + std::abs(dot(volume.v, normal));
    if (volume.type == VolumeType::cube) {
        const double half = length(volume.u);
        extent += half > 0 ? std::abs(dot(cross(volume.u, volume.v), normal)) / half : 0;
    }
    return dot(volume.centre, normal) - extent - volume.radius;
}

} // namespace fovea
