// Colours that show the structure of a sphere tree: a hue per branch below the root, in shades that
// tell siblings apart.
#pragma once

#include <vector>

#include "fovea/volume/sphere_tree.h"

namespace fovea {

/// sRGB, 0..1, for each node of `tree`.
std::vector<Vec3> branch_colours(const SphereTree& tree);

} // namespace fovea
