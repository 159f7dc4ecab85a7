// Surfaces that deform by themselves: a sheet in waves, the meshes of numbered files, or a mesh
// that morphs between those.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "fovea/scene/body_declarations.h"
#include "fovea/scene/scene_builder.h"
#include "fovea/volume/morph_shapes.h"

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

constexpr const char* k_of_files[] = {"scale", "rate", "end", "weights"};
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

/// Rows of numbers: "1 0 0; 0 0.5 0.5". Each must be weights of `references` shapes.
Result<std::vector<std::vector<float>>> rows_of(std::string_view text, std::size_t references) {
    std::vector<std::vector<float>> rows(1);
    for (const char *at = text.data(), *end = at + text.size(); at != end;) {
        if (*at == ';') rows.emplace_back();
        if (*at == ';' || *at == ' ' || *at == ',') {
            ++at;
            continue;
        }
        float number = 0;
        const auto [after, error] = std::from_chars(at, end, number);
        if (error != std::errc())
            return failure(fmt::format("'{}' is not a number", std::string(at, end)));
        rows.back().push_back(number);
        at = after;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double sum = 0;
        bool inside = true;
        for (const float weight : rows[i])
            sum += double(weight), inside = inside && weight >= 0 && weight <= 1;
        if (rows[i].size() != references)
            return failure(fmt::format("row {} has {} weights, but there are {} meshes", i + 1,
                                       rows[i].size(), references));
        if (!inside || !(std::abs(sum - 1) <= double(k_weight_sum_tolerance)))
            return failure(
                fmt::format("the weights of row {} must lie between 0 and 1 and sum to 1", i + 1));
    }
    return rows;
}

void build_surface(const Arguments& arguments, SceneBuilder& builder) {
    SceneMotion motion{builder.scene().bodies.size(), {}};
    DeformingMesh shape;
    if (arguments.has("file")) {
        auto sequence =
            builder.meshes().sequence(arguments.text("file"), arguments.scalar("scale"));
        if (!sequence) return builder.fault(arguments.place("file"), sequence.error().message);
        shape.data = sequence->first;
        const auto found = std::ranges::find(k_ends, arguments.text("end")) - k_ends.begin();
        const End end = arguments.has("end") ? End(found) : End::stay;
        const float rate = arguments.scalar("rate");
        if (arguments.has("weights")) {
            auto rows = rows_of(arguments.text("weights"), sequence->frames->size());
            if (!rows) return builder.fault(arguments.place("weights"), rows.error().message);
            auto targets = std::make_shared<MorphTargets>();
            targets->vertices.assign(sequence->frames->begin() + 1, sequence->frames->end());
            if (targets->vertices.empty())
                return builder.fault(arguments.place("weights"),
                                     "one mesh alone has nothing to morph to");
            shape.targets = std::move(targets);
            motion.how = MorphWeights{std::move(*rows), rate, end};
        } else {
            motion.how = SurfaceFrames{sequence->frames, rate, end};
        }
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
            {.name = "weights", .kind = text, .constraint = k_not_empty},
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
