// Joints: what two bodies may not do relative to each other.
//
// Each body carries a frame of the joint; a joint is a rule for how the two frames may lie. Its
// main axis is the x axis of the frames.
//
//   ball        anchors together                                       3 turns left
//   hinge       anchors and x axes together                            1 turn about x
//   slider      frames parallel, anchor B on the x axis through A      1 shift along x
//   fixed       frames together                                        nothing left
//   distance    anchors a given distance apart, or within a range      5
//   cone-twist  a ball whose x axes make at most a given angle         3 turns, limited
//   wheel       anchor B on the x axis through A (the suspension); the wheel spins about its z
//               axis, which turns about x (steering)                   1 shift, 2 turns
//
// What is left free can have limits, a motor and a spring: a drive.
#pragma once

#include <cstdint>
#include <limits>
#include <variant>

#include "fovea/base/quat.h"
#include "fovea/base/result.h"

namespace fovea {

/// A range, in m or rad; infinite ends are no limits, equal ends hold the value fast. Angles are
/// within -pi and pi.
struct JointLimits {
    float lower = -std::numeric_limits<float>::infinity();
    float upper = std::numeric_limits<float>::infinity();
};

/// Seeks a speed with limited strength: also a brake, at speed 0.
struct JointMotor {
    float speed = 0;    ///< m/s or rad/s, of B relative to A
    float strength = 0; ///< most force, N, or torque, N m; 0: no motor
};

/// A spring and damper that behaves the same for any masses and time steps.
struct JointSpring {
    float hertz = 0;         ///< cycles per second of what the joint moves; 0: no spring
    float damping_ratio = 1; ///< 1 is critical: the fastest without overshoot
};

struct JointDrive {
    JointLimits limits{};
    JointMotor motor{};
    JointSpring spring{};
    float target = 0; ///< where the spring is at rest, m or rad
};

struct BallJoint {
    float friction = 0; ///< torque that resists turning, N m
};
struct HingeJoint {
    JointDrive turn{}; ///< angle of B's frame from A's, about x
};
struct SliderJoint {
    JointDrive slide{}; ///< of B's anchor from A's, along x
};
/// Rigid, or a soft weld where a spring is given.
struct FixedJoint {
    JointSpring linear{}, angular{};
};
struct DistanceJoint {
    JointDrive length{.limits = {1, 1}}; ///< between the anchors
};
struct ConeTwistJoint {
    float cone = 0.785398163f; ///< most angle between the x axes, rad, in (0, pi]
    JointDrive twist{};        ///< about x
    JointSpring spring{};      ///< towards frames that are together
    float friction = 0;        ///< torque that resists turning, N m
};
struct WheelJoint {
    JointDrive suspension{};               ///< of B's anchor from A's, along x
    JointDrive steering{.limits = {0, 0}}; ///< angle of B's z axis from A's, about x
    JointMotor spin{};                     ///< about B's z axis
};

using JointType = std::variant<BallJoint, HingeJoint, SliderJoint, FixedJoint, DistanceJoint,
                               ConeTwistJoint, WheelJoint>;

/// "ball", "hinge", "slider", "fixed", "distance", "cone-twist", "wheel".
const char* name_of(const JointType& type);

/// Whether all numbers make sense; names the one that does not.
Result<void> check_joint_type(const JointType& type);

/// A joint at work.
struct Joint {
    static constexpr int k_blocks = 12; ///< most that any type has; see joint_rows.h

    std::uint32_t a, b;      ///< body slots
    Vec3 anchor_a, anchor_b; ///< from the centres of mass, body axes
    Quat frame_a, frame_b;   ///< body axes
    JointType type;
    float break_force;  ///< N
    float break_torque; ///< N m
    bool collide_connected;

    Vec3 impulse[k_blocks] = {}; ///< of the last sub-step, where the next one starts
    Vec3 force{}, torque{};      ///< on B about its anchor, mean of the last step, world axes
};

} // namespace fovea
