// What CGAL, with exact predicates, says about point sets and meshes.
#pragma once

#include <span>

#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

/// The convex hull; coplanar facets come as several triangles.
TriangleMesh cgal_convex_hull(std::span<const Vec3> points);

/// True if two triangles meet elsewhere than in a shared vertex or edge. The mesh must be closed
/// and oriented.
bool cgal_self_intersects(const TriangleMesh& mesh);

} // namespace fovea
