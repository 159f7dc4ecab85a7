// Local bottom-up refit of MeshTree: a few vertices move, only the boxes above them change.
#include <algorithm>
#include <string>

#include "fovea/geometry/number_text.h"
#include "fovea/volume/mesh_tree_links.h"

namespace fovea {

MeshTree::LocalLinks::LocalLinks(const MeshHierarchy& h)
    : begin(h.vertex_order.size() + 1, 0)
    , leaves(3 * h.triangles.size())
    , leaf_slot(h.triangles.size())
    , tree_vertex(h.mesh_vertices, k_unused)
    , marked(h.child.size(), 0) {
    for (const auto& triangle : h.triangles) {
        for (const std::uint32_t vertex : triangle) ++begin[vertex + 1];
    }
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<std::uint32_t> cursor(begin.begin(), begin.end() - 1);
    for (std::uint32_t leaf = 0; leaf < h.triangles.size(); ++leaf) {
        for (const std::uint32_t vertex : h.triangles[leaf]) leaves[cursor[vertex]++] = leaf;
    }
    for (std::uint32_t slot = 0; slot < h.child.size(); ++slot) {
        const std::uint32_t child = h.child[slot];
        if (child == MeshHierarchy::k_no_child || !MeshHierarchy::is_leaf_child(child)) continue;
        leaf_slot[MeshHierarchy::leaf_of(child)] = slot;
    }
    for (std::uint32_t i = 0; i < h.vertex_order.size(); ++i) tree_vertex[h.vertex_order[i]] = i;
}

Result<void> MeshTree::move_vertices(std::span<const std::uint32_t> which,
                                     std::span<const Vec3> to) {
    if (motion_ != Motion::deforming) return failure("only a deforming mesh takes vertices");
    if (which.size() != to.size()) {
        return failure(std::to_string(to.size()) + " positions given for " +
                       std::to_string(which.size()) + " vertices");
    }
    for (std::size_t i = 0; i < which.size(); ++i) {
        if (which[i] >= hierarchy_->mesh_vertices) {
            return failure("vertex " + std::to_string(which[i]) + " moved in a mesh of " +
                           std::to_string(hierarchy_->mesh_vertices));
        }
        if (!is_finite(to[i])) {
            return failure("vertex " + std::to_string(which[i]) + " is " + vector_text(to[i]) +
                           ", which is not finite");
        }
    }
    if (!links_) links_ = std::make_unique<LocalLinks>(*hierarchy_);
    eager_counters_ = {};
    ++swept_epoch_;
    known_root_.reset();
    groups_.clear();

    // Every path ends where another has passed before, so no box is visited twice.
    LocalLinks& links = *links_;
    links.slots.clear();
    for (std::size_t i = 0; i < which.size(); ++i) {
        const std::uint32_t vertex = links.tree_vertex[which[i]];
        if (vertex == LocalLinks::k_unused) continue;
        vertices_[vertex] = to[i];
        for (const std::uint32_t leaf : links.leaves_of(vertex)) {
            std::uint32_t slot = links.leaf_slot[leaf];
            while (!links.marked[slot]) {
                links.marked[slot] = 1;
                links.slots.push_back(slot);
                if (slot == 0) break;
                slot = hierarchy_->parent_slot[slot / MeshHierarchy::k_block_width];
            }
        }
    }
    // Blocks are numbered depth first: going down the numbers, children come before parents.
    std::sort(links.slots.begin(), links.slots.end(), std::greater<>());
    for (const std::uint32_t slot : links.slots) {
        links.marked[slot] = 0;
        if (is_up_to_date(slot / MeshHierarchy::k_block_width)) refit_lane(slot);
    }
    return {};
}

void MeshTree::refit_lane(std::uint32_t slot) {
    constexpr std::uint32_t width = MeshHierarchy::k_block_width;
    const std::uint32_t child = hierarchy_->child[slot];
    Aabb box;
    const auto add = [&](std::uint32_t vertex) {
        box = merged(box, vertices_[vertex]);
        ++eager_counters_.vertices_read;
    };
    if (MeshHierarchy::is_leaf_child(child)) {
        for (const std::uint32_t v : hierarchy_->triangles[MeshHierarchy::leaf_of(child)]) add(v);
    } else if (is_up_to_date(child)) {
        box = merged(blocks_[child]);
    } else {
        const std::uint32_t node = hierarchy_->block_node[child];
        const MeshHierarchy::VertexList& list = hierarchy_->vertices[node];
        for (std::uint32_t v = list.begin; v < list.end; ++v) add(v);
        for (const std::uint32_t v : hierarchy_->border_of(node)) add(v);
    }
    const Vec3 zero; // -0 becomes +0, as in all boxes
    blocks_[slot / width].set_lane(slot % width, {box.low + zero, box.high + zero});
    ++eager_counters_.nodes_updated;
}

} // namespace fovea
