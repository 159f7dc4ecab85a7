// What of a budget is kept for sleepers whom a step may wake.
//
//   pair with a sleeper             its heap
//   touches, or is undecided        is answered on the floor, as if it woke
//   suppressed, but may climb       may wake, if climbing finds a contact
//   found apart                     sleeps on, if that was the last such pair
//
// Kept is the full response where half of what is free pays for it, else the least; of heaps that
// only climbing can wake the least, from half. The rest of the pairs must not stand still for a
// heap that most likely sleeps on. Where the floor does not fit, nor the least beside the full
// response to others, none is kept: such a step ends in time only if climbing shows that the heap
// sleeps on.
#pragma once

#include <vector>

#include "fovea/schedule/step_ledger.h"
#include "fovea/world/response_plan.h"
#include "fovea/world/sleepers.h"

namespace fovea {

/// What answering and joining bodies takes.
struct WakingUnits {
    ResponseUnits respond;
    ResponsePlan full;
    std::uint64_t join_pair; ///< of islands, per pair that touches
    bool floor_fits = false; ///< with the least response to all heaps that are on it
};

class WakingHeaps {
  public:
    void begin(const Sleepers& sleepers);
    /// A pair that may wake somebody. `touches`: it does unless climbing finds it apart.
    void note_pair(const ProxyPair& pair, bool touches);
    /// Of heaps that wake if nobody climbs.
    const ResponseLoad& on_floor() const { return on_floor_; }
    void set_aside(const WakingUnits& units, StepLedger& ledger);
    /// A pair that was noted has climbed and is apart.
    void note_apart(const ProxyPair& pair, StepLedger& ledger);

  private:
    struct Heap {
        std::uint32_t pairs = 0; ///< that may wake it
        bool on_floor = false;
        std::uint64_t respond = 0, join = 0; ///< set aside
    };

    const Sleepers* sleepers_ = nullptr;
    std::vector<Heap> heaps_;
    ResponseLoad on_floor_;
};

} // namespace fovea
