// The common walk of two trees of boxes: one step of it, and the whole walk to the leaves.
#pragma once

#include <algorithm>
#include <bit>

#include "fovea/collide/mesh_frames.h"
#include "fovea/collide/mesh_query.h"

namespace fovea {

inline TriangleCorners placed(const TriangleCorners& corners, const Transform& placement,
                              bool moved) {
    if (!moved) return corners;
    return {placement * corners[0], placement * corners[1], placement * corners[2]};
}

class MeshDescent {
  public:
    MeshDescent(const PlacedMesh& a, const PlacedMesh& b, BoxTest box_test, bool self);

    /// The pair of roots, if their boxes overlap; gives the first task.
    void start(MeshQuery::Task& task);

    /// Pops pairs and opens them until the stack is empty, the budget spent, or, with `first_only`,
    /// a pair of triangles is found. Returns false if the budget ended it.
    bool walk(MeshQuery::Task& task, WorkMeter& work, bool first_only) const;

    /// One pair of internal nodes: pairs of its children that overlap go to task.stack, pairs of
    /// leaves to task.leaf_pairs.
    void open_pair(SlotPair pair, MeshQuery::Task& task) const;

    /// Decides the leaf pairs gathered so far.
    void test_leaves(MeshQuery::Task& task, WorkMeter& work, bool first_only, bool flush) const;

    TriangleCorners corners_a(std::uint32_t leaf, RefitCounters& counters) const {
        return placed(tree_a.corners(leaf, counters), placement_a, moved_a);
    }
    TriangleCorners corners_b(std::uint32_t leaf, RefitCounters& counters) const {
        return placed(tree_b.corners(leaf, counters), placement_b, moved_b);
    }
    bool share_vertex(std::uint32_t leaf_a, std::uint32_t leaf_b) const;

    MeshTree& tree_a;
    MeshTree& tree_b;
    const MeshHierarchy& hierarchy_a;
    const MeshHierarchy& hierarchy_b;
    Transform placement_a, placement_b;
    bool moved_a, moved_b; ///< has a placement other than the world's frame
    FramePair b_from_a;    ///< boxes of b seen from a
    FramePair a_from_b;
    BoxTest box_test;
    bool self;

  private:
    void emit_root(MeshQuery::Task& task) const;
};

/// Bit i is set if lane i of `boxes` overlaps the box turned into their frame.
std::uint32_t overlapping_lanes(const WideBoxes& boxes, const TurnedBox& box,
                                const FramePair& frames, BoxTest test);

/// What hangs in a pair of slots: of each side a leaf or a block of children.
struct ChildPair {
    std::uint32_t a, b; ///< as in MeshHierarchy::child
    bool leaf_a, leaf_b;

    ChildPair(const MeshHierarchy& of_a, const MeshHierarchy& of_b, const SlotPair& slots)
        : a(of_a.child[slots.a])
        , b(of_b.child[slots.b])
        , leaf_a(MeshHierarchy::is_leaf_child(a))
        , leaf_b(MeshHierarchy::is_leaf_child(b)) {}

    bool both_leaves() const { return leaf_a && leaf_b; }
    /// Of two nodes the larger one is opened, by volume.
    bool opens_a(const Aabb& box_a, const Aabb& box_b) const {
        return !leaf_a && (leaf_b || volume(box_a) >= volume(box_b));
    }

  private:
    static float volume(const Aabb& box) {
        const Vec3 e = box.high - box.low;
        return e.x * e.y * e.z;
    }
};

} // namespace fovea
