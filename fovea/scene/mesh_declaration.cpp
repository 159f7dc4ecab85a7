// Bodies made of triangle meshes, by procedural name or from a file.
//
// Without a mass the body is immovable and collides by its triangles. With one it moves and
// collides as its convex hull, and is drawn as the mesh.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "fovea/geometry/procedural.h"
#include "fovea/scene/body_declarations.h"
#include "fovea/scene/scene_builder.h"

namespace fovea {

namespace {

using enum Value::Kind;

const Constraint k_detail{[](const Value& v) {
                              const float detail = v.numbers.x;
                              return detail >= 1 && detail <= 64 && detail == std::floor(detail);
                          },
                          "be a whole number from 1 to 64"};

void check_mesh_source(const Arguments& arguments, SceneBuilder& builder) {
    check_name(arguments, builder);
    if (arguments.has("kind") == arguments.has("file"))
        builder.fault("either 'kind' or 'file' must be given, and not both");
    if (arguments.has("file") && arguments.has("detail"))
        builder.fault(arguments.place("detail"),
                      fmt::format("'detail' is {}; only a mesh with a 'kind' has a detail",
                                  arguments.scalar("detail")));
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
    const auto mesh = from_file
                          ? builder.meshes().file(arguments.text("file"), scale)
                          : builder.meshes().procedural(arguments.text("kind"),
                                                        int(arguments.scalar("detail")), scale);
    const SourcePlace place = arguments.place(from_file ? "file" : "kind");
    if (!mesh) return builder.fault(place, mesh.error().message);
    SceneBody body = mobile_body_from(arguments, MeshSurface{*mesh});
    body.placement.orientation = turn_from(arguments);
    if (body.mass > 0) {
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
            {.name = "detail", .constraint = k_detail, .fallback = {1, 0, 0}},
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
