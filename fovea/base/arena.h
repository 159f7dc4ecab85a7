// Bump allocator for memory that lives for one step.
//
// allocate() moves a cursor through a block; reset() moves it back. When the block was too small
// the arena strings further ones behind it and, at the next reset, replaces them all by a single
// block of the size that was needed: after a few steps it no longer touches the heap.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace fovea {

class Arena {
  public:
    explicit Arena(std::size_t first_block_bytes = 64 * 1024);

    /// `count` uninitialised values, aligned for SIMD. Valid until reset().
    template <class T>
    std::span<T> allocate(std::size_t count) {
        static_assert(std::is_trivially_destructible_v<T>);
        return {static_cast<T*>(allocate_bytes(count * sizeof(T))), count};
    }

    /// Forgets all that was allocated.
    void reset();

    std::size_t bytes_used() const { return used_before_ + cursor_; }
    std::size_t bytes_reserved() const;

  private:
    static constexpr std::size_t k_alignment = 64;

    struct FreeAligned {
        void operator()(std::byte* p) const;
    };
    struct Block {
        std::unique_ptr<std::byte[], FreeAligned> memory;
        std::size_t bytes;
    };

    void* allocate_bytes(std::size_t bytes);
    static Block make_block(std::size_t bytes);

    std::vector<Block> blocks_;
    std::size_t cursor_ = 0;      ///< into the last block
    std::size_t used_before_ = 0; ///< in the blocks before the last
};

} // namespace fovea
