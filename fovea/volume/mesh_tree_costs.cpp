#include "fovea/volume/mesh_tree_costs.h"

#include <algorithm>

#include "fovea/volume/wide_boxes.h"

namespace fovea {

namespace {

/// Vertices of a range come four to a load and without a miss, or in groups whose boxes are known,
/// but for those of broken groups at both ends; a border vertex is a load of its own.
std::uint64_t list_cost(const MeshHierarchy::VertexList& list) {
    const std::uint32_t range = list.end - list.begin;
    const std::uint32_t alone = std::min(range, k_group_vertices);
    return alone / 4 + (range - alone) / k_group_vertices + (list.border_end - list.border_begin);
}

constexpr std::uint64_t k_box_cost = 4;  ///< to store a box; also to merge its children
constexpr std::uint64_t k_leaf_cost = 3; ///< three corners

} // namespace

RefitCosts::RefitCosts(const MeshHierarchy& h)
    : block_cost_(h.block_count(), 0)
    , eager_(h.height + 2, 0)
    , recent_(h.height + 2, 0)
    , opened_(h.height + 2)
    , half_height_(h.height / 2) {
    for (std::uint32_t node = 0; node < h.nodes.size(); ++node) {
        const std::uint32_t block = h.nodes[node].slot / MeshHierarchy::k_block_width;
        const bool leaf = h.is_leaf(node);
        const std::uint64_t from_vertices =
            k_box_cost + (leaf ? k_leaf_cost : list_cost(h.vertices[node]));
        block_cost_[block] += std::uint32_t(from_vertices);
        // In an eager pass down to depth d a node above d is merged, one at d read.
        const int depth = h.depth[node];
        eager_[depth + 1] += from_vertices;
        for (int d = depth + 1; d <= h.height; ++d)
            eager_[d + 1] += leaf ? from_vertices : 2 * k_box_cost;
    }
}

void RefitCosts::end_frame() {
    for (std::size_t i = 0; i < recent_.size(); ++i) {
        const std::uint64_t opened = opened_[i].exchange(0, std::memory_order_relaxed);
        recent_[i] = first_frame_ ? opened : recent_[i] - recent_[i] / 4 + opened / 4;
    }
    first_frame_ = false;
}

int RefitCosts::cheapest_depth() const {
    if (first_frame_) return half_height_;
    std::uint64_t lazy = 0; // cost of the blocks at or below the depth looked at
    for (const std::uint64_t cost : recent_) lazy += cost;
    std::uint64_t best = ~std::uint64_t(0);
    int best_depth = -1;
    for (std::size_t i = 0; i < eager_.size(); ++i) {
        if (eager_[i] + lazy < best) best = eager_[i] + lazy, best_depth = int(i) - 1;
        lazy -= recent_[i];
    }
    return best_depth;
}

} // namespace fovea
