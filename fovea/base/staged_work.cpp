#include "fovea/base/staged_work.h"

#include <algorithm>

#include "fovea/base/patience.h"

namespace fovea {

StagedWork::StagedWork(std::span<const WorkStage> stages, int shares, const StageCalls& calls)
    : stages_(stages)
    , shares_(shares)
    , calls_(calls) {
    open(0);
}

std::uint32_t StagedWork::first_block(std::uint32_t stage, int share) const {
    return std::uint32_t(std::uint64_t(stages_[stage].blocks()) * unsigned(share) /
                         unsigned(shares_));
}

void StagedWork::open(std::uint32_t stage) {
    while (stage < stages_.size() && stages_[stage].count == 0) ++stage;
    if (stage < stages_.size() && !calls_.may_begin(stage)) stage = std::uint32_t(stages_.size());
    done_.store(0, std::memory_order_relaxed);
    if (stage < stages_.size())
        for (int i = 0; i < shares_; ++i)
            share_[i].next.store(std::uint64_t(stage) << 32 | first_block(stage, i),
                                 std::memory_order_release);
    stage_.store(stage, std::memory_order_seq_cst); // see patience.h
    stage_.notify_all();
}

bool StagedWork::draw(int own, std::uint32_t stage, std::uint32_t& block) {
    for (int i = 0; i < shares_; ++i) {
        const int share = (own + i) % shares_;
        const std::uint32_t end = first_block(stage, share + 1);
        std::atomic<std::uint64_t>& next = share_[share].next;
        std::uint64_t seen = next.load(std::memory_order_acquire);
        // Shares of the next stage may be there already, but it is not open yet.
        while (seen >> 32 == stage && std::uint32_t(seen) < end)
            if (next.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel)) {
                block = std::uint32_t(seen);
                return true;
            }
    }
    return false;
}

void StagedWork::take_part(int own) {
    while (true) {
        const std::uint32_t stage = stage_.load(std::memory_order_acquire);
        if (stage == stages_.size()) return;
        const auto [count, size] = stages_[stage];
        std::uint32_t finished = 0, block = 0;
        while (draw(own, stage, block)) {
            const std::size_t begin = block * size;
            calls_.block(calls_.context, stage, begin, std::min(count, begin + size));
            ++finished;
        }
        const std::uint32_t all = stages_[stage].blocks();
        if (finished > 0 &&
            done_.fetch_add(finished, std::memory_order_acq_rel) + finished == all) {
            open(stage + 1);
            continue;
        }
        wait_until(stage_, Patience::amid_work, [&](std::uint32_t open) { return open != stage; });
    }
}

} // namespace fovea
