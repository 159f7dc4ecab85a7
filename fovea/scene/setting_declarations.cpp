// What surrounds the bodies: gravity, camera and lights.
#include <numbers>

#include <fmt/format.h>

#include "fovea/scene/body_declarations.h"
#include "fovea/scene/scene_builder.h"

namespace fovea {

namespace {

using enum Value::Kind;
using enum Parameter::Need;

constexpr std::size_t k_most_lights = 64;

const Constraint k_view_angle{[](const Value& v) { return v.numbers.x > 0 && v.numbers.x < 180; },
                              "be greater than 0 and less than 180"};

void build_camera(const Arguments& arguments, SceneBuilder& builder) {
    SceneCamera camera;
    camera.position = arguments.vector("position");
    camera.target = arguments.vector("target");
    camera.field_of_view = float(double(arguments.scalar("fov")) * std::numbers::pi / 180);
    if (camera.position == camera.target)
        return builder.fault(arguments.place("target"), "'target' is where the camera is");
    builder.scene().camera = camera;
}

void build_light(const Arguments& arguments, SceneBuilder& builder) {
    auto& lights = builder.scene().lights;
    if (lights.size() >= k_most_lights)
        return builder.fault(fmt::format("the scene has {} lights already", k_most_lights));
    lights.push_back({arguments.vector("position"), arguments.vector("colour")});
}

} // namespace

void add_setting_declarations(DeclarationTable& table) {
    table["gravity"] = {
        .parameters = {{.name = "accel", .kind = vector, .need = required}},
        .build = [](const Arguments& arguments,
                    SceneBuilder& builder) { builder.scene().gravity = arguments.vector("accel"); },
        .once = true,
        .extension = true,
    };
    table["camera"] = {
        .parameters = {{.name = "position", .kind = vector, .need = required},
                       {.name = "target", .kind = vector, .need = required},
                       {.name = "fov", .constraint = k_view_angle, .fallback = {45, 0, 0}}},
        .build = build_camera,
        .once = true,
        .extension = true,
    };
    table["light"] = {
        .parameters =
            {{.name = "position", .kind = vector, .need = required},
             {.name = "colour", .kind = vector, .constraint = k_fraction, .fallback = {1, 1, 1}}},
        .build = build_light,
        .extension = true,
    };
}

} // namespace fovea
