// Coordinates that everything can compute with.
#pragma once

#include "fovea/geometry/shape.h"

namespace fovea {

/// Finite, and below k_length_limit.
inline bool within_limit(const Vec3& v) {
    const Vec3 a = abs(v);
    return a.x < k_length_limit && a.y < k_length_limit && a.z < k_length_limit;
}

} // namespace fovea
