// Further solids: box, capsule, cone and hull. Without a mass they are immovable.
#include <fmt/format.h>

#include "fovea/geometry/convex_hull.h"
#include "fovea/scene/body_declarations.h"
#include "fovea/scene/scene_builder.h"

namespace fovea {

namespace {

using enum Value::Kind;
using enum Parameter::Need;

constexpr std::size_t k_least_points = 4;

Parameter mass_row() {
    return {.name = "mass", .constraint = k_not_negative};
}

Parameter centre_row(Parameter::Need need) {
    return {.name = "centre", .kind = vector, .need = need};
}

Parameter axis_row() {
    return {.name = "axis", .kind = vector, .constraint = k_not_zero, .fallback = {0, 1, 0}};
}

void build_box(const Arguments& arguments, SceneBuilder& builder) {
    SceneBody body = mobile_body_from(arguments, Box{arguments.vector("size") * 0.5f});
    body.placement.orientation = turn_from(arguments);
    builder.add_body(std::move(body));
}

void check_hull(const Arguments& arguments, SceneBuilder& builder) {
    check_name(arguments, builder);
    if (const auto count = arguments.vectors("point").size(); count < k_least_points)
        builder.fault(fmt::format("'point' is given {} times; a hull needs at least {}", count,
                                  k_least_points));
}

void build_hull(const Arguments& arguments, SceneBuilder& builder) {
    Result<ConvexHull> hull = make_convex_hull(arguments.vectors("point"));
    if (!hull) return builder.fault(arguments.place("point"), hull.error().message);
    SceneBody body =
        mobile_body_from(arguments, Hull{std::make_shared<const ConvexHull>(std::move(*hull))});
    body.placement.orientation = turn_from(arguments);
    builder.add_body(std::move(body));
}

} // namespace

void add_solid_declarations(DeclarationTable& table) {
    table["box"] = {
        .parameters = mobile_parameters({
            {.name = "size", .kind = vector, .need = required, .constraint = k_all_positive},
            centre_row(required),
            mass_row(),
            axis_row(),
            {.name = "angle"},
        }),
        .build = build_box,
        .check = check_name,
        .extension = true,
    };
    const Declaration round{
        .parameters = mobile_parameters({
            {.name = "radius", .need = required, .constraint = k_positive},
            {.name = "height", .need = required, .constraint = k_positive},
            centre_row(required),
            mass_row(),
            axis_row(),
        }),
        .build = {},
        .check = check_name,
        .extension = true,
    };
    table["capsule"] = round;
    table["capsule"].build = build_round<Capsule>;
    table["cone"] = round;
    table["cone"].build = build_round<Cone>;
    table["hull"] = {
        .parameters = mobile_parameters({
            {.name = "point", .kind = vector, .repeated = true},
            centre_row(optional),
            mass_row(),
            axis_row(),
            {.name = "angle"},
        }),
        .build = build_hull,
        .check = check_hull,
        .extension = true,
    };
}

} // namespace fovea
