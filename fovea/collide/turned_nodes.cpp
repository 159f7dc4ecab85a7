#include "fovea/collide/turned_nodes.h"

#include <bit>

#include "fovea/base/assert.h"

namespace fovea {

void TurnedNodes::place(const Ladder& ladder, const Quat& orientation, bool shared) {
    FOVEA_ASSERT(!ladder.is_half_space());
    ladder_ = &ladder;
    // Floats are never exactly unit length.
    const Mat3d turn = to_matrix(normalized(Quatd(orientation)));
    rotation_ = {Vec3(turn.x), Vec3(turn.y), Vec3(turn.z)};
    shared_ = shared;
    const std::uint32_t blocks = ladder.level_block[std::size_t(ladder.levels())];
    words_ = (blocks + 63) / 64;
    if (blocks > capacity_) {
        capacity_ = blocks;
        centres_ = std::make_unique_for_overwrite<TurnedBlock[]>(blocks);
        marks_ = std::make_unique<Marks[]>(words_);
    }
    for (std::uint32_t i = 0; i < words_; ++i) {
        marks_[i].claimed.store(0, std::memory_order_relaxed);
        marks_[i].turned.store(0, std::memory_order_relaxed);
    }
}

std::uint64_t TurnedNodes::turned_blocks() const {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < words_; ++i)
        count += std::uint64_t(std::popcount(marks_[i].turned.load(std::memory_order_relaxed)));
    return count;
}

} // namespace fovea
