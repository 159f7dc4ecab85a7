// A vector of bounded length inside the object itself: no heap, and no cost for unused elements.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "fovea/base/assert.h"

namespace fovea {

template <class T, std::size_t capacity>
class InplaceVector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    /// Leaves the storage as it is, even where a default constructor would be asked to clear all:
    /// large scratch arrays must not be cleared on every use.
    InplaceVector()
        : size_(0) {}

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    bool full() const { return size_ == capacity; }
    void clear() { size_ = 0; }
    void pop_back() { --size_; }

    void push_back(const T& value) {
        FOVEA_ASSERT(!full());
        new (storage_ + sizeof(T) * size_++) T(value);
    }

    T& operator[](std::size_t i) {
        FOVEA_ASSERT(i < size_);
        return data()[i];
    }
    const T& operator[](std::size_t i) const {
        FOVEA_ASSERT(i < size_);
        return data()[i];
    }

    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }

  private:
    T* data() { return std::launder(reinterpret_cast<T*>(storage_)); }
    const T* data() const { return std::launder(reinterpret_cast<const T*>(storage_)); }

    std::size_t size_;
    alignas(T) std::byte storage_[capacity * sizeof(T)];
};

} // namespace fovea
