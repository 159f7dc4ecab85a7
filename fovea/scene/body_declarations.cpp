#include "fovea/scene/body_declarations.h"

#include <iterator>
#include <numbers>

#include <fmt/format.h>

#include "fovea/scene/scene_builder.h"

namespace fovea {

namespace {

using enum Value::Kind;
using Need = Parameter::Need;

void append(std::vector<Parameter>& rows, std::vector<Parameter> more) {
    rows.insert(rows.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

std::optional<std::size_t> check_end(const Arguments& arguments, std::string_view end,
                                     SceneBuilder& builder) {
    const std::string_view name = arguments.text(end);
    const auto body = builder.body_named(name);
    if (!body && !name.empty())
        builder.fault(arguments.place(end),
                      fmt::format("'{}' is \"{}\"; no body has that name", end, readable(name)));
    return body;
}

} // namespace

DeclarationTable standard_declarations() {
    DeclarationTable table;
    add_source_declarations(table);
    add_solid_declarations(table);
    add_mesh_declaration(table);
    add_surface_declaration(table);
    add_setting_declarations(table);
    add_spring_declaration(table);
    add_joint_declaration(table);
    return table;
}

std::vector<Parameter> body_parameters(std::vector<Parameter> own) {
    append(own,
           {
               {.name = "elastic", .constraint = k_not_negative, .fallback = {1, 0, 0}},
               {.name = "colour", .kind = vector, .constraint = k_fraction, .fallback = {1, 1, 1}},
               {.name = "friction", .constraint = k_not_negative, .extension = true},
               {.name = "name", .kind = text, .constraint = k_not_empty, .extension = true},
           });
    return own;
}

std::vector<Parameter> mobile_parameters(std::vector<Parameter> own, bool angvel_extends) {
    append(own, {
                    {.name = "vel", .kind = vector},
                    {.name = "angvel", .kind = vector, .extension = angvel_extends},
                });
    return body_parameters(std::move(own));
}

SceneBody body_from(const Arguments& arguments, Shape shape) {
    SceneBody body;
    body.name = arguments.text("name");
    body.shape = std::move(shape);
    body.elastic = arguments.scalar("elastic");
    body.friction = arguments.scalar("friction");
    body.colour = arguments.vector("colour");
    return body;
}

SceneBody mobile_body_from(const Arguments& arguments, Shape shape) {
    SceneBody body = body_from(arguments, std::move(shape));
    body.mass = arguments.scalar("mass");
    body.placement.position = arguments.vector("centre");
    body.velocity = arguments.vector("vel");
    body.angular_velocity = arguments.vector("angvel");
    return body;
}

void check_name(const Arguments& arguments, SceneBuilder& builder) {
    if (const auto name = arguments.text("name"); builder.body_named(name))
        builder.fault(arguments.place("name"),
                      fmt::format("'name' is \"{}\"; another body has that name", readable(name)));
}

void check_ends(const Arguments& arguments, SceneBuilder& builder) {
    const auto a = check_end(arguments, "from", builder), b = check_end(arguments, "to", builder);
    if (!a || !b) return;
    const auto& bodies = builder.scene().bodies;
    if (a == b)
        builder.fault(arguments.place("to"),
                      fmt::format("'to' is \"{}\", as 'from' is", readable(arguments.text("to"))));
    else if (bodies[*a].mass == 0 && bodies[*b].mass == 0)
        builder.fault(arguments.place("to"), "both ends are immovable bodies");
}

Quat along_axis(const Vec3& axis) {
    const Vec3d up(0, 1, 0), direction = normalized_or(Vec3d(axis), up);
    if (direction.y > -0.9) return Quat(rotation_between(up, direction));
    // The shortest rotation is ill-defined near the opposite direction: half a turn about x first.
    return Quat(rotation_between(-up, direction) * Quatd(0, 1, 0, 0));
}

Quat turn_from(const Arguments& arguments) {
    const Vec3d axis = normalized_or(Vec3d(arguments.vector("axis")), Vec3d(0, 1, 0));
    const double radians = double(arguments.scalar("angle")) * std::numbers::pi / 180;
    return Quat(from_axis_angle(axis, radians));
}

} // namespace fovea
