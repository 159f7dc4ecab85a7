// What each node of a sphere tree holds: how full it is, where the body lies, which patch of
// surface it bounds.
#pragma once

#include "fovea/base/jobs.h"
#include "fovea/volume/sphere_draft.h"
#include "fovea/volume/sphere_tree.h"

namespace fovea {

/// For each triangle of the mesh the smooth patch it belongs to: triangles joined across edges
/// where the surface bends by less than 30 degrees.
std::vector<std::uint32_t> surface_groups(const PreparedMesh& mesh);

void fill_content(SphereTree& tree, const ContentModel& content, const Jobs& jobs);

} // namespace fovea
