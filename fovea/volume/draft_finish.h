// From a draft in double precision to spheres in single precision that keep their promises.
#pragma once

#include <span>
#include <vector>

#include "fovea/volume/sphere_draft.h"
#include "fovea/volume/sphere_tree.h"

namespace fovea {

/// Single-precision spheres in the mesh's frame, each holding its ball whatever the rounding.
std::vector<SphereLevel> rounded_out(const SphereDraft& draft, const PreparedMesh& mesh);

/// The spheres of a finished level, back in units.
std::vector<Ball> in_units(const SphereLevel& level, const PreparedMesh& mesh);

/// Moves and enlarges parents, from the leaves up, so that they hold their children; they move
/// where they then stick out of the content least.
void enclose_children(SphereDraft& draft, const ContentModel& content);

/// The same for finished levels, by radius alone, beyond doubt in double precision.
void enclose_children(std::span<SphereLevel> levels);

/// True if every child lies inside its parent.
bool children_inside(const SphereTree& tree);

} // namespace fovea
