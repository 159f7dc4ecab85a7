// Hashing of state: equal hashes stand for equal bits. Not cryptographic.
#pragma once

#include <bit>
#include <cstdint>

#include "fovea/base/quat.h"

namespace fovea {

/// Order-dependent 64-bit hash, fed value by value. -0 and 0 differ, as their bits do.
class Hasher {
  public:
    void add(std::uint64_t value) {
        state_ = (std::rotl(state_, 5) ^ value) * 0x9ddfea08eb382d69u;
        state_ ^= state_ >> 32;
    }
    void add(float value) { add(std::uint64_t(std::bit_cast<std::uint32_t>(value))); }
    void add(const Vec3& v) { add(v.x), add(v.y), add(v.z); }
    void add(const Quat& q) { add(q.w), add(q.vector()); }

    std::uint64_t value() const { return state_; }

  private:
    std::uint64_t state_ = 0x243f6a8885a308d3u;
};

} // namespace fovea
