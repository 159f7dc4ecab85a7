// Hash table from grid cells to region numbers: open addressing, linear probing, no allocation
// except to grow.
#pragma once

#include <cstdint>
#include <vector>

namespace fovea {

class CellMap {
  public:
    static constexpr std::uint32_t k_none = 0xffffffffu;

    /// The region of a cell, or k_none.
    std::uint32_t find(std::uint64_t cell) const;
    /// `cell` must not be there yet.
    void insert(std::uint64_t cell, std::uint32_t region);
    /// `cell` must be there.
    void erase(std::uint64_t cell);
    void clear();

  private:
    struct Slot {
        std::uint64_t cell;
        std::uint32_t region = k_none; ///< k_none: the slot is free
    };

    std::size_t home(std::uint64_t cell) const {
        // Fibonacci hashing: the golden ratio spreads neighbouring cells.
        return std::size_t((cell * 0x9e3779b97f4a7c15u) >> 32) & (slots_.size() - 1);
    }
    std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
    void grow();

    std::vector<Slot> slots_; ///< a power of two, at most half full
    std::size_t used_ = 0;
};

} // namespace fovea
