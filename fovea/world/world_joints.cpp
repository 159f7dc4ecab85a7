// Adding, changing and removing joints, with every number checked.
#include <cmath>
#include <string>

#include "fovea/geometry/number_text.h"
#include "fovea/world/checks.h"
#include "fovea/world/fields.h"
#include "fovea/world/world.h"

namespace fovea {

namespace {

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
    const Result<void> valid =
        first_failure(check_finite("the joint's first anchor", d.frame_a.position),
                      check_orientation(d.frame_a.orientation, "of the joint's first frame"),
                      check_finite("the joint's second anchor", d.frame_b.position),
                      check_orientation(d.frame_b.orientation, "of the joint's second frame"),
                      check_joint_type(d.type), check_strength("breaking force", d.break_force),
                      check_strength("breaking torque", d.break_torque));
    if (!valid) return tl::unexpected(valid.error());
    for (const BodyId end : {d.a, d.b}) islands_.wake(end.slot);
    const JointId id = joints_.add({.a = d.a.slot,
                                    .b = d.b.slot,
                                    .anchor_a = d.frame_a.position - body_centre_[d.a.slot],
                                    .anchor_b = d.frame_b.position - body_centre_[d.b.slot],
                                    .frame_a = normalized(d.frame_a.orientation),
                                    .frame_b = normalized(d.frame_b.orientation),
                                    .type = d.type,
                                    .break_force = d.break_force,
                                    .break_torque = d.break_torque,
                                    .collide_connected = d.collide_connected});
    recorder_.note(RecordedCall::add_joint, d, id);
    return id;
}

Result<void> World::remove_joint(JointId joint) {
    if (!joints_.contains(joint)) return unknown("joint");
    wake_ends(joints_.at(joint));
    history_.forget(joints_.at(joint).a);
    history_.forget(joints_.at(joint).b);
    joints_.remove(joint);
    recorder_.note(RecordedCall::remove_joint, joint);
    return {};
}

void World::wake_ends(const Joint& joint) {
    for (const std::uint32_t end : {joint.a, joint.b}) islands_.wake(end);
}

Result<void> World::set_joint(JointId joint, const JointType& type) {
    if (!joints_.contains(joint)) return unknown("joint");
    if (Result<void> sound = check_joint_type(type); !sound) return sound;
    Joint& changed = joints_.at(joint);
    if (changed.type.index() != type.index())
        return failure(std::string("a ") + name_of(changed.type) + " joint cannot become a " +
                       name_of(type) + " joint");
    changed.type = type;
    wake_ends(changed);
    recorder_.note(RecordedCall::set_joint, joint, type);
    return {};
}

} // namespace fovea
