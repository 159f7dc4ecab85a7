// Do two triangles in space have a point in common? Answered exactly.
//
// Triangles are closed: touching counts. Triangles without area are the segments or points they
// cover. The answer depends on the eighteen coordinates alone, so every method that asks gives the
// same set of pairs.
#pragma once

#include <array>

#include "fovea/base/vec3.h"

namespace fovea {

using TriangleCorners = std::array<Vec3, 3>;

/// Exact. Costs about eight determinants in double; near-degenerate positions take the slow exact
/// path.
bool triangles_overlap(const TriangleCorners& a, const TriangleCorners& b);

/// The slow path alone, by exact tests of edges against triangles.
bool triangles_overlap_exact(const TriangleCorners& a, const TriangleCorners& b);

} // namespace fovea
