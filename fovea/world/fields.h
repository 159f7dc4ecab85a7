// What of bodies, contacts, joints and settings is written to snapshots and recordings; see
// base/bytes.h. Any change here needs a new k_format_version.
#pragma once

#include "fovea/base/bytes.h"
#include "fovea/base/mat3.h"
#include "fovea/collide/deforming_surface.h"
#include "fovea/contact/shape_contacts.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/dynamics/joint.h"
#include "fovea/dynamics/springs.h"
#include "fovea/geometry/aabb.h"
#include "fovea/world/collision_filter.h"
#include "fovea/world/definitions.h"
#include "fovea/world/events.h"
#include "fovea/world/pair_history.h"
#include "fovea/world/step_cut.h"

namespace fovea {

constexpr std::uint32_t k_format_version = 7;

template <class Bytes>
void fields(Bytes& bytes, Aabb& box) {
    bytes(box.low, box.high);
}
template <class Bytes>
void fields(Bytes& bytes, ProxyPair& pair) {
    bytes(pair.a, pair.b);
}
template <class Bytes>
void fields(Bytes& bytes, BodyPair& pair) {
    bytes(pair.a, pair.b);
}
template <class Bytes>
void fields(Bytes& bytes, CollisionFilter& filter) {
    bytes(filter.categories, filter.mask, filter.group);
}
template <class Bytes>
void fields(Bytes& bytes, Material& m) {
    bytes(m.friction, m.elastic, m.rolling, m.surface_velocity);
    bytes.choice(m.friction_rule, k_combine_rules);
    bytes.choice(m.elastic_rule, k_combine_rules);
}
template <class Bytes>
void fields(Bytes& bytes, FreeMotion& m) {
    bytes(m.gravity_scale, m.linear_damping, m.angular_damping);
}
template <class Bytes>
void fields(Bytes& bytes, Bodies& b) {
    bytes(b.position, b.orientation, b.velocity, b.angular_velocity, b.force, b.torque,
          b.inverse_mass, b.inverse_inertia, b.material, b.motion, b.kinematic);
}
template <class Bytes>
void fields(Bytes& bytes, SurfaceState& s) {
    bytes(s.vertices, s.vertices_before, s.weights, s.weights_before, s.ladder_is_old);
}
template <class Bytes>
void fields(Bytes& bytes, Spring& s) {
    bytes(s.a, s.b, s.anchor_a, s.anchor_b, s.stiffness, s.damping, s.length);
}

// Contacts.

template <class Bytes>
void fields(Bytes& bytes, ManifoldPoint& p) {
    bytes(p.point, p.separation, p.feature);
}
/// The first `count` of four.
template <class Bytes, class Point>
void point_fields(Bytes& bytes, std::int32_t& count, std::array<Point, k_manifold_points>& points) {
    bytes(count);
    if constexpr (Bytes::k_reads)
        if (count < 0 || count > k_manifold_points) {
            count = 0;
            return bytes.fail();
        }
    for (int i = 0; i < count; ++i) bytes(points[std::size_t(i)]);
}
template <class Bytes>
void fields(Bytes& bytes, Manifold& m) {
    bytes(m.normal);
    point_fields(bytes, m.count, m.points);
}
template <class Bytes>
void fields(Bytes& bytes, PairCache& c) {
    bytes(c.vector, c.rotation, c.axis);
    bytes.choice(c.state, 3);
}
template <class Bytes>
void fields(Bytes& bytes, PartContact& c) {
    bytes(c.part_a, c.part_b, c.patch, c.manifold, c.cache);
}
template <class Bytes>
void fields(Bytes& bytes, ContactPatch::Point& p) {
    bytes(p.point, p.separation, p.impulse, p.feature);
}
template <class Bytes>
void fields(Bytes& bytes, ContactPatch& p) {
    bytes(p.a, p.b, p.normal);
    point_fields(bytes, p.count, p.points);
    bytes(p.friction, p.restitution, p.rolling, p.surface_velocity, p.friction_impulse,
          p.twist_impulse, p.support, p.rolling_impulse, p.lasting);
}

// Joints.

template <class Bytes>
void fields(Bytes& bytes, JointSpring& s) {
    bytes(s.hertz, s.damping_ratio);
}
template <class Bytes>
void fields(Bytes& bytes, JointMotor& m) {
    bytes(m.speed, m.strength);
}
template <class Bytes>
void fields(Bytes& bytes, JointDrive& d) {
    bytes(d.limits.lower, d.limits.upper, d.motor, d.spring, d.target);
}
template <class Bytes>
void fields(Bytes& bytes, BallJoint& j) {
    bytes(j.friction);
}
template <class Bytes>
void fields(Bytes& bytes, HingeJoint& j) {
    bytes(j.turn);
}
template <class Bytes>
void fields(Bytes& bytes, SliderJoint& j) {
    bytes(j.slide);
}
template <class Bytes>
void fields(Bytes& bytes, FixedJoint& j) {
    bytes(j.linear, j.angular);
}
template <class Bytes>
void fields(Bytes& bytes, DistanceJoint& j) {
    bytes(j.length);
}
template <class Bytes>
void fields(Bytes& bytes, ConeTwistJoint& j) {
    bytes(j.cone, j.twist, j.spring, j.friction);
}
template <class Bytes>
void fields(Bytes& bytes, WheelJoint& j) {
    bytes(j.suspension, j.steering, j.spin);
}
template <class Bytes>
void fields(Bytes& bytes, JointType& type) {
    std::uint32_t index = std::uint32_t(type.index());
    bytes.choice(index, std::variant_size_v<JointType>);
    if constexpr (Bytes::k_reads) {
        static constexpr JointType k_types[] = {BallJoint{},  HingeJoint{},    SliderJoint{},
                                                FixedJoint{}, DistanceJoint{}, ConeTwistJoint{},
                                                WheelJoint{}};
        static_assert(std::size(k_types) == std::variant_size_v<JointType>);
        type = k_types[index];
    }
    std::visit([&](auto& alternative) { bytes(alternative); }, type);
}
template <class Bytes>
void fields(Bytes& bytes, Joint& j) {
    bytes(j.a, j.b, j.anchor_a, j.anchor_b, j.frame_a, j.frame_b, j.type, j.break_force,
          j.break_torque, j.collide_connected, j.force, j.torque);
    for (Vec3& impulse : j.impulse) bytes(impulse);
}

// Settings and definitions.

template <class Bytes>
void fields(Bytes& bytes, SoftStepSettings& s) {
    bytes(s.sub_steps, s.contact_hertz, s.contact_damping, s.slop, s.recovery, s.max_push,
          s.restitution_threshold, s.restitution_passes, s.joints.hertz, s.joints.damping,
          s.joints.max_push);
}
template <class Bytes>
void fields(Bytes& bytes, ContactSettings& s) {
    bytes(s.margin, s.recycle.distance, s.recycle.angle, s.two_sided);
}
template <class Bytes>
void fields(Bytes& bytes, ImpulseSettings& s) {
    bytes(s.velocity_passes, s.velocity_visits, s.position_passes, s.still_speed);
    bytes.choice(s.order, 2);
    bytes.choice(s.rule, 2);
    bytes.choice(s.displacement, 2);
}
template <class Bytes>
void fields(Bytes& bytes, ScheduleSettings& s) {
    bytes.choice(s.policy, k_schedule_policies);
    bytes(s.inner_share, s.queues, s.seed, s.reserve_response, s.detection_share, s.drop_undecided,
          s.exact, s.random_spin, s.recursion_cap, s.tolerance, s.hysteresis);
}
template <class Bytes>
void fields(Bytes& bytes, CoarseContactSettings& s) {
    bytes.choice(s.descent, k_descent_policies);
    bytes.choice(s.reduction, k_reductions);
    bytes.choice(s.point, k_point_formulas);
    bytes.choice(s.nodes, k_node_placings);
}
template <class Bytes>
void fields(Bytes& bytes, PairRecord& r) {
    bytes(r.gap, r.along.axis, r.along.gap, r.held, r.patches, r.top, r.tested);
}
template <class Bytes>
void fields(Bytes& bytes, StepCut& c) {
    bytes(c.limited, c.grants, c.exact_units, c.batches, c.late, c.brief, c.searched, c.sweeps,
          c.plan.contacts, c.plan.sub_steps, c.plan.iterations, c.solved, c.priorities);
}
/// All but the number of threads, on which nothing depends.
template <class Bytes>
void fields(Bytes& bytes, WorldSettings& s) {
    bytes(s.gravity, s.gyroscopic, s.soft_step, s.contact, s.impulse, s.sleep.enabled,
          s.sleep.speed, s.sleep.seconds, s.schedule, s.coarse);
    bytes.choice(s.integrator, 2);
    bytes.choice(s.broad_phase, 4);
    bytes.choice(s.response, 2);
}
template <class Bytes>
void fields(Bytes& bytes, BodyDefinition& d) {
    bytes(d.shape, d.position, d.orientation, d.velocity, d.angular_velocity, d.mass, d.material,
          d.motion, d.filter, d.kinematic, d.sensor, d.fast);
}
template <class Bytes>
void fields(Bytes& bytes, SpringDefinition& d) {
    bytes(d.a, d.b, d.anchor_a, d.anchor_b, d.stiffness, d.damping, d.length);
}
template <class Bytes>
void fields(Bytes& bytes, JointDefinition& d) {
    bytes(d.a, d.b, d.frame_a, d.frame_b, d.type, d.break_force, d.break_torque,
          d.collide_connected);
}

} // namespace fovea
