// What refitting costs a MeshTree at each depth, counted; private to it.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "fovea/volume/mesh_hierarchy.h"

namespace fovea {

/// Counted cost of computing all nodes down to some depth at once against refitting the blocks
/// that queries open. The unit is one vertex read at random; neighbouring ones share a load.
class RefitCosts {
  public:
    explicit RefitCosts(const MeshHierarchy& hierarchy);

    /// Safe from several threads.
    void note_opened(std::uint32_t block, int block_depth) {
        opened_[block_depth + 1].fetch_add(block_cost_[block], std::memory_order_relaxed);
    }
    /// Folds the blocks opened since the last call into the recent ones.
    void end_frame();
    /// The eager depth, from -1 (nothing at once) to the height, that would have cost the least.
    int cheapest_depth() const;

  private:
    std::vector<std::uint32_t> block_cost_;          ///< of refitting a block from its vertices
    std::vector<std::uint64_t> eager_;               ///< per eager depth + 1
    std::vector<std::uint64_t> recent_;              ///< per block depth + 1, smoothed
    std::vector<std::atomic<std::uint64_t>> opened_; ///< per block depth + 1, this frame
    bool first_frame_ = true;
    int half_height_;
};

} // namespace fovea
