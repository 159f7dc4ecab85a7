// Waiting for another thread that will be ready soon.
#pragma once

#include <chrono>
#include <thread>

namespace fovea {

/// Waits a little, the more patiently the longer it has been: awake, then letting others go first,
/// and asleep where there are more threads than processors.
class Patience {
  public:
    void wait() {
        ++waits_;
        if (is_exhausted())
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        else if (waits_ > k_awake)
            std::this_thread::yield();
#if defined(__x86_64__) || defined(__i386__)
        else
            __builtin_ia32_pause();
#endif
    }

    bool is_exhausted() const {
        return waits_ > k_awake + k_polite;
    }

  private:
    static constexpr int k_awake = 2000; ///< some 50 microseconds
    static constexpr int k_polite = 200;
    int waits_ = 0;
};

} // namespace fovea
