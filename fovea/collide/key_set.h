// A set of 64-bit keys that is filled once and asked whether a key was there before: open
// addressing in one flat array, no deletion. Keeps its memory between uses.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace fovea {

class KeySet {
  public:
    /// Empties the set and makes room for `most` keys.
    void reset(std::size_t most) {
        const std::size_t size = std::bit_ceil(2 * most + 2);
        if (table_.size() < size) table_.resize(size);
        mask_ = size - 1;
        for (std::size_t i = 0; i < size; ++i) table_[i] = k_empty;
    }

    /// True if the key was not there yet. Any key but ~0.
    bool insert(std::uint64_t key) {
        // Fibonacci hashing (Knuth, "The Art of Computer Programming" 3, 6.4).
        std::size_t place = (key * 0x9e3779b97f4a7c15u >> 32) & mask_;
        while (table_[place] != k_empty) {
            if (table_[place] == key) return false;
            place = (place + 1) & mask_;
        }
        table_[place] = key;
        return true;
    }

  private:
    static constexpr std::uint64_t k_empty = ~std::uint64_t(0);
    std::vector<std::uint64_t> table_;
    std::size_t mask_ = 0;
};

} // namespace fovea
