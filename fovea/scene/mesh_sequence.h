// A mesh that changes its form from file to file: cloth_000.obj, cloth_001.obj, cloth_002.obj ...
#pragma once

#include <filesystem>
#include <vector>

#include "fovea/scene/import_mesh.h"

namespace fovea {

struct MeshSequence {
    TriangleMesh first;
    std::vector<std::vector<Vec3>> frames; ///< vertices, the first's among them
};

/// Reads `first`, an OBJ or PLY file whose name ends in a number, and all files beside it that
/// differ in a higher number alone. Refuses a gap among the numbers, and files whose vertices or
/// triangles are not those of the first; the error names the file.
Result<MeshSequence> import_mesh_sequence(const std::filesystem::path& first,
                                          const MeshLimits& limits = {});

} // namespace fovea
