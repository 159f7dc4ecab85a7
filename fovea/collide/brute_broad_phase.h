// The reference: every box against every other, n(n-1)/2 tests (Stokes 4.4, but each pair once).
#pragma once

#include "fovea/collide/proxy_table.h"

namespace fovea {

class BruteBroadPhase final : public BroadPhase {
  public:
    void add(std::uint32_t proxy, const Aabb& box, bool fixed) override;
    void add_half_space(std::uint32_t proxy, const HalfSpace& plane) override;
    void remove(std::uint32_t proxy) override;
    void update(std::span<const Aabb> boxes) override;
    std::span<const ProxyPair> pairs() const override { return runs_.pairs(); }
    BroadPhaseCounters counters() const override { return counters_; }

  private:
    ProxyTable table_;
    PairRuns runs_;
    BroadPhaseCounters counters_;
};

} // namespace fovea
