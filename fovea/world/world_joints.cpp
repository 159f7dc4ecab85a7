// Adding, changing and removing joints, with every number checked.
#include <cmath>
#include <string>

#include "fovea/geometry/number_text.h"
#include "fovea/world/world.h"

namespace fovea {

namespace {

tl::unexpected<Error> unknown(const char* what) {
    return failure(std::string("there is no such ") + what + ": it was removed, or never added");
}

Result<void> check_frame(const char* which, const Transform& frame) {
    const Vec3 a = abs(frame.position);
    if (!(a.x < k_motion_limit && a.y < k_motion_limit && a.z < k_motion_limit))
        return failure(std::string("the joint's ") + which +
                       " anchor must be finite and below 2^50, but is " +
                       vector_text(frame.position));
    if (!is_finite(frame.orientation) || !(norm_squared(frame.orientation) > 1e-12f))
        return failure(std::string("the joint's ") + which +
                       " frame must have a finite orientation that is not zero");
    return {};
}

Result<void> check_strength(const char* what, float value) {
    if (value > 0) return {};
    return failure(std::string("the joint's ") + what + " must be greater than 0, but is " +
                   number_text(double(value)));
}

/// The rotation that takes x to `axis` and z as close to `second` as it can.
Quat frame_along(const Vec3& axis, const Vec3& second) {
    const Vec3d x = normalized_or(Vec3d(axis), Vec3d(1, 0, 0));
    Vec3d z = Vec3d(second) - x * dot(Vec3d(second), x);
    z = length_squared(z) > 1e-12 * length_squared(Vec3d(second)) ? normalized(z)
                                                                  : perpendicular(x);
    const Quatd swing = rotation_between(Vec3d(1, 0, 0), x);
    const Quatd twist = rotation_between(rotate(swing, Vec3d(0, 0, 1)), z);
    // Opposite z axes leave the turn between them open: half a turn about x is the one.
    if (dot(rotate(twist * swing, Vec3d(1, 0, 0)), x) < 0.5) return Quat(Quatd(0, x) * swing);
    return Quat(normalized(twist * swing));
}

} // namespace

JointDefinition World::joint_at(BodyId a, BodyId b, const Vec3& anchor, const Vec3& axis,
                                const JointType& type, const Vec3& second) const {
    JointDefinition definition{.a = a, .b = b, .type = type};
    if (!contains(a) || !contains(b)) return definition;
    const Transform frame(anchor, frame_along(axis, second));
    definition.frame_a = relative(transform(a), frame);
    definition.frame_b = relative(transform(b), frame);
    return definition;
}

Result<JointId> World::add_joint(const JointDefinition& d) {
    if (settings_.response != Response::soft_step)
        return failure("joints need the soft_step response");
    if (!contains(d.a) || !contains(d.b)) return unknown("body");
    if (d.a == d.b) return failure("a joint must connect two different bodies");
    if (!bodies_.movable(d.a.slot) && !bodies_.movable(d.b.slot))
        return failure("a joint must have a body that can move; both are immovable");
    for (const Result<void>& check :
         {check_frame("first", d.frame_a), check_frame("second", d.frame_b),
          check_joint_type(d.type), check_strength("breaking force", d.break_force),
          check_strength("breaking torque", d.break_torque)})
        if (!check) return tl::unexpected(check.error());
    return joints_.add({.a = d.a.slot,
                        .b = d.b.slot,
                        .anchor_a = d.frame_a.position - body_centre_[d.a.slot],
                        .anchor_b = d.frame_b.position - body_centre_[d.b.slot],
                        .frame_a = normalized(d.frame_a.orientation),
                        .frame_b = normalized(d.frame_b.orientation),
                        .type = d.type,
                        .break_force = d.break_force,
                        .break_torque = d.break_torque,
                        .collide_connected = d.collide_connected});
}

Result<void> World::remove_joint(JointId joint) {
    if (!joints_.contains(joint)) return unknown("joint");
    joints_.remove(joint);
    return {};
}

Result<void> World::set_joint(JointId joint, const JointType& type) {
    if (!joints_.contains(joint)) return unknown("joint");
    if (Result<void> sound = check_joint_type(type); !sound) return sound;
    Joint& changed = joints_.at(joint);
    if (changed.type.index() != type.index())
        return failure(std::string("a ") + name_of(changed.type) + " joint cannot become a " +
                       name_of(type) + " joint");
    changed.type = type;
    return {};
}

} // namespace fovea
