// Joints between two named bodies, which may be declared before or after the joint.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "fovea/scene/body_declarations.h"
#include "fovea/scene/scene_builder.h"

namespace fovea {

namespace {

using enum Value::Kind;
using enum Parameter::Need;

/// Which optional parameters a type of joint has, beside those of all.
struct TypeRow {
    std::string_view name;
    bool angular; ///< whether lower, upper and target are angles
    std::initializer_list<std::string_view> parameters;
};

const std::array<TypeRow, 7> k_types{{
    {"ball", true, {"friction"}},
    {"hinge", true, {"axis", "lower", "upper", "speed", "strength", "hertz", "damping", "target"}},
    {"slider",
     false,
     {"axis", "lower", "upper", "speed", "strength", "hertz", "damping", "target"}},
    {"fixed", true, {"hertz", "damping"}},
    {"distance",
     false,
     {"toAt", "lower", "upper", "speed", "strength", "hertz", "damping", "target"}},
    {"conetwist", true, {"axis", "cone", "lower", "upper", "hertz", "damping", "friction"}},
    {"wheel",
     false,
     {"axis", "spin", "lower", "upper", "hertz", "damping", "target", "speed", "strength",
      "steer"}},
}};

/// Parameters that only some types have.
constexpr std::string_view k_particular[] = {"axis",     "spin",     "toAt",  "lower",   "upper",
                                             "speed",    "strength", "hertz", "damping", "target",
                                             "friction", "cone",     "steer"};

const TypeRow* type_named(std::string_view name) {
    for (const TypeRow& row : k_types)
        if (row.name == name) return &row;
    return nullptr;
}

bool is_type(const Value& value) {
    return type_named(value.text) != nullptr;
}

const Constraint k_joint_type{is_type,
                              "be ball, hinge, slider, fixed, distance, conetwist or wheel"};
const Constraint k_cone{[](const Value& v) { return v.numbers.x > 0 && v.numbers.x <= 180; },
                        "be greater than 0 and at most 180"};
const Constraint k_flag{[](const Value& v) { return v.numbers.x == 0 || v.numbers.x == 1; },
                        "be 0 or 1"};
const Constraint k_half_turn{[](const Value& v) { return std::abs(v.numbers.x) <= 180; },
                             "be between -180 and 180"};

float radians(float degrees) {
    return float(double(degrees) * std::numbers::pi / 180);
}

void check_joint(const Arguments& arguments, SceneBuilder& builder) {
    check_ends(arguments, builder);
    const TypeRow* type = type_named(arguments.text("type"));
    if (!type) return;
    for (const std::string_view name : k_particular) {
        if (!arguments.has(name)) continue;
        if (std::find(type->parameters.begin(), type->parameters.end(), name) ==
            type->parameters.end())
            builder.fault(arguments.place(name),
                          fmt::format("a {} joint has no '{}'", type->name, name));
        else if (type->angular && (name == "lower" || name == "upper") &&
                 std::abs(arguments.scalar(name)) > 180)
            builder.fault(arguments.place(name),
                          fmt::format("'{}' is {}; it must be between -180 and 180", name,
                                      arguments.scalar(name)));
    }
    if (arguments.has("lower") && arguments.has("upper") &&
        arguments.scalar("lower") > arguments.scalar("upper"))
        builder.fault(arguments.place("lower"),
                      fmt::format("'lower' is {}; it must not exceed 'upper', {}",
                                  arguments.scalar("lower"), arguments.scalar("upper")));
}

JointSpring spring_from(const Arguments& arguments) {
    return {arguments.scalar("hertz"), arguments.scalar("damping")};
}

JointDrive drive_from(const Arguments& arguments, bool angular) {
    const auto measure = [&](std::string_view name) {
        return angular ? radians(arguments.scalar(name)) : arguments.scalar(name);
    };
    JointDrive drive;
    if (arguments.has("lower")) drive.limits.lower = measure("lower");
    if (arguments.has("upper")) drive.limits.upper = measure("upper");
    drive.spring = spring_from(arguments);
    drive.target = measure("target");
    return drive;
}

JointMotor motor_from(const Arguments& arguments) {
    return {arguments.scalar("speed"), arguments.scalar("strength")};
}

/// Between its anchors as declared, unless the text says more.
DistanceJoint distance_from(const Arguments& arguments, const Vec3& from, const Vec3& to) {
    DistanceJoint joint{drive_from(arguments, false)};
    joint.length.motor = motor_from(arguments);
    const auto apart = float(length(Vec3d(to) - Vec3d(from)));
    const bool free = arguments.has("lower") || arguments.has("upper") || arguments.has("hertz");
    if (!free) joint.length.limits = {apart, apart};
    if (!arguments.has("target")) joint.length.target = apart;
    return joint;
}

JointType type_from(const Arguments& arguments, const SceneJoint& joint) {
    const std::string_view name = arguments.text("type");
    const float friction = arguments.scalar("friction");
    if (name == "ball") return BallJoint{friction};
    if (name == "fixed") return FixedJoint{spring_from(arguments), spring_from(arguments)};
    if (name == "distance") return distance_from(arguments, joint.at, joint.to_at);
    JointDrive drive = drive_from(arguments, type_named(name)->angular);
    if (name == "conetwist") {
        const JointSpring spring = std::exchange(drive.spring, {});
        return ConeTwistJoint{radians(arguments.scalar("cone")), drive, spring, friction};
    }
    if (name == "wheel") {
        const float steer = radians(arguments.scalar("steer"));
        return WheelJoint{drive, {.limits = {steer, steer}}, motor_from(arguments)};
    }
    drive.motor = motor_from(arguments);
    if (name == "hinge") return HingeJoint{drive};
    return SliderJoint{drive};
}

void build_joint(const Arguments& arguments, SceneBuilder& builder) {
    SceneJoint joint;
    joint.a = *builder.body_named(arguments.text("from"));
    joint.b = *builder.body_named(arguments.text("to"));
    joint.at = joint.to_at = arguments.vector("at");
    if (arguments.text("type") == "distance")
        joint.to_at = arguments.has("toAt") ? arguments.vector("toAt")
                                            : builder.scene().bodies[joint.b].placement.position;
    joint.axis = arguments.vector("axis");
    joint.second_axis = arguments.vector("spin");
    joint.type = type_from(arguments, joint);
    if (arguments.has("breakForce")) joint.break_force = arguments.scalar("breakForce");
    if (arguments.has("breakTorque")) joint.break_torque = arguments.scalar("breakTorque");
    joint.collide_connected = arguments.scalar("collide") == 1;
    if (auto sound = check_joint_type(joint.type); !sound)
        return builder.fault(sound.error().message);
    builder.scene().joints.push_back(joint);
}

} // namespace

void add_joint_declaration(DeclarationTable& table) {
    table["joint"] = {
        .parameters =
            {
                {.name = "type", .kind = text, .need = required, .constraint = k_joint_type},
                {.name = "from", .kind = text, .need = required, .constraint = k_not_empty},
                {.name = "to", .kind = text, .need = required, .constraint = k_not_empty},
                {.name = "at", .kind = vector, .need = required},
                {.name = "toAt", .kind = vector},
                {.name = "axis", .kind = vector, .constraint = k_not_zero, .fallback = {0, 1, 0}},
                {.name = "spin", .kind = vector, .constraint = k_not_zero, .fallback = {0, 0, 1}},
                {.name = "lower"},
                {.name = "upper"},
                {.name = "cone", .constraint = k_cone, .fallback = {45, 0, 0}},
                {.name = "speed"},
                {.name = "strength", .constraint = k_not_negative},
                {.name = "hertz", .constraint = k_not_negative},
                {.name = "damping", .constraint = k_not_negative, .fallback = {1, 0, 0}},
                {.name = "target"},
                {.name = "steer", .constraint = k_half_turn},
                {.name = "friction", .constraint = k_not_negative},
                {.name = "breakForce", .constraint = k_positive},
                {.name = "breakTorque", .constraint = k_positive},
                {.name = "collide", .constraint = k_flag},
            },
        .build = build_joint,
        .check = check_joint,
        .refers = true,
        .extension = true,
    };
}

} // namespace fovea
