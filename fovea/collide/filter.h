// Who takes notice of whom, by bits.
#pragma once

#include <cstdint>

namespace fovea {

struct CollisionFilter {
    std::uint32_t category = 1;       ///< bits of what this is
    std::uint32_t mask = 0xffffffffu; ///< bits of what it takes notice of
};

/// Both must take notice of each other.
constexpr bool may_meet(const CollisionFilter& a, const CollisionFilter& b) {
    return (a.mask & b.category) != 0 && (b.mask & a.category) != 0;
}

} // namespace fovea
