// Seeded random numbers, the same on every machine: only integer arithmetic and exact floating
// point operations are used.
#pragma once

#include <cstdint>

#include "fovea/base/vec3.h"

namespace fovea {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): one add and three mixing steps per number,
/// full period 2^64, every seed is good.
class Random {
  public:
    explicit Random(std::uint64_t seed)
        : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    double uniform() { return double(bits() >> 11) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

    /// Uniform in {0, ..., count - 1}.
    std::uint32_t below(std::uint32_t count) {
        return std::uint32_t((std::uint64_t(std::uint32_t(bits() >> 32)) * count) >> 32);
    }

    /// Mean 0, deviation 1: the sum of twelve uniform draws less six. Its tails end at 6, which
    /// suits jitter, and it needs no logarithm, whose last bit differs between C libraries.
    double gaussian() {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += uniform();
        return sum;
    }
    double gaussian(double mean, double deviation) { return mean + deviation * gaussian(); }

    /// Uniform on the unit sphere, by rejection from the cube.
    Vec3d direction() {
        for (;;) {
            const Vec3d v(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
            const double squared = length_squared(v);
            if (squared > 1e-4 && squared <= 1) return v / std::sqrt(squared);
        }
    }

  private:
    std::uint64_t state_;
};

} // namespace fovea
