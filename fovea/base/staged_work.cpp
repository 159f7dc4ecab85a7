#include "fovea/base/staged_work.h"

#include <algorithm>

#include "fovea/base/patience.h"

namespace fovea {

StagedWork::StagedWork(std::span<const WorkStage> stages, int shares, BlockFunction function,
                       void* context)
    : stages_(stages)
    , shares_(shares)
    , function_(function)
    , context_(context) {
    open(0);
}

std::uint32_t StagedWork::first_block(std::uint32_t stage, int share) const {
    return std::uint32_t(std::uint64_t(stages_[stage].blocks()) * unsigned(share) /
                         unsigned(shares_));
}

void StagedWork::open(std::uint32_t stage) {
    while (stage < stages_.size() && stages_[stage].count == 0) ++stage;
    done_.store(0, std::memory_order_relaxed);
    if (stage < stages_.size())
        for (int i = 0; i < shares_; ++i)
            share_[i].next.store(std::uint64_t(stage) << 32 | first_block(stage, i),
                                 std::memory_order_release);
    stage_.store(stage, std::memory_order_release);
}

bool StagedWork::draw(int own, Drawn& drawn) {
    for (int i = 0; i < shares_; ++i) {
        const int share = (own + i) % shares_;
        std::atomic<std::uint64_t>& next = share_[share].next;
        std::uint64_t seen = next.load(std::memory_order_acquire);
        const auto is_left = [&] {
            return std::uint32_t(seen) < first_block(std::uint32_t(seen >> 32), share + 1);
        };
        while (is_left())
            if (next.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel)) {
                drawn = {std::uint32_t(seen >> 32), std::uint32_t(seen)};
                return true;
            }
    }
    return false;
}

void StagedWork::take_part(int own) {
    while (true) {
        const std::uint32_t stage = stage_.load(std::memory_order_acquire);
        if (stage == stages_.size()) return;
        // Blocks drawn are all of one stage: it cannot end before those drawn here are reported.
        std::uint32_t finished = 0;
        Drawn drawn{stage, 0};
        while (draw(own, drawn)) {
            const auto [count, block] = stages_[drawn.stage];
            const std::size_t begin = drawn.block * block;
            function_(context_, drawn.stage, begin, std::min(count, begin + block));
            ++finished;
        }
        const std::uint32_t all = stages_[drawn.stage].blocks();
        if (finished > 0 &&
            done_.fetch_add(finished, std::memory_order_acq_rel) + finished == all) {
            open(drawn.stage + 1);
            continue;
        }
        Patience patience;
        while (stage_.load(std::memory_order_acquire) <= drawn.stage) patience.wait();
    }
}

} // namespace fovea
