// A binary tree of boxes that leaves may enter and quit at any time.
//
// A new leaf walks down from the root to the sibling that adds least surface area (the surface
// area heuristic of Goldsmith and Salmon, 1987, as greedy descent); on the way back up a node's
// child may change places with a grandchild where that shrinks a box (tree rotations, Kopta et
// al., "Fast, Effective BVH Updates for Animated Scenes", 2012).
//
//        A                    A
//      /   \                /   \          B and F exchanged if the box around (B, G) is
//     B     C      -->     F     C         smaller than that around (F, G)
//          / \                  / \.
//         F   G                B   G
//
// Nodes lie in one array with a free list; a leaf keeps its number until it is removed. Walks need
// no stack: they climb by parent links.
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/geometry/aabb.h"

namespace fovea {

class DynamicTree {
  public:
    static constexpr std::uint32_t k_none = 0xffffffffu;

    /// Adds a leaf that stands for `item` and returns its number.
    std::uint32_t insert(const Aabb& box, std::uint32_t item);
    void remove(std::uint32_t leaf);
    /// Gives a leaf a new box. It enters anew below its nearest ancestor that encloses the box, so
    /// that a small move costs little.
    void move(std::uint32_t leaf, const Aabb& box);
    void clear();

    const Aabb& box(std::uint32_t leaf) const { return nodes_[leaf].box; }
    std::uint32_t size() const { return root_ == k_none ? 0 : nodes_[root_].leaves; }
    /// Longest way from the root to a leaf; 0 for a single leaf.
    int height() const;

    /// Calls `visit(item)` for all leaves whose box overlaps `box`. Returns the number of nodes
    /// tested.
    template <class Visit>
    std::uint64_t query(const Aabb& box, Visit&& visit) const {
        std::uint64_t tests = 0;
        for (std::uint32_t at = root_; at != k_none;) {
            const Node& node = nodes_[at];
            ++tests;
            if (overlap(node.box, box)) {
                if (!node.is_leaf()) {
                    at = node.children[0];
                    continue;
                }
                visit(node.children[1]);
            }
            at = after(at);
        }
        return tests;
    }

    /// Whether links, counts and enclosing boxes are all as they should be; for tests.
    bool consistent() const;

  private:
    struct Node {
        Aabb box;
        std::uint32_t parent;      ///< k_none at the root; next in the free list
        std::uint32_t children[2]; ///< leaf: k_none and its item
        std::uint32_t leaves;      ///< below, or 1

        bool is_leaf() const { return children[0] == k_none; }
    };

    /// The next subtree of a depth-first walk, once that at `node` is done; k_none at the end.
    std::uint32_t after(std::uint32_t node) const {
        for (;;) {
            const std::uint32_t parent = nodes_[node].parent;
            if (parent == k_none) return k_none;
            if (nodes_[parent].children[0] == node) return nodes_[parent].children[1];
            node = parent;
        }
    }

    std::uint32_t allocate();
    void release(std::uint32_t node);
    std::uint32_t best_sibling(std::uint32_t from, const Aabb& box) const;
    void join(std::uint32_t leaf, std::uint32_t sibling, std::uint32_t joint);
    void replace_child(std::uint32_t parent, std::uint32_t old_child, std::uint32_t new_child);
    void refit(std::uint32_t node);
    void rotate(std::uint32_t node);
    void repair_upwards(std::uint32_t node);

    std::vector<Node> nodes_;
    std::uint32_t root_ = k_none, free_ = k_none;
};

} // namespace fovea
