// Work spread over threads.
//
// A range is cut into blocks of a fixed size, whatever the number of threads; each block writes
// only what belongs to it, in the floating-point mode of the caller. So results never depend on how
// many threads ran, or in which order.
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
        const auto block = [](void* context, std::size_t stage, std::size_t begin,
                              std::size_t end) {
            (*static_cast<std::remove_reference_t<Work>*>(context))(stage, begin, end);
        };
        run(stages, {block, nullptr, &work});
    }

    /// Until `begins(stage)`, asked once before each stage by one of the threads, says no.
    template <class Work, class Begins>
    void for_stages_while(std::span<const WorkStage> stages, Work&& work, Begins&& begins) const {
        struct Calls {
            std::remove_reference_t<Work>& work;
            std::remove_reference_t<Begins>& begins;
        } calls{work, begins};
        const auto block = [](void* context, std::size_t stage, std::size_t begin,
                              std::size_t end) {
            static_cast<Calls*>(context)->work(stage, begin, end);
        };
        const auto gate = [](void* context, std::size_t stage) {
            return bool(static_cast<Calls*>(context)->begins(stage));
        };
        run(stages, {block, gate, &calls});
    }

  private:
    void run(std::span<const WorkStage> stages, const StageCalls& calls) const;
    int shares() const;

    class Pool;
    int threads_;
    std::unique_ptr<Pool> pool_; ///< absent when single-threaded
};

} // namespace fovea
