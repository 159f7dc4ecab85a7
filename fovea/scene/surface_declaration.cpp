// Surfaces that deform by themselves: a sheet in waves, or the meshes of numbered files.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "fovea/scene/body_declarations.h"
#include "fovea/scene/scene_builder.h"

namespace fovea {

namespace {

using enum Value::Kind;
using End = SurfaceFrames::End;

const Constraint k_cells{[](const Value& v) {
                             const float count = v.numbers.x;
                             return count >= 1 && count <= 1000 && count == std::floor(count);
                         },
                         "be a whole number from 1 to 1000"};

constexpr std::array<std::string_view, 3> k_ends = {"stay", "repeat", "reverse"}; ///< as in End
const Constraint k_end{[](const Value& v) { return std::ranges::count(k_ends, v.text) > 0; },
                       "be stay, repeat or reverse"};

constexpr const char* k_of_files[] = {"scale", "rate", "end"};
constexpr const char* k_of_sheets[] = {"cells", "wave", "length", "period"};

void check_surface(const Arguments& arguments, SceneBuilder& builder) {
    check_name(arguments, builder);
    const bool from_files = arguments.has("file");
    if (from_files == arguments.has("width"))
        return builder.fault("either 'width' or 'file' must be given, and not both");
    const auto refuse = [&](const char* parameter, const char* whose) {
        if (arguments.has(parameter))
            builder.fault(
                arguments.place(parameter),
                fmt::format("'{}' is given; only a surface with a '{}' has one", parameter, whose));
    };
    for (const char* parameter : k_of_files)
        if (!from_files) refuse(parameter, "file");
    for (const char* parameter : k_of_sheets)
        if (from_files) refuse(parameter, "width");
}

void build_surface(const Arguments& arguments, SceneBuilder& builder) {
    SceneMotion motion{builder.scene().bodies.size(), {}};
    DeformingMesh shape;
    if (arguments.has("file")) {
        auto sequence =
            builder.meshes().sequence(arguments.text("file"), arguments.scalar("scale"));
        if (!sequence) return builder.fault(arguments.place("file"), sequence.error().message);
        shape.data = sequence->first;
        const auto end = std::ranges::find(k_ends, arguments.text("end")) - k_ends.begin();
        motion.how = SurfaceFrames{sequence->frames, arguments.scalar("rate"),
                                   arguments.has("end") ? End(end) : End::stay};
    } else {
        auto sheet =
            builder.meshes().sheet(arguments.scalar("width"), int(arguments.scalar("cells")));
        if (!sheet) return builder.fault(arguments.place("width"), sheet.error().message);
        shape.data = *sheet;
        motion.how = StandingWave{arguments.scalar("wave"), arguments.scalar("length"),
                                  arguments.scalar("period")};
    }
    SceneBody body = body_from(arguments, std::move(shape));
    body.placement.position = arguments.vector("centre");
    body.placement.orientation = turn_from(arguments);
    builder.add_body(std::move(body));
    // Unless the scene is full.
    if (builder.scene().bodies.size() > motion.body)
        builder.scene().motions.push_back(std::move(motion));
}

} // namespace

void add_surface_declaration(DeclarationTable& table) {
    table["surface"] = {
        .parameters = body_parameters({
            {.name = "width", .constraint = k_positive},
            {.name = "cells", .constraint = k_cells, .fallback = {32, 0, 0}},
            {.name = "wave", .constraint = k_not_negative, .fallback = {0.1f, 0, 0}},
            {.name = "length", .constraint = k_positive, .fallback = {3, 0, 0}},
            {.name = "period", .constraint = k_positive, .fallback = {2, 0, 0}},
            {.name = "file", .kind = text, .constraint = k_not_empty},
            {.name = "scale", .constraint = k_positive, .fallback = {1, 0, 0}},
            {.name = "rate", .constraint = k_positive, .fallback = {30, 0, 0}},
            {.name = "end", .kind = text, .constraint = k_end},
            {.name = "centre", .kind = vector},
            {.name = "axis", .kind = vector, .constraint = k_not_zero, .fallback = {0, 1, 0}},
            {.name = "angle"},
        }),
        .build = build_surface,
        .check = check_surface,
        .extension = true,
    };
}

} // namespace fovea
