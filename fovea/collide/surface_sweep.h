// A ball in the way of a surface that deforms: where the surface takes it.
//
//      now      ----------------       The surface goes straight from where it was at the last step
//                    o                 to where it is. The ball rests until it is touched; from
//                    |                 then on it is taken along as far as the surface goes on
//                    o  touched        against it, on the side where it was.
//      before   ----------------
//
#pragma once

#include "fovea/collide/bounding_ball.h"
#include "fovea/collide/deforming_surface.h"

namespace fovea {

/// The way that the surface takes the ball, in the shape's frame; none if it does not touch it, or
/// goes through its very middle from the beginning. Safe from several threads.
Vec3 way_taken_along(const DeformingSurface& surface, const BoundingBall& ball);

} // namespace fovea
