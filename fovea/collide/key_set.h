// A set of 64-bit keys that is filled once and asked whether a key was there before: open
// addressing in one flat array, no deletion. Keeps its memory between uses, and is emptied at once:
// what an earlier use left has an older number.
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
        if (++use_ == 0) {
            table_.assign(table_.size(), {});
            use_ = 1;
        }
    }

    /// True if the key was not there yet.
    bool insert(std::uint64_t key) {
        // Fibonacci hashing (Knuth, "The Art of Computer Programming" 3, 6.4).
        std::size_t place = (key * 0x9e3779b97f4a7c15u >> 32) & mask_;
        while (table_[place].use == use_) {
            if (table_[place].key == key) return false;
            place = (place + 1) & mask_;
        }
        table_[place] = {key, use_};
        return true;
    }

  private:
    struct Place {
        std::uint64_t key = 0;
        std::uint32_t use = 0; ///< 0: never
    };
    std::vector<Place> table_;
    std::size_t mask_ = 0;
    std::uint32_t use_ = 0;
};

} // namespace fovea
