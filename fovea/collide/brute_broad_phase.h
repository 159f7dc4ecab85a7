// The reference: every box against every other, n(n-1)/2 tests (Stokes 4.4, but each pair once).
#pragma once

#include "fovea/collide/table_broad_phase.h"

namespace fovea {

class BruteBroadPhase final : public TableBroadPhase {
  public:
    void add(std::uint32_t proxy, const Aabb& box, bool fixed) override;
    void add_half_space(std::uint32_t proxy, const HalfSpace& plane) override;
    void remove(std::uint32_t proxy) override;
    void update(std::span<const Aabb> boxes, const Jobs& jobs) override;
};

} // namespace fovea
