// How far a refitted tree has decayed, and mending it part by part.
//
// A tree's cost is the sum of its nodes' surface areas over the root's: about the number of boxes
// that a random query passes. Refitting keeps boxes tight but not the grouping; when triangles that
// were built together move apart, areas grow. For every subtree the cost to be expected of a fresh
// build is its cost when it was built, scaled to its present size:
//
//   expected(n) = inner area of n when built x area of n now / area of n when built
//   excess(n)   = inner area of n now - expected(n)
//
// Mending builds anew the subtrees with the most excess per unit of work, within a budget, and
// leaves the rest of the structure alone.
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/volume/mesh_tree.h"

namespace fovea {

struct MendSettings {
    /// Units of work are triangles x log2 triangles of the subtrees built anew. Of a timed budget
    /// nothing is known in advance: one unit is then taken as 20 nanoseconds.
    Budget budget = Budget::unlimited();
    /// Subtrees whose cost is less than this many times the expected are left alone.
    double worth_mending = 1.2;
};

struct MendReport {
    std::uint32_t subtrees = 0;  ///< built anew
    std::uint32_t triangles = 0; ///< in them
    std::uint64_t work = 0;
    double cost_before = 0, cost_after = 0;
};

class TreeDecay {
  public:
    /// Remembers the areas of the tree as it is: just built, or just mended as a whole.
    explicit TreeDecay(const MeshTree& tree);

    /// Cost now over the cost to be expected of a fresh build; 1 for a new tree. One pass over all
    /// vertices and nodes; no box of the tree is touched.
    double estimate(const MeshTree& tree);

    /// The same against a tree really built anew for the present vertices: exact, and as dear as a
    /// rebuild.
    static double against_fresh_build(const MeshTree& tree);

    /// Builds anew what pays most, of a deforming mesh. Call set_vertices, or let queries refit:
    /// all boxes are old afterwards.
    MendReport mend(MeshTree& tree, const MendSettings& settings = {});

    /// Sum of node areas over the root's.
    static double cost(const MeshTree& tree);

  private:
    struct Areas {
        std::vector<double> own;   ///< per node
        std::vector<double> inner; ///< per node: sum over the nodes below it
    };
    static Areas measure(const MeshHierarchy& hierarchy, const std::vector<WideBoxes>& blocks);
    std::vector<std::uint32_t> choose(const MeshHierarchy& hierarchy, const Areas& now,
                                      const MendSettings& settings, MendReport& report) const;

    Areas built_;
};

} // namespace fovea
