// Joining what a file keeps apart.
#pragma once

#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

/// Makes one vertex of all that lie at exactly the same position, and drops triangles that have
/// two corners in common as well as vertices that no triangle uses. Vertices keep the order in
/// which triangles first use them. Positions must be finite.
void weld(TriangleMesh& mesh);

} // namespace fovea
