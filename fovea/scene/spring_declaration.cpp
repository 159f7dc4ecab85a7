// Springs between two named bodies, which may be declared before or after the spring.
#include <cmath>

#include <fmt/format.h>

#include "fovea/scene/body_declarations.h"
#include "fovea/scene/scene_builder.h"

namespace fovea {

namespace {

using enum Value::Kind;
using enum Parameter::Need;

void build_spring(const Arguments& arguments, SceneBuilder& builder) {
    const auto& bodies = builder.scene().bodies;
    SceneSpring spring{};
    spring.a = *builder.body_named(arguments.text("from"));
    spring.b = *builder.body_named(arguments.text("to"));
    spring.anchor_a = arguments.vector("fromAnchor");
    spring.anchor_b = arguments.vector("toAnchor");
    spring.stiffness = arguments.scalar("stiffness");
    spring.damping = arguments.scalar("damping");
    const Transformd a(bodies[spring.a].placement), b(bodies[spring.b].placement);
    const double apart = length(b * Vec3d(spring.anchor_b) - a * Vec3d(spring.anchor_a));
    spring.length = arguments.has("length") ? arguments.scalar("length") : float(apart);
    if (!std::isfinite(spring.length))
        return builder.fault(fmt::format("the ends are {} m apart, which is too far", apart));
    builder.scene().springs.push_back(spring);
}

} // namespace

void add_spring_declaration(DeclarationTable& table) {
    table["spring"] = {
        .parameters =
            {
                {.name = "from", .kind = text, .need = required, .constraint = k_not_empty},
                {.name = "to", .kind = text, .need = required, .constraint = k_not_empty},
                {.name = "stiffness", .need = required, .constraint = k_positive},
                {.name = "damping", .constraint = k_not_negative},
                {.name = "length", .constraint = k_not_negative},
                {.name = "fromAnchor", .kind = vector},
                {.name = "toAnchor", .kind = vector},
            },
        .build = build_spring,
        .check = check_ends,
        .refers = true,
        .extension = true,
    };
}

} // namespace fovea
