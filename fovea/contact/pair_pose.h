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

inline PairPose pose_of(const Transform& relative) {
    return {rotation_of(relative.orientation), relative.position};
}

inline PairPose inverse(const PairPose& pose) {
    return {transposed(pose.rotation), -transposed_times(pose.rotation, pose.position)};
}

} // namespace fovea
