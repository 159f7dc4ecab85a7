#include "fovea/collide/cell_map.h"

#include <algorithm>

#include "fovea/base/assert.h"

namespace fovea {

std::uint32_t CellMap::find(std::uint64_t cell) const {
    if (slots_.empty()) return k_none;
    std::size_t at = home(cell);
    while (slots_[at].region != k_none && slots_[at].cell != cell) at = next(at);
    return slots_[at].region;
}

void CellMap::insert(std::uint64_t cell, std::uint32_t region) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    std::size_t at = home(cell);
    for (; slots_[at].region != k_none; at = next(at)) FOVEA_ASSERT(slots_[at].cell != cell);
    slots_[at] = {cell, region};
    ++used_;
}

void CellMap::erase(std::uint64_t cell) {
    std::size_t hole = home(cell);
    while (slots_[hole].cell != cell || slots_[hole].region == k_none) {
        FOVEA_ASSERT(slots_[hole].region != k_none);
        hole = next(hole);
    }
    // Those behind the hole that may not be found past it move up into it.
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = next(hole); slots_[at].region != k_none; at = next(at)) {
        const std::size_t from_home = (at - home(slots_[at].cell)) & mask;
        if (from_home < ((at - hole) & mask)) continue;
        slots_[hole] = slots_[at];
        hole = at;
    }
    slots_[hole].region = k_none;
    --used_;
}

void CellMap::clear() {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    used_ = 0;
}

void CellMap::grow() {
    std::vector<Slot> old(std::max<std::size_t>(64, 2 * slots_.size()));
    old.swap(slots_);
    used_ = 0;
    for (const Slot& slot : old)
        if (slot.region != k_none) insert(slot.cell, slot.region);
}

} // namespace fovea
