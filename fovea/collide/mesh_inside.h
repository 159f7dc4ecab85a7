// The inside of closed meshes.
//
// A ray from an inner point leaves the mesh where it first meets it: through the back of a
// triangle. Three rays vote, because one may run along an edge.
#pragma once

#include "fovea/collide/collision_shape.h"

namespace fovea {

/// Whether a closed mesh encloses the point, given in its frame.
bool encloses(const CollisionShape& mesh, const Vec3& point);

/// A ball inside a closed mesh, the largest of some hundreds tried; radius 0 if none was found. The
/// centres tried are the middles between a triangle and what lies opposite it.
BoundingBall find_inner_ball(const CollisionShape& mesh);

} // namespace fovea
