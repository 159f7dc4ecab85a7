// Convex cores placed in the world, in double precision: what swept tests measure again and again
// at poses that lie between two steps and so are never stored as floats.
#pragma once

#include "fovea/geometry/core_proximity.h"

namespace fovea {

/// Rotation matrix of a quaternion that need not be exactly unit length: floats never are.
inline Mat3d rotation_of(const Quatd& q) {
    const double s = 2 / norm_squared(q);
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{1 - s * (yy + zz), s * (xy + wz), s * (xz - wy)},
            {s * (xy - wz), 1 - s * (xx + zz), s * (yz + wx)},
            {s * (xz + wy), s * (yz - wx), 1 - s * (xx + yy)}};
}

struct PlacedCore {
    ConvexCore core;
    Mat3d rotation = Mat3d::identity();
    Vec3d position{};
};

/// A convex solid at a pose.
PlacedCore place_core(const Shape& solid, const Transform& at);
/// A triangle given in world coordinates.
PlacedCore place_core(const std::array<Vec3, 3>& triangle);

/// Material on the side opposite the normal, in world axes.
struct PlacedPlane {
    Vec3d normal; ///< unit
    double offset;
};

PlacedPlane place_plane(const HalfSpace& plane, const Transform& at);

/// Separation and witnesses in world coordinates, the normal from A to B.
LocalProximity measure(const PlacedCore& a, const PlacedCore& b);
LocalProximity measure(const PlacedCore& a, const PlacedPlane& b);

} // namespace fovea
