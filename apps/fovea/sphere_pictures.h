// Pictures of the levels of a sphere tree.
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "fovea/volume/sphere_tree.h"

namespace fovea::app {

struct SpherePictureOptions {
    std::string folder; ///< empty: no pictures
    int width = 1200, height = 900;
};

/// Adds the options to a command; none in a build without the renderer.
void add_sphere_picture_options(CLI::App& command, SpherePictureOptions& options);

/// Draws FOLDER/level-N.png for every level, all from the same place: the mesh, and over it, so
/// that it shines through, the spheres in the colours of their branches.
Result<void> draw_levels(const SpherePictureOptions& options, const SphereTree& tree,
                         const TriangleMesh& mesh);

} // namespace fovea::app
