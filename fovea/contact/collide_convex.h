// Contact manifolds of two convex shapes.
#pragma once

#include <array>

#include "fovea/contact/manifold.h"
#include "fovea/geometry/shape.h"

namespace fovea {

/// Up to four points in which two placed shapes meet or are nearer than `margin` (metres; a few
/// millimetres to centimetres let a solver stop bodies before they overlap). Both are convex
/// solids, or one of them is a half-space. The deepest point is always among them, and its
/// separation is the one proximity() gives, as long as that is less than `margin`; where several
/// axes are nearly as good, face normals are preferred, by at most k_face_preference of the size
/// of the smaller shape. `cache` belongs to the pair and makes the next call faster; the result
/// depends on it only in the choice between nearly equal axes.
Manifold collide_convex(const Shape& a, const Transform& at_a, const Shape& b,
                        const Transform& at_b, float margin, PairCache& cache);

/// The same for a convex solid and a triangle with corners in world space, which is solid from
/// both sides and has no thickness. B, where it is recycled, is the world itself.
Manifold collide_convex(const Shape& a, const Transform& at_a, const std::array<Vec3, 3>& triangle,
                        float margin, PairCache& cache);

} // namespace fovea
