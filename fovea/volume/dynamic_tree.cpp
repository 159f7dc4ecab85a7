#include "fovea/volume/dynamic_tree.h"

#include <algorithm>

#include "fovea/base/assert.h"

namespace fovea {

std::uint32_t DynamicTree::allocate() {
    if (free_ == k_none) {
        nodes_.emplace_back();
        return std::uint32_t(nodes_.size() - 1);
    }
    const std::uint32_t node = free_;
    free_ = nodes_[node].parent;
    return node;
}

void DynamicTree::release(std::uint32_t node) {
    nodes_[node].leaves = 0;
    nodes_[node].parent = free_;
    free_ = node;
}

void DynamicTree::clear() {
    nodes_.clear();
    root_ = free_ = k_none;
}

std::uint32_t DynamicTree::best_sibling(std::uint32_t from, const Aabb& box) const {
    const float own_area = half_area(box);
    std::uint32_t at = from;
    float here = half_area(merged(nodes_[at].box, box)); // area of a new parent of `at`
    float grown = here - half_area(nodes_[at].box);      // of all nodes down to `at`
    while (!nodes_[at].is_leaf()) {
        std::uint32_t best = k_none;
        float best_bound = 0, best_here = 0, best_growth = 0;
        for (const std::uint32_t child : nodes_[at].children) {
            const Node& node = nodes_[child];
            const float together = half_area(merged(node.box, box));
            const float growth = together - half_area(node.box);
            // The new parent below an inner node is at least as large as the leaf itself.
            const float bound = grown + (node.is_leaf() ? together : growth + own_area);
            // Of equals the lighter one: boxes all alike must not make a chain.
            if (best == k_none || bound < best_bound ||
                (!(bound > best_bound) && node.leaves < nodes_[best].leaves)) {
                best = child;
                best_bound = bound;
                best_here = together;
                best_growth = growth;
            }
        }
        if (best_bound > here) break;
        at = best;
        here = grown + best_here;
        grown += best_growth;
    }
    return at;
}

void DynamicTree::replace_child(std::uint32_t parent, std::uint32_t old_child,
                                std::uint32_t new_child) {
    nodes_[new_child].parent = parent;
    if (parent == k_none)
        root_ = new_child;
    else
        nodes_[parent].children[nodes_[parent].children[1] == old_child] = new_child;
}

void DynamicTree::refit(std::uint32_t node) {
    const Node& left = nodes_[nodes_[node].children[0]];
    const Node& right = nodes_[nodes_[node].children[1]];
    nodes_[node].box = merged(left.box, right.box);
    nodes_[node].leaves = left.leaves + right.leaves;
}

void DynamicTree::rotate(std::uint32_t node) {
    float best_gain = 0;
    int best_side = -1, best_grandchild = 0;
    for (int side = 0; side < 2; ++side) {
        const std::uint32_t lowered = nodes_[node].children[side];
        const Node& other = nodes_[nodes_[node].children[1 - side]];
        if (other.is_leaf()) continue;
        for (int i = 0; i < 2; ++i) {
            const Node& staying = nodes_[other.children[1 - i]];
            const float gain =
                half_area(other.box) - half_area(merged(staying.box, nodes_[lowered].box));
            if (gain > best_gain) {
                best_gain = gain;
                best_side = side;
                best_grandchild = i;
            }
        }
    }
    if (best_side < 0) return;
    const std::uint32_t lowered = nodes_[node].children[best_side];
    const std::uint32_t other = nodes_[node].children[1 - best_side];
    const std::uint32_t raised = nodes_[other].children[best_grandchild];
    replace_child(node, lowered, raised);
    replace_child(other, raised, lowered);
    refit(other);
}

void DynamicTree::repair_upwards(std::uint32_t node) {
    for (; node != k_none; node = nodes_[node].parent) {
        refit(node);
        rotate(node);
    }
}

/// Makes `joint` the parent of both.
void DynamicTree::join(std::uint32_t leaf, std::uint32_t sibling, std::uint32_t joint) {
    nodes_[joint] = {{}, k_none, {sibling, leaf}, 0};
    replace_child(nodes_[sibling].parent, sibling, joint);
    nodes_[sibling].parent = nodes_[leaf].parent = joint;
    repair_upwards(joint);
}

std::uint32_t DynamicTree::insert(const Aabb& box, std::uint32_t item) {
    const std::uint32_t leaf = allocate();
    nodes_[leaf] = {box, k_none, {k_none, item}, 1};
    if (root_ == k_none) return root_ = leaf;
    const std::uint32_t joint = allocate();
    join(leaf, best_sibling(root_, box), joint);
    return leaf;
}

void DynamicTree::remove(std::uint32_t leaf) {
    FOVEA_ASSERT(leaf < nodes_.size() && nodes_[leaf].leaves == 1);
    const std::uint32_t joint = nodes_[leaf].parent;
    release(leaf);
    if (joint == k_none) {
        root_ = k_none;
        return;
    }
    const std::uint32_t sibling = nodes_[joint].children[nodes_[joint].children[0] == leaf];
    const std::uint32_t parent = nodes_[joint].parent;
    replace_child(parent, joint, sibling);
    release(joint);
    repair_upwards(parent);
}

void DynamicTree::move(std::uint32_t leaf, const Aabb& box) {
    FOVEA_ASSERT(leaf < nodes_.size() && nodes_[leaf].leaves == 1);
    const std::uint32_t joint = nodes_[leaf].parent;
    nodes_[leaf].box = box;
    if (joint == k_none) return;
    const std::uint32_t sibling = nodes_[joint].children[nodes_[joint].children[0] == leaf];
    std::uint32_t from = nodes_[joint].parent;
    replace_child(from, joint, sibling);
    // What the leaf leaves behind is refitted on the climb, the rest when it has joined again.
    while (from != k_none && !contains(nodes_[from].box, box)) {
        refit(from);
        rotate(from);
        from = nodes_[from].parent;
    }
    if (from == k_none)
        from = root_;
    else
        refit(from);
    join(leaf, best_sibling(from, box), joint);
}

int DynamicTree::height() const {
    int height = 0;
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
        if (nodes_[node].leaves == 0) continue;
        int depth = 0;
        for (std::uint32_t up = nodes_[node].parent; up != k_none; up = nodes_[up].parent) ++depth;
        height = std::max(height, depth);
    }
    return height;
}

bool DynamicTree::consistent() const {
    std::uint32_t leaves = 0, inner = 0, unused = 0;
    for (std::uint32_t free = free_; free != k_none; free = nodes_[free].parent) ++unused;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        if (node.leaves == 0) continue;
        if ((node.parent == k_none) != (i == root_)) return false;
        ++(node.is_leaf() ? leaves : inner);
        if (node.is_leaf()) continue;
        const Node& left = nodes_[node.children[0]];
        const Node& right = nodes_[node.children[1]];
        if (left.parent != i || right.parent != i) return false;
        if (node.box != merged(left.box, right.box)) return false;
        if (node.leaves != left.leaves + right.leaves) return false;
    }
    return leaves == size() && inner + (leaves > 0) == leaves &&
           leaves + inner + unused == nodes_.size();
}

} // namespace fovea
