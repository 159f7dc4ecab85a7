// Whom a step may wake, known before pairs climb, so that the time to answer it can be set aside.
//
//      (a)           awake; its pair with the topmost of the heap is undecided
//     [b][c]
//    [d][e][f]       asleep: as long as some pair may wake one of them, all five count as awake
//   ===========
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fovea/base/disjoint_sets.h"
#include "fovea/collide/broad_phase.h"
#include "fovea/contact/contact_patch.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/dynamics/joint.h"
#include "fovea/dynamics/springs.h"
#include "fovea/world/response_plan.h"

namespace fovea {

class Sleepers {
  public:
    static constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();

    struct Heap {
        ResponseLoad load;  ///< with the contacts among each other and with what cannot move
        bool wakes = false; ///< whatever pairs do: joined to somebody who is awake
    };
    struct Scene {
        const Bodies& bodies;
        std::span<const std::uint8_t> active;  ///< per slot; movable bodies that are not, sleep
        std::span<const ContactPatch> patches; ///< of the step before, sorted by pair
        std::span<const Spring> springs;
        std::span<const Joint> joints;
    };

    /// Nobody sleeps whom this step could wake.
    void clear();
    void find(const Scene& scene);

    /// What sleeps together.
    std::span<const Heap> heaps() const { return heaps_; }
    /// The number of the heap that wakes if this pair, of which one is active, touches; k_none if
    /// there is none.
    std::uint32_t heap_of(const ProxyPair& pair) const {
        if (heap_at_.empty()) return k_none;
        const std::uint32_t heap = heap_at_[pair.a];
        return heap != k_none ? heap : heap_at_[pair.b];
    }

  private:
    DisjointSets sets_;
    std::vector<std::uint32_t> heap_at_; ///< per slot
    std::vector<Heap> heaps_;
};

} // namespace fovea
