#include "fovea/scene/mesh_library.h"

#include <fmt/format.h>

#include "fovea/geometry/deforming_scenes.h"
#include "fovea/geometry/mass.h"
#include "fovea/geometry/procedural.h"

namespace fovea {

namespace {

/// The entry of `key`, made with `make` if there is none yet.
template <class Map, class Key, class Make>
auto find_or_make(Map& map, const Key& key, const Make& make) {
    const auto found = map.find(key);
    return found != map.end() ? found->second : map.emplace(key, make()).first->second;
}

} // namespace

Result<void> MeshLibrary::check_room(std::size_t triangles) const {
    if (triangles <= settings_.max_triangles - triangles_) return {};
    return failure(fmt::format("the meshes of a scene may have {} triangles together; there are "
                               "{} already, and this one has {}",
                               settings_.max_triangles, triangles_, triangles));
}

Result<MeshLibrary::Mesh> MeshLibrary::keep(Result<TriangleMesh> mesh) {
    if (!mesh) return tl::unexpected(mesh.error());
    if (auto room = check_room(mesh->triangles.size()); !room) return tl::unexpected(room.error());
    triangles_ += mesh->triangles.size();
    return std::make_shared<const TriangleMesh>(std::move(*mesh));
}

Result<MeshLibrary::Mesh> MeshLibrary::scaled(const Mesh& mesh, float scale) {
    if (scale == 1) return mesh;
    return find_or_make(scaled_, std::pair(mesh.get(), scale), [&]() -> Result<Mesh> {
        // Asked before copying: a refusal must be cheap.
        if (auto room = check_room(mesh->triangles.size()); !room)
            return tl::unexpected(room.error());
        TriangleMesh copy = *mesh;
        for (Vec3& vertex : copy.vertices) {
            vertex *= scale;
            if (!is_finite(vertex))
                return failure(fmt::format("scaled by {}, the mesh is too large", scale));
        }
        return keep(std::move(copy));
    });
}

Result<MeshLibrary::Mesh> MeshLibrary::procedural(std::string_view kind, int detail, float scale) {
    return find_or_make(sources_, fmt::format("kind {} {}", kind, detail),
                        [&] { return keep(make_procedural(kind, detail)); })
        .and_then([&](const Mesh& mesh) { return scaled(mesh, scale); });
}

Result<MeshLibrary::Mesh> MeshLibrary::file(std::string_view name, float scale) {
    if (!settings_.files) return failure("mesh files are not allowed here");
    const auto path = (settings_.directory / std::string(name)).lexically_normal();
    return find_or_make(sources_, "file " + path.string(),
                        [&] { return keep(import_mesh(path, settings_.limits)); })
        .and_then([&](const Mesh& mesh) { return scaled(mesh, scale); });
}

Result<MeshLibrary::Mesh> MeshLibrary::sheet(float width, int cells) {
    // Asked before it is made: a refusal must be cheap.
    if (auto room = check_room(2 * std::size_t(cells) * std::size_t(cells)); !room)
        return tl::unexpected(room.error());
    return keep(make_sheet(width, cells));
}

Result<MeshLibrary::Sequence> MeshLibrary::sequence(std::string_view name, float scale) {
    if (!settings_.files) return failure("mesh files are not allowed here");
    const auto path = (settings_.directory / std::string(name)).lexically_normal();
    const auto read = [&]() -> Result<Sequence> {
        auto made = import_mesh_sequence(path, settings_.limits);
        if (!made) return tl::unexpected(made.error());
        for (std::vector<Vec3>& frame : made->frames)
            for (Vec3& vertex : frame) {
                vertex *= scale;
                if (!(length(vertex) < k_length_limit))
                    return failure(fmt::format("scaled by {}, the mesh is too large", scale));
            }
        made->first.vertices = made->frames[0];
        // Frames count as meshes do.
        const std::size_t later = (made->frames.size() - 1) * made->first.triangles.size();
        if (auto room = check_room(later + made->first.triangles.size()); !room)
            return tl::unexpected(room.error());
        triangles_ += later;
        return keep(std::move(made->first)).map([&](const Mesh& mesh) {
            return Sequence{mesh, std::make_shared<const std::vector<std::vector<Vec3>>>(
                                      std::move(made->frames))};
        });
    };
    return find_or_make(sequences_, std::pair(path.string(), scale), read)
        .and_then([&](const Sequence& known) -> Result<Sequence> {
            // Every body makes a tree of its own from it.
            if (auto room = check_room(known.first->triangles.size()); !room)
                return tl::unexpected(room.error());
            triangles_ += known.first->triangles.size();
            return known;
        });
}

Result<MeshLibrary::HullData> MeshLibrary::hull(const Mesh& mesh) {
    return find_or_make(hulls_, mesh.get(), [&] {
        return make_convex_hull(mesh->vertices).map([](ConvexHull&& hull) {
            return std::make_shared<const ConvexHull>(std::move(hull));
        });
    });
}

Result<void> MeshLibrary::check_solid(const Mesh& mesh) {
    return find_or_make(solids_, mesh.get(), [&] {
        return mass_properties(SolidMesh{mesh}, 1).map([](const MassProperties&) {});
    });
}

} // namespace fovea
