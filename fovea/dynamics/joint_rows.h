// From joints to rows of equations.
//
// A row is one equation on the velocities: its rate of change
//   rate = l . (vB - vA) + b . wB - a . wA
// with the Jacobian (-l, -a, l, b). Rows that belong together, such as the three of a ball joint,
// are solved together as a block, with the inverse of their 3x3 matrix. A joint is a few blocks:
//
//   hinge   [spring] [motor] [lower] [upper]   [axes: 2 rows]   [anchors: 3 rows]
//
// What must hold most comes last: in a Gauss-Seidel visit the last word counts.
#pragma once

#include "fovea/base/mat3.h"
#include "fovea/dynamics/joint.h"
#include "fovea/dynamics/softness.h"

namespace fovea {

struct JointBlock {
    enum class Rule : std::uint8_t {
        rigid,  ///< error = 0
        spring, ///< error is a spring's
        motor,  ///< rate = speed, as far as its strength goes
        limit,  ///< error >= 0; a single row
    };
    /// What the rows' directions l are tied to: how they turn during a sub-step.
    enum class Tied : std::uint8_t { to_world, to_a, to_line };

    Vec3 linear[3], angular_a[3], angular_b[3];
    Vec3 turn_a[3], turn_b[3]; ///< inverse inertia times the angular parts
    Mat3 mass;                 ///< inverse of J M^-1 J^T; rows that are not there are 0
    Vec3 error;                ///< per row, m or rad
    Vec3 curvature;            ///< what the error gains a second by moving on curves, per row
    Softness softness;
    float speed = 0, strength = 0; ///< of motors; strength as an impulse per second
    int rows = 0;
    int slot = 0; ///< where the joint keeps the block's impulse
    Rule rule = Rule::rigid;
    Tied tied = Tied::to_world;
};

/// How the two frames of a joint lie now.
struct JointPose {
    Vec3 arm_a, arm_b; ///< from the centres of mass to the anchors, world axes
    Vec3 apart;        ///< from A's anchor to B's
    Quat frame_a, frame_b;
};

struct JointMass {
    float inverse_a, inverse_b;
    Mat3 inertia_a, inertia_b; ///< inverse, world axes
};

/// Most blocks that joints of this type can have.
int block_count(const JointType& type);

/// Writes the joint's blocks for its present pose and returns how many there are: always the same
/// for the same joint type. `rigid` is the softness of what should be rigid, `h` the sub-step, s.
int build_blocks(const Joint& joint, const JointPose& pose, const JointMass& mass,
                 const Softness& rigid, float h, JointBlock* blocks);

} // namespace fovea
