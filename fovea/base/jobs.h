// Work spread over threads.
//
// A range is cut into blocks of a fixed size, whatever the number of threads; each block writes
// only what belongs to it. So results never depend on how many threads ran, or in which order.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "fovea/base/staged_work.h"

namespace fovea {

class Jobs {
  public:
    /// `threads` = 1 runs everything on the calling thread; 0 takes one per core.
    explicit Jobs(int threads = 1);
    ~Jobs();
    Jobs(Jobs&&) noexcept;
    Jobs& operator=(Jobs&&) noexcept;

    int threads() const { return threads_; }

    /// Calls `work(begin, end)` for consecutive blocks of `block` items covering [0, count) and
    /// returns when all are done. `work` must not throw; it may itself call this.
    template <class Work>
    void for_blocks(std::size_t count, std::size_t block, Work&& work) const {
        const WorkStage stage{count, block};
        for_stages({&stage, 1},
                   [&](std::size_t, std::size_t begin, std::size_t end) { work(begin, end); });
    }

    /// The same for several ranges, one after the other, as `work(stage, begin, end)`. The threads
    /// stay together from the first to the last, which makes short stages worth their while.
    template <class Work>
    void for_stages(std::span<const WorkStage> stages, Work&& work) const {
        run(
            stages,
            [](void* context, std::size_t stage, std::size_t begin, std::size_t end) {
                (*static_cast<std::remove_reference_t<Work>*>(context))(stage, begin, end);
            },
            &work);
    }

  private:
    void run(std::span<const WorkStage> stages, StagedWork::BlockFunction function,
             void* context) const;
    int shares() const;

    class Pool;
    int threads_;
    std::unique_ptr<Pool> pool_; ///< absent when single-threaded
};

} // namespace fovea
