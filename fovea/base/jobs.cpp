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

void Jobs::run(std::size_t count, std::size_t block, BlockFunction function, void* context) const {
    const std::size_t blocks = (count + block - 1) / block;
    const auto run_block = [&](std::size_t i) {
        function(context, i * block, std::min(count, (i + 1) * block));
    };
    if (!pool_ || blocks < 2) {
        for (std::size_t i = 0; i < blocks; ++i) run_block(i);
        return;
    }
    // Each block is a task: blocks are few and sized by those who know their work.
    using Range = oneapi::tbb::blocked_range<std::size_t>;
    pool_->arena.execute([&] {
        oneapi::tbb::parallel_for(
            Range(0, blocks),
            [&](const Range& range) {
                for (std::size_t i = range.begin(); i < range.end(); ++i) run_block(i);
            },
            oneapi::tbb::simple_partitioner());
    });
}

} // namespace fovea
