// How the processor rounds, and what it does with numbers too small to be normal.
//
// A body that comes to rest passes through velocities below 1e-38, whose arithmetic is some hundred
// times slower than that of others: a solver that meets them takes several times as long. So steps
// run with such numbers taken for 0, and rounding to nearest, whatever mode the host is in: how
// long a step takes, and its bits, do not depend on that. Known of x86 and 64-bit ARM; elsewhere
// the host's mode stays. The host's own functions are called in the host's mode.
#pragma once

#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

namespace fovea {

/// The mode of the calling thread.
struct FloatMode {
    std::uint64_t bits = 0;

    static FloatMode of_this_thread() {
#if defined(__x86_64__) || defined(__i386__)
        return {_mm_getcsr()};
#elif defined(__aarch64__)
        std::uint64_t bits;
        asm volatile("mrs %0, fpcr" : "=r"(bits));
        return {bits};
#else
        return {};
#endif
    }
    void set() const {
#if defined(__x86_64__) || defined(__i386__)
        _mm_setcsr(std::uint32_t(bits));
#elif defined(__aarch64__)
        asm volatile("msr fpcr, %0" : : "r"(bits));
#endif
    }
    /// Nearest, no exceptions, no numbers below the normal ones.
    static constexpr FloatMode of_steps() {
#if defined(__x86_64__) || defined(__i386__)
        return {0x9fc0}; // all exceptions masked, denormals are zeros, results flushed to zero
#elif defined(__aarch64__)
        return {1u << 24}; // flush to zero
#else
        return {};
#endif
    }
};

/// For as long as it lives, the calling thread is in this mode.
class FloatModeScope {
  public:
    explicit FloatModeScope(const FloatMode& mode)
        : before_(FloatMode::of_this_thread()) {
        mode.set();
    }
    ~FloatModeScope() { before_.set(); }
    FloatModeScope(const FloatModeScope&) = delete;
    FloatModeScope& operator=(const FloatModeScope&) = delete;

  private:
    FloatMode before_;
};

} // namespace fovea
