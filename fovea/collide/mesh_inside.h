// Points and balls inside closed meshes.
#pragma once

#include "fovea/collide/collision_shape.h"

namespace fovea {

/// Whether a closed mesh encloses the point, given in its frame.
bool encloses(const CollisionShape& mesh, const Vec3& point);

/// A ball inside a closed mesh, the largest of some hundreds tried; radius 0 if none was found. The
/// centres tried are the middles between a triangle and what lies opposite it.
BoundingBall find_inner_ball(const CollisionShape& mesh);

} // namespace fovea
