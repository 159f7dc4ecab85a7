// Replaces the global operator new in all its forms: the address sanitizer has its own of each, and
// memory must be freed by the family that it came from.
#include "tests/oracles/allocation_counter.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> counter = 0;

void* counted(std::size_t bytes, std::size_t alignment) {
    counter.fetch_add(1, std::memory_order_relaxed);
    // aligned_alloc wants a multiple of the alignment, and not nothing.
    bytes = (bytes + alignment - 1) / alignment * alignment;
    if (void* p = std::aligned_alloc(alignment, bytes > 0 ? bytes : alignment)) return p;
    std::abort(); // no test runs out of memory on purpose
}
} // namespace

void* operator new(std::size_t bytes) {
    return counted(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return counted(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return counted(bytes, std::size_t(alignment));
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, const std::nothrow_t&) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
    std::free(p);
}
void* operator new[](std::size_t bytes) {
    return counted(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return counted(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return counted(bytes, std::size_t(alignment));
}
void operator delete[](void* p) noexcept {
    std::free(p);
}
void operator delete[](void* p, const std::nothrow_t&) noexcept {
    std::free(p);
}
void operator delete[](void* p, std::size_t) noexcept {
    std::free(p);
}
void operator delete[](void* p, std::align_val_t) noexcept {
    std::free(p);
}
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
    std::free(p);
}

long fovea::test::allocations() {
    return counter.load(std::memory_order_relaxed);
}
