// Who collides with whom.
#pragma once

#include <cstdint>

namespace fovea {

/// Two bodies collide if each has a category in the other's mask. Bodies of the same group, other
/// than 0, collide always if it is positive and never if it is negative.
struct CollisionFilter {
    std::uint32_t categories = 1;
    std::uint32_t mask = 0xffffffffu;
    std::int32_t group = 0;

    constexpr bool operator==(const CollisionFilter&) const = default;
};

constexpr bool collide(const CollisionFilter& a, const CollisionFilter& b) {
    if (a.group != 0 && a.group == b.group) return a.group > 0;
    return (a.categories & b.mask) != 0 && (b.categories & a.mask) != 0;
}

} // namespace fovea
