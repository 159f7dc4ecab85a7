// Axis-aligned boxes. A default one is empty; infinite bounds are allowed.
#pragma once

#include <limits>

#include "fovea/base/vec3.h"

namespace fovea {

struct Aabb {
    static constexpr float k_infinity = std::numeric_limits<float>::infinity();

    Vec3 low{k_infinity, k_infinity, k_infinity};
    Vec3 high{-k_infinity, -k_infinity, -k_infinity};

    static constexpr Aabb everything() {
        return {{-k_infinity, -k_infinity, -k_infinity}, {k_infinity, k_infinity, k_infinity}};
    }

    constexpr bool empty() const { return low.x > high.x || low.y > high.y || low.z > high.z; }
    constexpr Vec3 centre() const { return (low + high) * 0.5f; }
    constexpr Vec3 half_extents() const { return (high - low) * 0.5f; }
    constexpr bool operator==(const Aabb&) const = default;
};

/// Boxes that merely touch overlap too: the broad phase must never lose a pair to rounding.
constexpr bool overlap(const Aabb& a, const Aabb& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y &&
           b.low.y <= a.high.y && a.low.z <= b.high.z && b.low.z <= a.high.z;
}

constexpr bool contains(const Aabb& outer, const Aabb& inner) {
    return outer.low.x <= inner.low.x && outer.low.y <= inner.low.y && outer.low.z <= inner.low.z &&
           inner.high.x <= outer.high.x && inner.high.y <= outer.high.y &&
           inner.high.z <= outer.high.z;
}

constexpr Aabb merged(const Aabb& a, const Aabb& b) {
    return {min(a.low, b.low), max(a.high, b.high)};
}

constexpr Aabb merged(const Aabb& a, const Vec3& p) {
    return {min(a.low, p), max(a.high, p)};
}

constexpr Aabb expanded(const Aabb& a, float margin) {
    const Vec3 m(margin, margin, margin);
    return {a.low - m, a.high + m};
}

/// Half the surface area.
constexpr float half_area(const Aabb& a) {
    const Vec3 e = a.high - a.low;
    return e.x * e.y + e.y * e.z + e.z * e.x;
}

} // namespace fovea
