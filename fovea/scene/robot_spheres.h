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

#include "fovea/base/result.h"
#include "fovea/volume/sphere_tree.h"

namespace fovea {

/// Loads the mesh that a URDF names, for example "package://arm/link1.stl".
using RobotMeshLoader = std::function<Result<TriangleMesh>(const std::string& filename)>;

struct RobotSpheres {
    std::string urdf;
    std::string srdf;
    std::size_t meshes = 0;  ///< collision meshes replaced
    std::size_t spheres = 0; ///< that took their place
};

/// Refuses texts that are no URDF, with the line; meshes that do not load or cannot be enclosed,
/// with the line and the file.
Result<RobotSpheres> with_spheres(std::string_view urdf, const RobotMeshLoader& load,
                                  const SphereTreeSettings& settings);

/// Reads a URDF file and the meshes that it names: paths relative to its folder, file:// and
/// package://NAME/PATH, where NAME is a folder beside or above the URDF, or one that it lies in.
Result<RobotSpheres> with_spheres(const std::filesystem::path& urdf,
                                  const SphereTreeSettings& settings);

} // namespace fovea
