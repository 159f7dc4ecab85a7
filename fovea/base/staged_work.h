// Stages of work done one after the other by whoever takes part.
//
//   stage 0   | block | block | block | block |     all blocks of a stage may run side by side;
//   stage 1   | block | block |                     the next stage begins when all are done
//   ...         helper 0      ' helper 1
//
// Before a stage begins, whoever opens it may be asked whether it still should; if not, all is
// done.
//
// The blocks of a stage are shared out evenly, each helper's in a row, so that one stage finds in
// its processor's cache what another left there. Who has done his share takes of the others';
// helpers may come late or not at all. Between stages they wait awake, so that a stage may last but
// a few microseconds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fovea {

/// `count` items in blocks of `block`.
struct WorkStage {
    std::size_t count, block;

    std::uint32_t blocks() const { return std::uint32_t((count + block - 1) / block); }
};

/// What is done of a stage, and what decides whether it begins.
struct StageCalls {
    void (*block)(void* context, std::size_t stage, std::size_t begin, std::size_t end);
    bool (*begins)(void* context, std::size_t stage); ///< null: always
    void* context;

    bool may_begin(std::size_t stage) const { return !begins || begins(context, stage); }
};

class StagedWork {
  public:
    static constexpr int k_most_shares = 64;

    /// `shares`: helpers to expect, 1 to k_most_shares.
    StagedWork(std::span<const WorkStage> stages, int shares, const StageCalls& calls);
    StagedWork(const StagedWork&) = delete;
    StagedWork& operator=(const StagedWork&) = delete;

    /// Works until all stages are done, on share number `own` first. From any number of threads.
    /// What was written before the first began and by the stages before is seen by every block, and
    /// everything by those who return.
    void take_part(int own);

  private:
    /// The next block of a share: the stage in the upper half, the block's number in the lower.
    struct alignas(64) Share {
        std::atomic<std::uint64_t> next;
    };
    /// The first block of a share; one share more gives the end.
    std::uint32_t first_block(std::uint32_t stage, int share) const;
    /// Opens the first stage from `stage` on that has any blocks, if it may begin.
    void open(std::uint32_t stage);
    /// Takes a block of `stage` that nobody has. False if there is none.
    bool draw(int own, std::uint32_t stage, std::uint32_t& block);

    std::span<const WorkStage> stages_;
    int shares_;
    StageCalls calls_;
    Share share_[k_most_shares];
    alignas(
        64) std::atomic<std::uint32_t> stage_; ///< that is open; number of stages when all are done
    alignas(64) std::atomic<std::uint32_t> done_ = 0; ///< blocks of that stage
};

} // namespace fovea
