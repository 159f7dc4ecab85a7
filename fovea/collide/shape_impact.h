// When two moving shapes first touch, whatever they are made of: the swept test of fast bodies.
//
// Parts that are within the target distance already at the start are passed over: they have
// contacts, which the solver looks after. What remains are those that the step would run into or
// through, such as the wall ahead of a bullet that slides over a floor. Parts that come on slowly
// can be passed over as well: stopped for these, a body that falls along a wall and turns a little
// would be stopped at the beginning of every step, and hang there.
//
// A body that slides over a surface meets the edge of every next triangle a little before it is
// above it. Sweeping a ball inside the body instead passes those over and still goes through
// nothing: the radius of the largest about its centre is -closest_point(centre, 0, shape,
// {})->measure. A moving mesh meets everything in this way, triangle by triangle; the ball inside
// it is CollisionShape::inner.
#pragma once

#include <limits>

#include "fovea/base/budget.h"
#include "fovea/collide/collision_shape.h"
#include "fovea/geometry/time_of_impact.h"

namespace fovea {

struct ShapeImpact {
    Impact impact; ///< of all parts the earliest; of equals, that of lower numbers
    std::uint32_t part_a = 0, part_b = 0;
    bool passed_over = false; ///< some parts were
    bool cut = false;         ///< the meter ended the test: nothing is known
};

/// Work units of a measurement, of which a test makes many.
constexpr std::uint64_t k_impact_round_units = 64;

/// A is a convex solid, a compound or a solid mesh. B may be anything; what is made of triangles
/// stays at rest, and so does a half-space. `slow`, m/s: parts are passed over if neither the body
/// nor the place where they touch comes on faster. Charges `work`, if there is any, and is cut when
/// it is exhausted.
ShapeImpact time_of_impact(const CollisionShape& a, const Motion& motion_a, const CollisionShape& b,
                           const Motion& motion_b, float duration,
                           const ImpactSettings& settings = {},
                           float slow = -std::numeric_limits<float>::infinity(),
                           WorkMeter* work = nullptr);

} // namespace fovea
