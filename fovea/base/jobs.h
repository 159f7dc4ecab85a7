// Work spread over threads.
//
// A range is cut into blocks of a fixed size, whatever the number of threads; each block writes
// only what belongs to it. So results never depend on how many threads ran, or in which order.
#pragma once

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
        run(
            count, block,
            [](void* context, std::size_t begin, std::size_t end) {
                (*static_cast<std::remove_reference_t<Work>*>(context))(begin, end);
            },
            const_cast<void*>(static_cast<const void*>(&work)));
    }

  private:
    using BlockFunction = void (*)(void* context, std::size_t begin, std::size_t end);
    void run(std::size_t count, std::size_t block, BlockFunction function, void* context) const;

    struct Pool;
    int threads_;
    std::unique_ptr<Pool> pool_; ///< absent when single-threaded
};

} // namespace fovea
