#include "fovea/base/jobs.h"

#include <algorithm>
#include <thread>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace fovea {

struct Jobs::Pool {
    explicit Pool(int threads)
        : arena(threads) {}
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
    pool_->arena.execute(
        [&] { oneapi::tbb::parallel_for(std::size_t(0), blocks, std::size_t(1), run_block); });
}

} // namespace fovea
