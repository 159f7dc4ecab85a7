// Rims around boxes that are searched for, so that rounding never loses what an exact test would
// find: placements are floats, and are combined in different ways by boxes and by exact tests.
#pragma once

#include <algorithm>

#include "fovea/base/transform.h"
#include "fovea/geometry/shape_bounds.h"

namespace fovea {

/// Width of a rim relative to the coordinates that were rounded: some 8 units in the last place.
constexpr float k_search_rim = 1e-6f;

inline float largest_coordinate(const Vec3& v) {
    const Vec3 a = abs(v);
    return std::max({a.x, a.y, a.z});
}

inline float largest_coordinate(const Aabb& box) {
    return std::max(largest_coordinate(box.low), largest_coordinate(box.high));
}

inline Aabb with_search_rim(const Aabb& box) {
    return expanded(box, 2 * k_search_rim * largest_coordinate(box));
}

/// The box of a part, with a rim, in the frame of the other shape.
inline Aabb box_for_search(const Shape& part, const Transform& at_part, const Transform& at_other) {
    const Aabb box = bounds(part, relative(at_other, at_part));
    return expanded(box, k_search_rim *
                             (largest_coordinate(at_part.position) +
                              largest_coordinate(at_other.position) + 2 * largest_coordinate(box)));
}

} // namespace fovea
