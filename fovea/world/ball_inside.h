// What of a body must not get through a wall.
#pragma once

#include <optional>

#include "fovea/collide/bounding_ball.h"
#include "fovea/collide/collision_shape.h"

namespace fovea {

/// A ball about the centre of mass, half as large as would fit inside the shape, if the centre is
/// inside; else about the middle of a compound's part; of a mesh, half the ball that it is known to
/// hold. Where the ball does not get through, its centre does not.
std::optional<BoundingBall> ball_inside(const CollisionShape& shape, const Vec3& centre);

} // namespace fovea
