// Steady motion of a body over a step: its centre goes straight on while it turns about it at a
// constant rate.
//
// Sines and logarithms of rotations are computed here by halving angles, with nothing but
// arithmetic and square roots: the C library's differ in the last bit from platform to platform.
#pragma once

#include "fovea/base/transform.h"

namespace fovea {

struct Motion {
    Transform start;         ///< of the shape
    Vec3 centre{};           ///< of rotation, in the shape's frame
    Vec3 velocity{};         ///< of the centre, m/s
    Vec3 angular_velocity{}; ///< rad/s, world axes
};

/// A body that stays.
inline Motion at_rest(const Transform& at) {
    return {at, {}, {}, {}};
}

/// The steady motion that leads from one pose to another in `duration` seconds, turning the
/// shorter way.
Motion motion_between(const Transform& start, const Transform& end, const Vec3& centre,
                      float duration);

/// The shape's pose `time` seconds after the start.
Transformd pose_at(const Motion& motion, double time);

/// Rotation by the vector `turn`: its direction is the axis, its length the angle in radians.
Quatd rotation_by(const Vec3d& turn);

/// The shortest such vector of a unit quaternion.
Vec3d rotation_vector(const Quatd& q);

} // namespace fovea
