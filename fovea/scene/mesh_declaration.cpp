// Bodies made of triangle meshes, by procedural name or from a file.
//
// Without a mass the body is immovable and collides by its triangles. With one it moves, and
// collides by the sphere tree around its triangles; or, if it is to, as its convex hull, drawn as
// the mesh.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "fovea/geometry/procedural.h"
#include "fovea/scene/body_declarations.h"
#include "fovea/scene/scene_builder.h"
#include "fovea/volume/sphere_tree_settings.h"

namespace fovea {

namespace {

using enum Value::Kind;

const Constraint k_triangles{[](const Value& v) {
                                 const float count = v.numbers.x;
                                 return count >= 1 && count <= 1'000'000 &&
                                        count == std::floor(count);
                             },
                             "be a whole number from 1 to 1000000"};
const Constraint k_whole{[](const Value& v) {
                             const float count = v.numbers.x;
                             return count >= 1 && count <= 64 && count == std::floor(count);
                         },
                         "be a whole number from 1 to 64"};
const Constraint k_body{[](const Value& v) { return v.text == "mesh" || v.text == "hull"; },
                        "be mesh or hull"};

constexpr const char* k_tree_parameters[] = {"levels", "branch", "method"};

int detail_of(const Arguments& arguments) {
    return arguments.has("triangles") ? procedural_detail(int(arguments.scalar("triangles")))
                                      : int(arguments.scalar("detail"));
}

SphereRecipe recipe_of(const Arguments& arguments) {
    SphereRecipe recipe;
    if (arguments.has("levels")) recipe.levels = std::int32_t(arguments.scalar("levels"));
    if (arguments.has("branch")) recipe.branching = std::int32_t(arguments.scalar("branch"));
    if (arguments.has("method"))
        recipe.method = sphere_method(arguments.text("method")).value_or(recipe.method);
    return recipe;
}

/// What is said of the sphere tree must make sense, and be said of a body that has one.
void check_tree(const Arguments& arguments, SceneBuilder& builder) {
    const auto given = std::ranges::find_if(
        k_tree_parameters, [&](const char* parameter) { return arguments.has(parameter); });
    if (given == std::end(k_tree_parameters) || !builder.faultless()) return;
    if (!(arguments.scalar("mass") > 0) || arguments.text("as") == "hull")
        return builder.fault(
            arguments.place(*given),
            fmt::format("'{}' is given; only a mesh that has a mass, and is not 'as hull', has a "
                        "sphere tree",
                        *given));
    if (arguments.has("method"))
        if (const auto method = sphere_method(arguments.text("method")); !method)
            return builder.fault(arguments.place("method"),
                                 fmt::format("'method' is \"{}\"; there are {}",
                                             readable(arguments.text("method")),
                                             fmt::join(sphere_method_names(), ", ")));
    if (const auto fine = check_recipe(recipe_of(arguments)); !fine)
        builder.fault(arguments.place(*given), fine.error().message);
}

void check_mesh_source(const Arguments& arguments, SceneBuilder& builder) {
    check_name(arguments, builder);
    check_tree(arguments, builder);
    if (arguments.has("kind") == arguments.has("file"))
        builder.fault("either 'kind' or 'file' must be given, and not both");
    for (const char* size : {"detail", "triangles"})
        if (arguments.has("file") && arguments.has(size))
            builder.fault(
                arguments.place(size),
                fmt::format(
                    "'{}' is {}; only a mesh with a 'kind' has {}", size, arguments.scalar(size),
                    size == std::string_view("detail") ? "a detail" : "as many as it is told"));
    if (arguments.has("detail") && arguments.has("triangles"))
        builder.fault(arguments.place("triangles"),
                      "both 'detail' and 'triangles' are given; each says how fine the mesh is");
    if (const auto kind = arguments.text("kind"); !kind.empty()) {
        const auto known = procedural_names();
        if (std::find(known.begin(), known.end(), kind) == known.end())
            builder.fault(arguments.place("kind"),
                          fmt::format("'kind' is \"{}\"; there are {}", readable(kind),
                                      fmt::join(known, ", ")));
    }
}

void build_mesh(const Arguments& arguments, SceneBuilder& builder) {
    const bool from_file = arguments.has("file");
    const float scale = arguments.scalar("scale");
    const auto mesh = from_file ? builder.meshes().file(arguments.text("file"), scale)
                                : builder.meshes().procedural(arguments.text("kind"),
                                                              detail_of(arguments), scale);
    const SourcePlace place = arguments.place(from_file ? "file" : "kind");
    if (!mesh) return builder.fault(place, mesh.error().message);
    SceneBody body = mobile_body_from(arguments, MeshSurface{*mesh});
    body.placement.orientation = turn_from(arguments);
    if (body.mass > 0 && arguments.text("as") != "hull") {
        const SolidMesh solid{*mesh, recipe_of(arguments)};
        if (const auto sound = builder.meshes().check_solid(*mesh); !sound)
            return builder.fault(place, sound.error().message +
                                            "; 'as hull' moves its convex hull instead");
        body.shape = solid;
    } else if (body.mass > 0) {
        const auto hull = builder.meshes().hull(*mesh);
        if (!hull) return builder.fault(place, hull.error().message);
        body.shape = Hull{*hull};
        body.appearance = *mesh;
    }
    builder.add_body(std::move(body));
}

} // namespace

void add_mesh_declaration(DeclarationTable& table) {
    table["mesh"] = {
        .parameters = mobile_parameters({
            {.name = "kind", .kind = text, .constraint = k_not_empty},
            {.name = "file", .kind = text, .constraint = k_not_empty},
            {.name = "scale", .constraint = k_positive, .fallback = {1, 0, 0}},
            {.name = "detail", .constraint = k_whole, .fallback = {1, 0, 0}},
            {.name = "triangles", .constraint = k_triangles},
            {.name = "as", .kind = text, .constraint = k_body},
            {.name = "levels", .constraint = k_whole},
            {.name = "branch", .constraint = k_whole},
            {.name = "method", .kind = text, .constraint = k_not_empty},
            {.name = "centre", .kind = vector},
            {.name = "mass", .constraint = k_not_negative},
            {.name = "axis", .kind = vector, .constraint = k_not_zero, .fallback = {0, 1, 0}},
            {.name = "angle"},
        }),
        .build = build_mesh,
        .check = check_mesh_source,
        .extension = true,
    };
}

} // namespace fovea
