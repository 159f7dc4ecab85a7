// Work spread over threads.
//
// A range is cut into blocks of a fixed size, whatever the number of threads; each block writes
// only what belongs to it. So results never depend on how many threads ran, or in which order.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>

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
    /// returns when all are done. `work` must not throw.
    template <class Work>
    void for_blocks(std::size_t count, std::size_t block, Work&& work) const {
        // What the caller wrote before is seen by every block, and what the blocks wrote by the
        // caller afterwards. The pool sees to that as well, but out of a thread sanitizer's sight.
        struct Task {
            std::remove_reference_t<Work>& work;
            std::atomic<bool> handed_over = false; ///< written by the caller alone
            std::atomic<bool> handed_back = false; ///< written by the blocks, read by the caller
        } task{work};
        task.handed_over.store(true, std::memory_order_release);
        run(
            count, block,
            [](void* context, std::size_t begin, std::size_t end) {
                Task& shared = *static_cast<Task*>(context);
                (void)shared.handed_over.load(std::memory_order_acquire);
                shared.work(begin, end);
                shared.handed_back.exchange(true, std::memory_order_release);
            },
            &task);
        (void)task.handed_back.load(std::memory_order_acquire);
    }

  private:
    using BlockFunction = void (*)(void* context, std::size_t begin, std::size_t end);
    void run(std::size_t count, std::size_t block, BlockFunction function, void* context) const;

    struct Pool;
    int threads_;
    std::unique_ptr<Pool> pool_; ///< absent when single-threaded
};

} // namespace fovea
