// Robot descriptions with spheres in the place of collision meshes.
//
// A URDF text goes through unchanged but for its collision meshes: each <collision> element that
// holds a <mesh> is replaced by one <collision> per sphere of the last level of a sphere tree. The
// same spheres are listed link by link as an SRDF, the form that motion planners read.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/volume/sphere_quality.h"
#include "fovea/volume/sphere_tree.h"

namespace fovea {

/// Loads the mesh that a URDF names, for example "package://arm/link1.stl".
using RobotMeshLoader = std::function<Result<TriangleMesh>(const std::string& filename)>;

/// One collision mesh that was replaced.
struct RobotMesh {
    std::string link, file;
    int line = 0; ///< of the URDF, where the file is named
    std::size_t triangles = 0;
    std::size_t spheres = 0; ///< that took its place
    SphereTreeProof proof;
    SphereTreeQuality quality; ///< in metres, after the URDF's scale; empty unless asked for
};

struct RobotSpheres {
    std::string urdf;
    std::string srdf;
    std::vector<RobotMesh> meshes; ///< in the order of the URDF
    std::size_t spheres = 0;       ///< of all meshes
};

/// Refuses texts that are no URDF, with the line; meshes that do not load or cannot be enclosed,
/// with the line and the file. If `measured`, the fit of every mesh is measured too.
Result<RobotSpheres> with_spheres(std::string_view urdf, const RobotMeshLoader& load,
                                  const SphereTreeSettings& settings, bool measured = false);

/// Reads a URDF file and the meshes that it names: paths relative to its folder, file:// and
/// package://NAME/PATH, where NAME is a folder beside or above the URDF, or one that it lies in.
Result<RobotSpheres> with_spheres(const std::filesystem::path& urdf,
                                  const SphereTreeSettings& settings, bool measured = false);

} // namespace fovea
