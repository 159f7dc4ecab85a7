// A binary tree over boxes that do not move, built once.
//
// Built from the top by the surface area heuristic over a fixed number of bins (Wald, "On fast
// Construction of SAH-based Bounding Volume Hierarchies", 2007). Nodes lie in depth-first order and
// know how many nodes their subtree has, so a query is one forward walk without a stack:
//
//   node        0    1    2    3    4    5    6        overlap: go on with the next node
//   subtree     7    3    1    1    3    1    1        none:    jump over the subtree
//
// Leaves hold up to four items, which lie contiguously.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

class BoxTree {
  public:
    /// A tree over `boxes`, none of them empty. Depends on the boxes alone.
    static BoxTree build(std::span<const Aabb> boxes);
    /// A tree over the triangles of a mesh, in the mesh's frame.
    static BoxTree build(const TriangleMesh& mesh);

    std::size_t size() const { return items_.size(); }
    std::size_t nodes() const { return nodes_.size(); }
    /// Around everything.
    Aabb bounds() const { return nodes_.empty() ? Aabb{} : nodes_[0].box; }

    /// Calls `visit(index)` for every box that overlaps `box`, in an order fixed by the tree.
    /// Returns the number of nodes and boxes tested.
    template <class Visit>
    std::uint64_t query(const Aabb& box, Visit&& visit) const {
        std::uint64_t tests = 0;
        search(
            [&](const Aabb& other) {
                ++tests;
                return overlap(other, box);
            },
            visit);
        return tests;
    }

    /// Calls `visit(index)` for every box that `meets(box)` accepts, in an order fixed by the tree.
    /// Where `meets` refuses a box around several, these are passed over.
    template <class Meets, class Visit>
    void search(Meets&& meets, Visit&& visit) const {
        for (std::uint32_t at = 0; at < nodes_.size();) {
            const Node& node = nodes_[at];
            if (!meets(node.box)) {
                at += node.subtree;
                continue;
            }
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
                if (meets(boxes_[i])) visit(items_[i]);
            ++at;
        }
    }

  private:
    struct Node {
        Aabb box;
        std::uint32_t subtree; ///< number of nodes from here on that belong to it
        std::uint32_t first;   ///< leaf: first item
        std::uint32_t count;   ///< leaf: items; inner node: 0
    };

    void build_node(std::span<const Aabb> boxes, std::uint32_t first, std::uint32_t count);

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> items_; ///< numbers of the boxes, leaf by leaf
    std::vector<Aabb> boxes_;          ///< in the order of items_
};

} // namespace fovea
