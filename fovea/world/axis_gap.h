// Proofs that two bodies are apart which last while they slide past each other.
//
//      .---.  ->                A gap that is known along an axis closes by what the bodies
//      | A |                    move along it and by what they turn, not by how far they pass
//      '---'                    each other. Boxes, whether of the world's axes or of the bodies'
//    u ^ - - - - - - gap        own, show such axes for next to nothing. Bodies within each
//      |   <-  .---.            other's hollows have none.
//              | B |
//              '---'
#pragma once

#include <algorithm>

#include "fovea/collide/collision_shape.h"

namespace fovea {

struct AxisGap {
    Vec3 axis;     ///< unit, world space, from A to B; zero: none is known
    float gap = 0; ///< m; along it all of B lies so far beyond all of A at least

    /// The least that is left while B goes this way against A.
    float left(const Vec3& way) const { return gap + std::min(dot(axis, way), 0.0f); }
};

/// Along that axis of the world on which most will be left between boxes around the bodies when B
/// has gone its way against A. `rim` is the sum of what they are larger than the bodies by. No axis
/// if they meet.
AxisGap gap_of_boxes(const Aabb& a, const Aabb& b, float rim, const Vec3& way);

/// Likewise, along the bodies' own axes and the one that the way leads past.
AxisGap gap_of_shapes(const CollisionShape& a, const Transform& at_a, const CollisionShape& b,
                      const Transform& at_b, const Vec3& way);

} // namespace fovea
