#include "fovea/base/jobs.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

#include "fovea/base/float_mode.h"
#include "fovea/base/patience.h"

namespace fovea {

/// Threads that help with one piece of work at a time. Whoever comes while they are busy, be it
/// another thread or the work itself, does his alone.
class Jobs::Pool {
  public:
    explicit Pool(int helpers) {
        threads_.reserve(std::size_t(helpers));
        try {
            for (int i = 0; i < helpers; ++i) threads_.emplace_back([this, i] { help(i + 1); });
        } catch (const std::system_error&) {
            // The machine gives no more threads; fewer do the same work.
        }
    }
    ~Pool() {
        ended_.store(true, std::memory_order_relaxed);
        call();
        for (std::thread& thread : threads_) thread.join();
    }

    void gather(StagedWork& work) {
        if (busy_.exchange(true, std::memory_order_acquire)) return work.take_part(0);
        work_ = &work;
        mode_ = FloatMode::of_this_thread();
        door_.store(k_open, std::memory_order_release);
        call();
        work.take_part(0);
        door_.fetch_and(~k_open, std::memory_order_relaxed);
        wait_until(door_, Patience::amid_work, [](std::uint32_t inside) { return inside == 0; });
        busy_.store(false, std::memory_order_release);
    }

  private:
    /// The door: whether it is open, and below that how many helpers are inside.
    static constexpr std::uint32_t k_open = 1u << 31;

    void call() {
        calls_.fetch_add(1, std::memory_order_seq_cst); // see patience.h
        calls_.notify_all();
    }

    void help(int share) {
        std::uint32_t heard = 0;
        while (true) {
            heard = wait_until(calls_, Patience::for_work,
                               [&](std::uint32_t calls) { return calls != heard; });
            if (ended_.load(std::memory_order_relaxed)) return;
            if (!enter()) continue;
            mode_.set();
            work_->take_part(share);
            if (door_.fetch_sub(1, std::memory_order_seq_cst) == 1) door_.notify_one();
        }
    }

    bool enter() {
        std::uint32_t door = door_.load(std::memory_order_relaxed);
        while (door & k_open)
            if (door_.compare_exchange_weak(door, door + 1, std::memory_order_acquire)) return true;
        return false;
    }

    std::atomic<bool> busy_ = false, ended_ = false;
    StagedWork* work_ = nullptr; ///< for those inside
    FloatMode mode_;             ///< likewise: that of whoever called them
    alignas(64) std::atomic<std::uint32_t> calls_ = 0;
    alignas(64) std::atomic<std::uint32_t> door_ = 0;
    std::vector<std::thread> threads_;
};

Jobs::Jobs(int threads)
    : threads_(threads > 0 ? threads : std::max(1, int(std::thread::hardware_concurrency()))) {
    if (threads_ > 1) pool_ = std::make_unique<Pool>(shares() - 1);
}

Jobs::~Jobs() = default;
Jobs::Jobs(Jobs&&) noexcept = default;
Jobs& Jobs::operator=(Jobs&&) noexcept = default;

void Jobs::run(std::span<const WorkStage> stages, const StageCalls& calls) const {
    const auto worth_it = [](const WorkStage& stage) { return stage.blocks() > 1; };
    if (pool_ && std::ranges::any_of(stages, worth_it)) {
        StagedWork work(stages, shares(), calls);
        return pool_->gather(work);
    }
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        const auto [count, block] = stages[stage];
        if (count > 0 && !calls.may_begin(stage)) return;
        for (std::size_t begin = 0; begin < count; begin += block)
            calls.block(calls.context, stage, begin, std::min(count, begin + block));
    }
}

int Jobs::shares() const {
    return std::min(threads_, StagedWork::k_most_shares);
}

} // namespace fovea
