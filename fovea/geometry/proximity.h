// Exact tests of two placed convex shapes: how near, or how deep.
//
//        A                 B                     A      B
//     .------.          .------.              .------.------.
//     |      a ........ b      |              |    b |  | a |      normal  -->  from A to B
//     '------'          '------'              '------'------'      a - b = depth * normal
//       separation = |b - a| > 0                separation = -depth < 0
//
// Both cases satisfy   separation = dot(normal, point_b - point_a).
#pragma once

#include <array>

#include "fovea/base/transform.h"
#include "fovea/geometry/shape.h"

namespace fovea {

struct Proximity {
    Vec3 point_a;     ///< apart: A's closest point; overlapping: A's deepest point inside B
    Vec3 point_b;     ///< likewise of B
    Vec3 normal;      ///< unit, from A to B; apart: an axis on which the shapes are disjoint
    float separation; ///< metres; negative is depth. Touching (0) is not intersecting.

    bool intersects() const { return separation < 0; }
};

/// The same result seen with A and B exchanged.
inline Proximity flipped(const Proximity& p) {
    return {p.point_b, p.point_a, -p.normal, p.separation};
}

/// Tests two placed shapes. Both convex solids, or one of them a half-space.
Proximity proximity(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b);

/// Tests a convex solid or half-space against a triangle given in world coordinates. A triangle
/// has no inside: depth is the least translation that parts them.
Proximity proximity(const Shape& a, const Transform& at_a, const std::array<Vec3, 3>& triangle);

} // namespace fovea
