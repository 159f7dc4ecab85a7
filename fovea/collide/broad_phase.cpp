#include "fovea/collide/broad_phase.h"

#include "fovea/base/assert.h"
#include "fovea/collide/brute_broad_phase.h"
#include "fovea/collide/sweep_broad_phase.h"
#include "fovea/collide/tree_broad_phase.h"

namespace fovea {

std::unique_ptr<BroadPhase> make_broad_phase(BroadPhaseMethod method) {
    switch (method) {
    case BroadPhaseMethod::brute:
        return std::make_unique<BruteBroadPhase>();
    case BroadPhaseMethod::sweep:
        return std::make_unique<SweepBroadPhase>();
    case BroadPhaseMethod::plain_sweep:
        return std::make_unique<SweepBroadPhase>(SweepSettings{.regions = false, .presort = false});
    case BroadPhaseMethod::tree:
        return std::make_unique<TreeBroadPhase>();
    }
    FOVEA_ASSERT(false);
    return nullptr;
}

} // namespace fovea
