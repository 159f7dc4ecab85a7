// What a caller says of a world and of what is to be in it.
#pragma once

#include <limits>

#include "fovea/base/ids.h"
#include "fovea/base/result.h"
#include "fovea/base/transform.h"
#include "fovea/collide/broad_phase.h"
#include "fovea/contact/coarse_contact_settings.h"
#include "fovea/contact/shape_contacts.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/dynamics/impulse.h"
#include "fovea/dynamics/integrate.h"
#include "fovea/dynamics/joint.h"
#include "fovea/dynamics/soft_step.h"
#include "fovea/schedule/schedule_settings.h"
#include "fovea/world/collision_filter.h"
#include "fovea/world/islands.h"

namespace fovea {

enum class Response {
    soft_step, ///< sub-steps with soft contacts and friction: stacks stand, the default
    impulse,   ///< instantaneous blows without friction: for gases and comparisons
};

struct WorldSettings {
    Vec3 gravity{0, -9.8f, 0}; ///< m/s^2
    Integrator integrator = Integrator::semi_implicit_euler;
    bool gyroscopic = false; ///< tumbling of free bodies; see MotionSettings
    BroadPhaseMethod broad_phase = BroadPhaseMethod::sweep;
    Response response = Response::soft_step;
    SoftStepSettings soft_step{};
    ContactSettings contact{}; ///< for soft_step
    ImpulseSettings impulse{};
    SleepSettings sleep{};          ///< for soft_step
    ScheduleSettings schedule{};    ///< for steps with a budget
    CoarseContactSettings coarse{}; ///< for what such a step does not answer exactly
    int threads = 1;                ///< 0: one per core
};

struct BodyDefinition {
    ShapeId shape{};
    Vec3 position{};         ///< of the shape's origin, m
    Quat orientation{};      ///< need not be unit length
    Vec3 velocity{};         ///< of the centre of mass, m/s
    Vec3 angular_velocity{}; ///< rad/s, world axes
    float mass = 0;          ///< kg; 0 means immovable
    Material material{};
    FreeMotion motion{}; ///< gravity scale, damping
    CollisionFilter filter{};
    /// Moves with the velocity it is given and pushes all else aside. Has no mass.
    bool kinematic = false;
    /// Notices what overlaps it (see StepEvents) and touches nothing.
    bool sensor = false;
    /// Must not pass through bodies that move either. Through immovable ones nothing passes.
    bool fast = false;
};

struct SpringDefinition {
    BodyId a{}, b{};
    Vec3 anchor_a{}, anchor_b{}; ///< in the shapes' frames
    float stiffness = 0;         ///< N/m, >= 0
    float damping = 0;           ///< N s/m, >= 0
    float length = 0;            ///< at rest, m, >= 0
};

struct JointDefinition {
    BodyId a{}, b{};
    /// The joint's frames, in the frames of the bodies' shapes: their origins are the anchors,
    /// their x axes the joint's axis. World::joint_at finds them from a place in the world.
    Transform frame_a{}, frame_b{};
    JointType type{};
    /// The joint breaks when it would have to bear more, on the mean of a step.
    float break_force = std::numeric_limits<float>::infinity();  ///< N, > 0
    float break_torque = std::numeric_limits<float>::infinity(); ///< N m, > 0
    bool collide_connected = false; ///< whether the two bodies collide with each other
};

/// Refuses numbers that are not finite, negative where they must not be, and counts below one.
Result<void> check_settings(const WorldSettings& settings);

} // namespace fovea
