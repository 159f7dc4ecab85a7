// The nodes of a body, turned to the axes of the world as they are needed.
//
// Nodes of two bodies can be compared when both lie along the same axes. Spheres keep their radii,
// so only centres turn, siblings together; what is turned once is good for all pairs of the body in
// this step (O'Sullivan 4.1, Dingliana 3.3):
//
//   ladder.blocks      as stored, shared by all bodies of the shape
//      | turned, when first needed in a step
//   centres()          about the body's own origin, along the axes of the world
//      | + way from one body's origin to the other's, once a pair
//   tested against nodes of the other body
//
// Since they stay about the body's own origin, how exact they are depends on the size of the body,
// not on how far out in the world it is.
//
// Threads may want the same siblings at once. Who claims them turns them; who comes while that
// lasts turns a copy of its own, which has the same bits. Nobody waits.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "fovea/base/mat3.h"
#include "fovea/base/quat.h"
#include "fovea/collide/ladder.h"

namespace fovea {

/// Centres of the nodes of a LadderBlock.
struct alignas(32) TurnedBlock {
    float x[LadderBlock::k_width], y[LadderBlock::k_width], z[LadderBlock::k_width];
};

class TurnedNodes {
  public:
    /// From now on the nodes are those of this ladder, turned so. None is turned yet. Not while
    /// others use them. The ladder, no half-space, must last as long as they are used. `shared`:
    /// by several threads.
    void place(const Ladder& ladder, const Quat& orientation, bool shared);

    const Ladder& ladder() const { return *ladder_; }
    const Mat3& rotation() const { return rotation_; }

    /// Blocks that are turned.
    std::uint64_t turned_blocks() const;
    bool is_turned(std::uint32_t block) const {
        return marks_[block / 64].turned.load(std::memory_order_acquire) >> block % 64 & 1;
    }
    /// Whether it falls to the caller to turn the block, and to mark it then.
    bool claim(std::uint32_t block) {
        const std::uint64_t bit = std::uint64_t(1) << block % 64;
        return !shared_ ||
               !(marks_[block / 64].claimed.fetch_or(bit, std::memory_order_relaxed) & bit);
    }
    void mark_turned(std::uint32_t block) {
        const std::uint64_t bit = std::uint64_t(1) << block % 64;
        std::atomic<std::uint64_t>& bits = marks_[block / 64].turned;
        if (shared_)
            bits.fetch_or(bit, std::memory_order_release);
        else // without the price of an exchange
            bits.store(bits.load(std::memory_order_relaxed) | bit, std::memory_order_relaxed);
    }
    /// Valid where they are turned.
    TurnedBlock& centres(std::uint32_t block) const { return centres_[block]; }

  private:
    /// Of 64 blocks, a bit each.
    struct Marks {
        std::atomic<std::uint64_t> claimed, turned;
    };

    const Ladder* ladder_ = nullptr;
    Mat3 rotation_{};
    bool shared_ = false;
    std::uint32_t words_ = 0, capacity_ = 0; ///< of marks, in use; of blocks
    std::unique_ptr<TurnedBlock[]> centres_; ///< of the node levels, as far as they were turned
    std::unique_ptr<Marks[]> marks_;
};

} // namespace fovea
