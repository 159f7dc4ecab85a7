// A convex solid swept along a straight line, without turning, until it touches something.
//
// Conservative advancement: the separation s at some place comes with a plane of normal n between
// the two solids. As long as the mover has not gone s along n they cannot touch, so it may advance
// by s / (n . direction) at once, and if it does not approach that plane at all it never will.
//
//      .---.        |    /           The separation of convex solids is a convex function of the
//      | A |---->   | n /  B         way gone, of which this is Newton's method from the left: it
//      '---'        |  /             closes in quadratically and never passes the first touch.
#pragma once

#include <array>
#include <optional>

#include "fovea/base/transform.h"
#include "fovea/geometry/shape.h"

namespace fovea {

struct ShapeCastHit {
    float fraction; ///< of the translation, in [0, 1]; not past the first touch
    Vec3 point;     ///< of the target's surface, where they touch
    Vec3 normal;    ///< unit, out of the target, towards the mover
    float depth;    ///< 0, or how deep they overlap already at the start, m: then `fraction` is 0,
                    ///< `normal` the way out and `point` the mover's deepest point
};

/// Solids this near, relative to the smaller of them, touch.
constexpr double k_cast_tolerance = 1e-7;

/// Sweeps a convex solid by `translation`, which is finite and not zero, towards a convex solid or
/// half-space that stays. Hits at a fraction above `limit` may be left out, which saves time.
std::optional<ShapeCastHit> cast_shape(const Shape& mover, const Transform& start,
                                       const Vec3& translation, const Shape& target,
                                       const Transform& at_target, float limit = 1);

/// The same towards a triangle given in world coordinates.
std::optional<ShapeCastHit> cast_shape(const Shape& mover, const Transform& start,
                                       const Vec3& translation, const std::array<Vec3, 3>& triangle,
                                       float limit = 1);

} // namespace fovea
