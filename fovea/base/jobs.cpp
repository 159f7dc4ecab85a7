#include "fovea/base/jobs.h"

#include <algorithm>
#include <optional>
#include <thread>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace fovea {

struct Jobs::Pool {
    explicit Pool(int threads)
        : arena(threads) {
        using oneapi::tbb::global_control;
        // Left alone, oneTBB starts no more threads than there are cores. The control is global,
        // so it is set only to raise that limit, never to bind the host's own use of oneTBB.
        if (std::size_t(threads) >
            global_control::active_value(global_control::max_allowed_parallelism))
            more_threads.emplace(global_control::max_allowed_parallelism, threads);
    }
    std::optional<oneapi::tbb::global_control> more_threads;
    oneapi::tbb::task_arena arena;
};

Jobs::Jobs(int threads)
    : threads_(threads > 0 ? threads : std::max(1, int(std::thread::hardware_concurrency()))) {
    if (threads_ > 1) pool_ = std::make_unique<Pool>(threads_);
}

Jobs::~Jobs() = default;
Jobs::Jobs(Jobs&&) noexcept = default;
Jobs& Jobs::operator=(Jobs&&) noexcept = default;

void Jobs::run(std::span<const WorkStage> stages, StagedWork::BlockFunction function,
               void* context) const {
    const auto worth_it = [](const WorkStage& stage) { return stage.blocks() > 1; };
    if (pool_ && std::ranges::any_of(stages, worth_it)) {
        StagedWork work(stages, helpers(), function, context);
        return gather(work);
    }
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        const auto [count, block] = stages[stage];
        for (std::size_t begin = 0; begin < count; begin += block)
            function(context, stage, begin, std::min(count, begin + block));
    }
}

int Jobs::helpers() const {
    return std::min(threads_, StagedWork::k_most_shares);
}

void Jobs::gather(StagedWork& work) const {
    using Range = oneapi::tbb::blocked_range<int>;
    pool_->arena.execute([&] {
        oneapi::tbb::parallel_for(
            Range(0, helpers()), [&](const Range& range) { work.take_part(range.begin()); },
            oneapi::tbb::simple_partitioner());
    });
}

} // namespace fovea
