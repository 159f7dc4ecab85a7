// A box on its way along a straight line, or a ray, and which boxes it may meet.
//
// The mover's half extents are added to the other box, so that a point moves instead of a box: the
// slab test of Kay and Kajiya (1986). Rounding only ever lets a box in: both box and slabs get a
// rim some units in the last place wide (Ize, "Robust BVH Ray Traversal", JCGT 2013).
#pragma once

#include <algorithm>

#include "fovea/geometry/aabb.h"

namespace fovea {

template <class T>
struct SweptBoxT {
    /// For fractions; a few roundings of single precision.
    static constexpr T k_slack = T(1) + T(2e-6);

    Vec3T<T> origin;  ///< of the centre
    Vec3T<T> half;    ///< half extents; 0 for a ray
    Vec3T<T> inverse; ///< 1 / translation, bounded

    /// A moving point.
    SweptBoxT(const Vec3T<T>& start, const Vec3T<T>& translation)
        : origin(start) {
        for (int axis = 0; axis < 3; ++axis) {
            // Not infinite, so that no product below is 0 * infinity: whatever moves less than
            // this along an axis does not move along it at all.
            constexpr T k_least = T(1e-30);
            const T way = translation[axis];
            inverse[axis] = std::abs(way) > k_least ? 1 / way : 1 / k_least;
        }
    }

    /// A moving box, which is finite, with a rim already where it needs one.
    SweptBoxT(const Aabb& box, const Vec3T<T>& translation)
        : SweptBoxT((Vec3T<T>(box.low) + Vec3T<T>(box.high)) * T(0.5), translation) {
        half = max(Vec3T<T>(box.high) - origin, origin - Vec3T<T>(box.low));
    }

    /// Whether the box may be met at or before `limit`, a fraction of the translation.
    bool meets(const Aabb& box, float limit) const {
        T enter = 0, leave = limit;
        for (int axis = 0; axis < 3; ++axis) {
            const T a = (box.low[axis] - half[axis] - origin[axis]) * inverse[axis];
            const T b = (box.high[axis] + half[axis] - origin[axis]) * inverse[axis];
            enter = std::max(enter, std::min(a, b));
            leave = std::min(leave, std::max(a, b));
        }
        return enter <= leave * k_slack;
    }
};

using SweptBox = SweptBoxT<float>;
/// For the frames of shapes, where the way is not made of floats.
using SweptBoxd = SweptBoxT<double>;

} // namespace fovea
