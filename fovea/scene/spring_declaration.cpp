// Springs between two named bodies, which may be declared before or after the spring.
#include <cmath>

#include <fmt/format.h>

#include "fovea/scene/body_declarations.h"
#include "fovea/scene/scene_builder.h"

namespace fovea {

namespace {

using enum Value::Kind;
using enum Parameter::Need;

std::optional<std::size_t> check_end(const Arguments& arguments, std::string_view end,
                                     SceneBuilder& builder) {
    const std::string_view name = arguments.text(end);
    const auto body = builder.body_named(name);
    if (!body && !name.empty())
        builder.fault(arguments.place(end),
                      fmt::format("'{}' is \"{}\"; no body has that name", end, readable(name)));
    return body;
}

void check_spring(const Arguments& arguments, SceneBuilder& builder) {
    const auto a = check_end(arguments, "from", builder), b = check_end(arguments, "to", builder);
    if (!a || !b) return;
    const auto& bodies = builder.scene().bodies;
    if (a == b)
        builder.fault(arguments.place("to"),
                      fmt::format("'to' is \"{}\", as 'from' is", readable(arguments.text("to"))));
    else if (bodies[*a].mass == 0 && bodies[*b].mass == 0)
        builder.fault(arguments.place("to"), "both ends are immovable bodies");
}

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
        .check = check_spring,
        .refers = true,
        .extension = true,
    };
}

} // namespace fovea
