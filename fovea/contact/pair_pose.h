// The placement of B in the frame of A, in which a pair is tested: precision then does not depend
// on where in the world the pair is.
#pragma once

#include "fovea/base/transform.h"

namespace fovea {

struct PairPose {
    Mat3 rotation; ///< columns: axes of B in the frame of A
    Vec3 position; ///< origin of B in the frame of A

    Vec3 operator*(const Vec3& p) const { return rotation * p + position; }
};

/// Rotation matrix of a quaternion that need not be exactly unit length: floats never are.
inline Mat3 rotation_of(const Quat& q) {
    const float s = 2 / norm_squared(q);
    const float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{1 - s * (yy + zz), s * (xy + wz), s * (xz - wy)},
            {s * (xy - wz), 1 - s * (xx + zz), s * (yz + wx)},
            {s * (xz + wy), s * (yz - wx), 1 - s * (xx + yy)}};
}

inline PairPose pose_of(const Transform& relative) {
    return {rotation_of(relative.orientation), relative.position};
}

inline PairPose inverse(const PairPose& pose) {
    return {transposed(pose.rotation), -transposed_times(pose.rotation, pose.position)};
}

} // namespace fovea
