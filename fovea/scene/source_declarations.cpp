// The declarations of the original language: sphere, cylinder and wall (Stokes 2.3).
#include "fovea/scene/body_declarations.h"
#include "fovea/scene/scene_builder.h"

namespace fovea {

namespace {

using enum Value::Kind;
using enum Parameter::Need;

void build_sphere(const Arguments& arguments, SceneBuilder& builder) {
    builder.add_body(mobile_body_from(arguments, Sphere{arguments.scalar("radius")}));
}

void build_wall(const Arguments& arguments, SceneBuilder& builder) {
    // Double precision on the way: normals such as 3,4,0 come out with the nearest floats.
    const Vec3d normal = normalized_or(Vec3d(arguments.vector("normal")), Vec3d(0, 1, 0));
    builder.add_body(body_from(arguments, HalfSpace{Vec3(normal), arguments.scalar("toOrig")}));
}

} // namespace

void add_source_declarations(DeclarationTable& table) {
    table["sphere"] = {
        .parameters = mobile_parameters({
            {.name = "radius", .need = required, .constraint = k_positive},
            {.name = "mass", .need = required, .constraint = k_positive},
            {.name = "centre", .kind = vector, .need = required},
        }),
        .build = build_sphere,
        .check = check_name,
    };
    table["cylinder"] = {
        .parameters = mobile_parameters(
            {
                {.name = "radius", .need = required, .constraint = k_positive},
                {.name = "height", .need = required, .constraint = k_positive},
                {.name = "mass", .need = required, .constraint = k_positive},
                {.name = "centre", .kind = vector, .need = required},
                {.name = "axis", .kind = vector, .need = required, .constraint = k_not_zero},
            },
            /*angvel_extends=*/false),
        .build = build_round<Cylinder>,
        .check = check_name,
    };
    table["wall"] = {
        .parameters = body_parameters({
            {.name = "normal", .kind = vector, .need = required, .constraint = k_not_zero},
            {.name = "toOrig", .need = required},
        }),
        .build = build_wall,
        .check = check_name,
    };
}

} // namespace fovea
