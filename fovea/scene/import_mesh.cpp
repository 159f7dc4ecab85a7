#include "fovea/scene/import_mesh.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <assimp/BaseImporter.h>
#include <assimp/Importer.hpp>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include "fovea/scene/bounded_files.h"
#include "fovea/scene/gltf_check.h"
#include "fovea/scene/mesh_readers.h"
#include "fovea/scene/weld.h"

namespace fovea {

namespace {

/// Format by file name ending, and its reader; none means assimp's.
struct Format {
    std::string_view extension;
    Result<TriangleMesh> (*read)(std::string_view);
};

constexpr Format k_formats[] = {
    {"obj", read_obj}, {"stl", read_stl}, {"ply", read_ply}, {"gltf", nullptr}, {"glb", nullptr},
};

/// The one importer of assimp that is used. It would otherwise guess among fifty.
constexpr std::string_view k_importer = "glTF2 Importer";

const Format* find_format(std::string_view extension) {
    const auto found =
        std::find_if(std::begin(k_formats), std::end(k_formats),
                     [&](const Format& format) { return format.extension == extension; });
    return found == std::end(k_formats) ? nullptr : found;
}

void drop_other_importers(Assimp::Importer& importer) {
    for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
        if (importer.GetImporterInfo(i)->mName == k_importer) continue;
        // Unregistering gives up ownership.
        const std::unique_ptr<Assimp::BaseImporter> loader(importer.GetImporter(i));
        importer.UnregisterLoader(loader.get());
    }
}

Result<TriangleMesh> joined(const aiScene& scene, const MeshLimits& limits) {
    TriangleMesh mesh;
    for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
        const aiMesh& part = *scene.mMeshes[m];
        const auto base = mesh.vertices.size();
        if (part.mNumFaces > limits.max_triangles - mesh.triangles.size())
            return failure(fmt::format("has more than {} triangles", limits.max_triangles));
        if (part.mNumVertices > 3 * limits.max_triangles - base)
            return failure(fmt::format("has more than {} vertices", 3 * limits.max_triangles));
        for (unsigned i = 0; i < part.mNumVertices; ++i)
            mesh.vertices.emplace_back(part.mVertices[i].x, part.mVertices[i].y,
                                       part.mVertices[i].z);
        for (unsigned i = 0; i < part.mNumFaces; ++i) {
            const aiFace& face = part.mFaces[i];
            if (face.mNumIndices != 3) continue; // points and lines
            TriangleMesh::Triangle triangle;
            for (unsigned k = 0; k < 3; ++k) {
                if (face.mIndices[k] >= part.mNumVertices)
                    return failure(fmt::format("refers to vertex {} of {}", face.mIndices[k],
                                               part.mNumVertices));
                triangle[k] = std::uint32_t(base + face.mIndices[k]);
            }
            mesh.triangles.push_back(triangle);
        }
    }
    return mesh;
}

/// Imports glTF, which assimp sees as the file `name`; `disk` lets it open further files.
Result<TriangleMesh> read_gltf(std::span<const std::byte> bytes, const std::string& name, bool disk,
                               const MeshLimits& limits) {
    if (auto sound = check_gltf(bytes, limits.max_bytes); !sound)
        return tl::unexpected(sound.error());
    try {
        Assimp::Importer importer;
        drop_other_importers(importer);
        importer.SetIOHandler(new BoundedFiles(name, bytes, disk, limits.max_bytes));
        importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                                    aiPrimitiveType_POINT | aiPrimitiveType_LINE);
        importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS,
                                    aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                        aiComponent_COLORS | aiComponent_TEXCOORDS |
                                        aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                        aiComponent_TEXTURES | aiComponent_LIGHTS |
                                        aiComponent_CAMERAS | aiComponent_MATERIALS);
        const aiScene* scene =
            importer.ReadFile(name, aiProcess_ValidateDataStructure | aiProcess_RemoveComponent |
                                        aiProcess_Triangulate | aiProcess_SortByPType |
                                        aiProcess_PreTransformVertices);
        if (!scene) return failure(importer.GetErrorString());
        return joined(*scene, limits);
    } catch (const std::exception& error) {
        return failure(error.what());
    }
}

enum class Corners { as_listed, welded };

Result<TriangleMesh> import_bytes(std::span<const std::byte> bytes, const std::string& name,
                                  const Format& format, bool disk, const MeshLimits& limits,
                                  Corners corners = Corners::welded) {
    if (bytes.size() > limits.max_bytes)
        return failure(fmt::format("larger than {} bytes", limits.max_bytes));
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    Result<TriangleMesh> mesh =
        format.read ? format.read(text) : read_gltf(bytes, name, disk, limits);
    if (!mesh) return mesh;
    if (mesh->triangles.size() > limits.max_triangles)
        return failure(fmt::format("has more than {} triangles", limits.max_triangles));
    if (auto sound = check_mesh(*mesh); !sound) return tl::unexpected(sound.error());
    if (corners == Corners::as_listed) return mesh;
    weld(*mesh);
    if (auto sound = check_mesh(*mesh); !sound) return tl::unexpected(sound.error());
    return mesh;
}

std::string lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return text;
}

tl::unexpected<Error> unknown_format(std::string_view extension) {
    return failure(fmt::format(
        "meshes are read from obj, stl, ply, gltf and glb files, not from '{}'", extension));
}

Result<TriangleMesh> import_file(const std::filesystem::path& path, const MeshLimits& limits,
                                 Corners corners) {
    const auto with_name = [&](const Error& error) {
        return Error{fmt::format("mesh file {}: {}", path.string(), error.message)};
    };
    std::string extension = lower_case(path.extension().string());
    if (!extension.empty()) extension.erase(0, 1);
    const Format* format = find_format(extension);
    if (!format) return Result<TriangleMesh>(unknown_format(extension)).map_error(with_name);
    if (corners == Corners::as_listed && format->read != read_obj && format->read != read_ply)
        return Result<TriangleMesh>(
                   failure("vertices keep their numbers in obj and ply files alone"))
            .map_error(with_name);
    return read_regular_file(path, limits.max_bytes)
        .and_then([&](const std::vector<std::byte>& bytes) {
            return import_bytes(bytes, path.string(), *format, true, limits, corners);
        })
        .map_error(with_name);
}

} // namespace

Result<TriangleMesh> import_mesh(const std::filesystem::path& path, const MeshLimits& limits) {
    return import_file(path, limits, Corners::welded);
}

Result<TriangleMesh> import_mesh_as_listed(const std::filesystem::path& path,
                                           const MeshLimits& limits) {
    return import_file(path, limits, Corners::as_listed);
}

Result<TriangleMesh> import_mesh(std::span<const std::byte> bytes, std::string_view extension,
                                 const MeshLimits& limits) {
    const Format* format = find_format(extension);
    if (!format) return unknown_format(extension);
    return import_bytes(bytes, "mesh." + std::string(extension), *format, false, limits);
}

} // namespace fovea
