// Waiting for another thread that will be ready soon.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace fovea {

/// How often to let others go first before falling asleep. Waking up takes some 50 microseconds;
/// staying awake takes a processor, which a thread that is waited for may be waiting for itself.
enum class Patience : int {
    for_work = 200, ///< of threads that have nothing to do: asleep until they are notified
    amid_work = 20, ///< for threads that are at it already: in naps, so that nobody need notify
};

/// Waits until `ready(value)` holds of an atomic that others change: awake for some 50
/// microseconds, then letting others go first, then asleep.
///
/// A notification can be lost: whether anybody is asleep is looked up after a store that nobody may
/// have seen yet. An idle thread that misses a call comes to the next one; amid work it would never
/// wake up, and whoever waits for it neither.
template <class T, class Ready>
T wait_until(const std::atomic<T>& atomic, Patience patience, Ready&& ready) {
    constexpr int k_awake = 2000;
    constexpr std::chrono::microseconds k_nap(20);
    for (int waits = 0;; ++waits) {
        const T value = atomic.load(std::memory_order_acquire);
        if (ready(value)) return value;
        if (waits >= k_awake + int(patience)) {
            if (patience == Patience::for_work)
                atomic.wait(value, std::memory_order_acquire);
            else
                std::this_thread::sleep_for(k_nap);
        } else if (waits >= k_awake) {
            std::this_thread::yield();
        }
#if defined(__x86_64__) || defined(__i386__)
        else
            __builtin_ia32_pause();
#endif
    }
}

} // namespace fovea
