// Update policies of MeshTree: what is computed at once, and what when a block is opened.
#include <algorithm>
#include <thread>

#include "fovea/base/assert.h"
#include "fovea/volume/mesh_tree.h"
#include "fovea/volume/mesh_tree_links.h"

namespace fovea {

void MeshTree::update_eagerly() {
    eager_depth_ = -1;
    switch (refit_.policy) {
    case UpdatePolicy::rebuild:
    case UpdatePolicy::bottom_up:
        eager_counters_.vertices_read += sweep_bottom_up(*hierarchy_, view(), blocks_);
        eager_counters_.nodes_updated += hierarchy_->nodes.size();
        std::fill(stamps_.begin(), stamps_.end(), fitted_stamp());
        eager_depth_ = hierarchy_->height;
        break;
    case UpdatePolicy::top_down:
        break;
    case UpdatePolicy::hybrid:
        // A depth of our own choice is our own to postpone: see refit().
        if (refit_.eager_depth >= 0)
            fit_down_to(refit_.eager_depth);
        else
            eager_depth_ = std::min(costs_->cheapest_depth(), hierarchy_->height);
        break;
    }
}

void MeshTree::fit_down_to(int depth) {
    eager_depth_ = std::min(depth, hierarchy_->height);
    // Blocks at depth k hold nodes of depth k + 1, so those down to `depth` - 1 are wanted, the
    // deepest from vertices. Leaves above come from their triangles either way.
    for (int k = eager_depth_ - 1; k >= -1; --k) {
        for (std::uint32_t i = depth_begin_[k + 1]; i < by_depth_.size(); ++i) {
            const std::uint32_t block = by_depth_[i];
            if (block_depth(block) != k) break;
            eager_counters_.vertices_read +=
                k == eager_depth_ - 1
                    ? boxes_from_vertices(*hierarchy_, block, view(), blocks_[block])
                    : boxes_from_children(*hierarchy_, block, view(), blocks_, blocks_[block]);
            eager_counters_.nodes_updated += hierarchy_->child_count[block];
            stamps_[block] = fitted_stamp();
        }
    }
}

std::uint32_t MeshTree::block_end(std::uint32_t block) const {
    const auto& nodes = hierarchy_->block_node;
    const std::uint32_t last = hierarchy_->nodes[nodes[block]].skip;
    return std::uint32_t(std::lower_bound(nodes.begin() + 1, nodes.end(), last) - nodes.begin());
}

bool MeshTree::claim(std::uint32_t block) {
    const auto stamp = stamp_of(stamps_[block]);
    std::uint32_t seen = stamp.load(std::memory_order_acquire);
    // Stamps of this frame are busy, fitted or opened; all others are older, hence smaller.
    while (seen < busy_stamp()) {
        if (stamp.compare_exchange_weak(seen, busy_stamp(), std::memory_order_acquire)) return true;
    }
    return false;
}

void MeshTree::publish(std::uint32_t block, std::uint32_t state) {
    stamp_of(stamps_[block]).store(frame_ * 4 + state, std::memory_order_release);
}

void MeshTree::wait_until_fitted(std::uint32_t block) const {
    const auto stamp = stamp_of(const_cast<std::uint32_t&>(stamps_[block]));
    for (int spins = 0; stamp.load(std::memory_order_acquire) == busy_stamp(); ++spins) {
        if (spins > 100) std::this_thread::yield();
    }
}

void MeshTree::open_slowly(std::uint32_t block, RefitCounters& counters) {
    if (claim(block)) {
        refit(block, counters);
        publish(block, k_opened);
        costs_->note_opened(block, block_depth(block));
        return;
    }
    wait_until_fitted(block);
    std::uint32_t fitted = fitted_stamp();
    if (stamp_of(stamps_[block]).compare_exchange_strong(fitted, opened_stamp()))
        costs_->note_opened(block, block_depth(block));
}

void MeshTree::refit(std::uint32_t block, RefitCounters& counters) {
    if (motion_ == Motion::morphing) {
        morph_->blend_block(block, blocks_[block]);
        counters.nodes_updated += hierarchy_->child_count[block];
        return;
    }
    if (block == 0 && refit_.policy == UpdatePolicy::hybrid && refit_.eager_depth < 0) {
        // The first query of the frame begins here, so the eager pass runs now: a body that no
        // query reaches in this frame is spared it. Deepest first, as in fit_down_to.
        for (int k = eager_depth_ - 1; k >= 0; --k) {
            for (std::uint32_t i = depth_begin_[k + 1];
                 i < by_depth_.size() && block_depth(by_depth_[i]) == k; ++i) {
                const std::uint32_t b = by_depth_[i];
                if (!claim(b)) {
                    wait_until_fitted(b);
                    continue;
                }
                counters.vertices_read +=
                    k == eager_depth_ - 1
                        ? boxes_from_vertices(*hierarchy_, b, view(), blocks_[b])
                        : boxes_from_children(*hierarchy_, b, view(), blocks_, blocks_[b]);
                counters.nodes_updated += hierarchy_->child_count[b];
                publish(b, k_fitted);
            }
        }
    }
    switch (refit_.lazy) {
    case LazyVariant::node:
        return refit_below(block, 1, counters);
    case LazyVariant::subtree:
        return refit_below(block, hierarchy_->height + 2, counters);
    case LazyVariant::levels:
        return refit_below(block, std::max(1, refit_.lazy_levels), counters);
    }
}

/// Refits `levels` levels of blocks from `block` down, which the caller has claimed: the deepest
/// from vertices, the others by merging. Waiting is only ever for blocks further down, so two
/// threads never wait for each other.
void MeshTree::refit_below(std::uint32_t block, int levels, RefitCounters& counters) {
    const int top = block_depth(block);
    const auto fit = [&](std::uint32_t b) {
        if (b == 0 && known_root_) {
            blocks_[0].set_lane(0, *known_root_);
            counters.vertices_read += hierarchy_->vertex_order.size();
            ++counters.nodes_updated;
            return;
        }
        counters.vertices_read +=
            block_depth(b) - top == levels - 1
                ? boxes_from_vertices(*hierarchy_, b, view(), blocks_[b])
                : boxes_from_children(*hierarchy_, b, view(), blocks_, blocks_[b]);
        counters.nodes_updated += hierarchy_->child_count[b];
    };
    if (levels > 1) {
        for (std::uint32_t b = block == 0 ? std::uint32_t(blocks_.size()) : block_end(block);
             --b > block;) {
            if (block_depth(b) - top >= levels) continue;
            if (claim(b))
                fit(b), publish(b, k_fitted);
            else
                wait_until_fitted(b);
        }
    }
    fit(block);
}

void MeshTree::prepare_swept() {
    FOVEA_ASSERT(motion_ != Motion::deforming || keeps_previous_);
    if (!swept_.empty()) return;
    swept_.resize(blocks_.size());
    swept_stamps_.assign(blocks_.size(), 0);
}

const WideBoxes& MeshTree::open_swept(std::uint32_t block, RefitCounters& counters) {
    FOVEA_ASSERT(!swept_.empty());
    if (swept_stamps_[block] == swept_epoch_) return swept_[block];
    WideBoxes before;
    if (motion_ == Motion::morphing) {
        morph_->blend_block(block, swept_[block]);
        morph_->blend_previous_block(block, before);
    } else {
        counters.vertices_read += boxes_from_vertices(*hierarchy_, block, view(), swept_[block]);
        counters.vertices_read +=
            boxes_from_vertices(*hierarchy_, block, {previous_vertices_.data()}, before);
    }
    counters.nodes_updated += hierarchy_->child_count[block];
    swept_[block] = merged(swept_[block], before);
    swept_stamps_[block] = swept_epoch_;
    return swept_[block];
}

} // namespace fovea
