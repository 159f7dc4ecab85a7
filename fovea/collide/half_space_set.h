// The half-spaces of a broad phase, tested against every box in one linear pass each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/collide/pair_runs.h"

namespace fovea {

class HalfSpaceSet {
  public:
    void add(std::uint32_t proxy, const HalfSpace& plane) { members_.push_back({proxy, plane}); }
    void remove(std::uint32_t proxy);

    /// Appends, one run per half-space, its pairs with those of `movable` (ascending proxy
    /// numbers) whose box reaches it. Returns the number of tests.
    std::uint64_t append_pairs(std::span<const Aabb> boxes, std::span<const std::uint32_t> movable,
                               PairRuns& runs) const;

  private:
    struct Member {
        std::uint32_t proxy;
        HalfSpace plane;
    };
    std::vector<Member> members_;
};

} // namespace fovea
