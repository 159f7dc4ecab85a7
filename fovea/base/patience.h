// Waiting for another thread that will be ready soon.
#pragma once

#include <atomic>
#include <thread>

namespace fovea {

/// How often to let others go first before falling asleep. Waking up takes some 50 microseconds;
/// staying awake takes a processor, which a thread that is waited for may be waiting for itself.
enum class Patience : int {
    for_work = 200, ///< of threads that have nothing to do
    amid_work = 20, ///< for threads that are at it already
};

/// Waits until `ready(value)` holds of an atomic that others change and notify of: awake for some
/// 50 microseconds, then letting others go first, then asleep.
///
/// They have to change it with std::memory_order_seq_cst. The standard library looks whether
/// anybody is asleep before it wakes them; after a weaker store it may look before the store is
/// seen, and whoever falls asleep at that moment never wakes up.
template <class T, class Ready>
T wait_until(const std::atomic<T>& atomic, Patience patience, Ready&& ready) {
    constexpr int k_awake = 2000;
    for (int waits = 0;; ++waits) {
        const T value = atomic.load(std::memory_order_acquire);
        if (ready(value)) return value;
        if (waits >= k_awake + int(patience))
            atomic.wait(value, std::memory_order_acquire);
        else if (waits >= k_awake)
            std::this_thread::yield();
#if defined(__x86_64__) || defined(__i386__)
        else
            __builtin_ia32_pause();
#endif
    }
}

} // namespace fovea
