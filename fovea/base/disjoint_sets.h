// Disjoint sets of the numbers 0 to n - 1, joined two at a time (Tarjan 1975).
//
// The lowest number of a set stands for it, so that what is found does not depend on the order in
// which sets are joined.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace fovea {

class DisjointSets {
  public:
    /// Every number is a set of its own.
    void reset(std::size_t count) {
        parent_.resize(count);
        std::iota(parent_.begin(), parent_.end(), 0u);
    }

    /// The lowest number of the set with this one.
    std::uint32_t lowest(std::uint32_t of) {
        while (parent_[of] != of) of = parent_[of] = parent_[parent_[of]];
        return of;
    }

    void join(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t lowest_a = lowest(a), lowest_b = lowest(b);
        parent_[std::max(lowest_a, lowest_b)] = std::min(lowest_a, lowest_b);
    }

  private:
    std::vector<std::uint32_t> parent_;
};

} // namespace fovea
