// Triangle meshes from files: OBJ, STL, PLY and glTF 2.
//
// Files come from anywhere, so reading is bounded: only regular files, of a limited size, also for
// the files that a glTF file refers to; and the outcome is checked. The plain formats have readers
// of their own, because assimp believes the counts in a header and allocates for them; glTF goes
// through assimp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "fovea/base/result.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

struct MeshLimits {
    std::size_t max_bytes = std::size_t(256) << 20; ///< of a file with all it refers to
    std::size_t max_triangles = 4'000'000;
};

/// Reads a mesh; the format follows from the name's ending. Corners at equal positions become one
/// vertex, degenerate triangles are dropped, a hierarchy of parts is flattened. The error names the
/// file.
Result<TriangleMesh> import_mesh(const std::filesystem::path& path, const MeshLimits& limits = {});

/// Same, but vertices and triangles are those that the file lists, in its order: for meshes that
/// are to be compared vertex by vertex. Refuses formats that keep no such list.
Result<TriangleMesh> import_mesh_as_listed(const std::filesystem::path& path,
                                           const MeshLimits& limits = {});

/// Same, from memory: `extension` is "obj", "stl", "ply", "gltf" or "glb". Opens no file.
Result<TriangleMesh> import_mesh(std::span<const std::byte> bytes, std::string_view extension,
                                 const MeshLimits& limits = {});

} // namespace fovea
