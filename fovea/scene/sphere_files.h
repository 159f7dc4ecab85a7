// Sphere trees as files: the .sph text of older sphere-tree tools, JSON of our own, and coloured
// meshes to look at.
#pragma once

#include <string>
#include <string_view>

#include "fovea/base/result.h"
#include "fovea/volume/sphere_quality.h"
#include "fovea/volume/sphere_tree.h"

namespace fovea {

/// The .sph layout: a line "levels degree", then a line "x y z radius importance" for every slot of
/// a complete tree of that degree, breadth first; a negative radius marks an empty slot. The
/// importance is the node's occupancy. Refuses trees with more than 2^24 slots.
Result<std::string> to_sph(const SphereTree& tree);

/// Reads a .sph text. Refusals name the line.
Result<SphereTree> from_sph(std::string_view text);

/// All of a tree, exactly: spheres, structure, content.
std::string to_json(const SphereTree& tree);
Result<SphereTree> sphere_tree_from_json(std::string_view text);

/// The figures of a tree, level by level, and its cost.
std::string to_json(const SphereTreeQuality& quality);

/// The spheres of one level as an ASCII PLY mesh, in the colours of their branches.
std::string level_as_ply(const SphereTree& tree, int level);

} // namespace fovea
