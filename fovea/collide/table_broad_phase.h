// What the broad phases have in common: a table of their proxies and sorted runs of pairs.
#pragma once

#include "fovea/collide/broad_phase.h"
#include "fovea/collide/pair_runs.h"
#include "fovea/collide/proxy_table.h"

namespace fovea {

class TableBroadPhase : public BroadPhase {
  public:
    std::span<const ProxyPair> pairs() const final { return runs_.pairs(); }
    BroadPhaseCounters counters() const final { return counters_; }

  protected:
    ProxyTable table_;
    PairRuns runs_;
    BroadPhaseCounters counters_;
};

} // namespace fovea
