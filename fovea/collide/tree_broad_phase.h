// Pairs by dynamic trees of fattened boxes.
//
// A leaf's box is a little larger than the proxy's, so a proxy enters anew only when it has moved
// out of its leaf. Only then is the tree asked for its partners. These candidates, whose fat boxes
// overlap, are kept from step to step; each step keeps those whose true boxes overlap. Fixed
// proxies have a tree of their own, which only newcomers change.
#pragma once

#include "fovea/collide/table_broad_phase.h"
#include "fovea/volume/dynamic_tree.h"

namespace fovea {

class TreeBroadPhase final : public TableBroadPhase {
  public:
    void add(std::uint32_t proxy, const Aabb& box, bool fixed) override;
    void add_half_space(std::uint32_t proxy, const HalfSpace& plane) override;
    void remove(std::uint32_t proxy) override;
    void update(std::span<const Aabb> boxes, const Jobs& jobs) override;

  private:
    void touch(std::uint32_t proxy);
    void take_boxes(std::span<const Aabb> boxes);
    void find_candidates();

    DynamicTree movable_tree_, fixed_tree_;
    std::vector<std::uint32_t> leaves_;  ///< by proxy number
    std::vector<std::uint8_t> touched_;  ///< by proxy number: came, went or left its fat box
    std::vector<std::uint32_t> changed_; ///< those touched
    std::vector<ProxyPair> candidates_, found_, scratch_;
};

} // namespace fovea
