#include "fovea/base/arena.h"

#include <algorithm>
#include <new>

namespace fovea {

void Arena::FreeAligned::operator()(std::byte* p) const {
    ::operator delete[](p, std::align_val_t{k_alignment});
}

Arena::Block Arena::make_block(std::size_t bytes) {
    auto* memory = static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{k_alignment}));
    return {std::unique_ptr<std::byte[], FreeAligned>(memory), bytes};
}

Arena::Arena(std::size_t first_block_bytes) {
    blocks_.push_back(make_block(std::max(first_block_bytes, k_alignment)));
}

void* Arena::allocate_bytes(std::size_t bytes) {
    bytes = (bytes + k_alignment - 1) / k_alignment * k_alignment;
    if (cursor_ + bytes > blocks_.back().bytes) {
        used_before_ += cursor_;
        cursor_ = 0;
        blocks_.push_back(make_block(std::max(bytes, 2 * blocks_.back().bytes)));
    }
    void* result = blocks_.back().memory.get() + cursor_;
    cursor_ += bytes;
    return result;
}

void Arena::reset() {
    if (blocks_.size() > 1) {
        const std::size_t needed = bytes_reserved();
        blocks_.clear();
        blocks_.push_back(make_block(needed));
    }
    cursor_ = 0;
    used_before_ = 0;
}

std::size_t Arena::bytes_reserved() const {
    std::size_t sum = 0;
    for (const Block& block : blocks_) sum += block.bytes;
    return sum;
}

} // namespace fovea
