// Pairs of triangles from two skip trees, with any bound they share: the plain, scalar walk.
#pragma once

#include <vector>

#include "fovea/collide/mesh_query.h"
#include "fovea/volume/skip_tree.h"

namespace fovea {

/// Walks both trees, opening the node of larger volume (Larsson 2.7). `bounds_overlap(a, b)` tests
/// two bounds; `triangles_meet(leaf_a, leaf_b)` decides a pair of leaves. With `first_only` the
/// walk ends at the first pair that meets.
template <class TreeA, class TreeB, class BoundTest, class TriangleTest>
MeshQueryCounters walk_skip_trees(TreeA& a, TreeB& b, bool first_only, BoundTest&& bounds_overlap,
                                  TriangleTest&& triangles_meet, std::vector<TrianglePair>& pairs) {
    const MeshHierarchy &ha = a.hierarchy(), &hb = b.hierarchy();
    MeshQueryCounters counters;
    struct Entry {
        std::uint32_t a, b;
    };
    std::vector<Entry> stack;
    const auto test = [&](std::uint32_t i, std::uint32_t j) {
        ++counters.box_tests;
        if (bounds_overlap(a.bound(i, counters.refits), b.bound(j, counters.refits)))
            stack.push_back({i, j});
    };
    test(0, 0);
    while (!stack.empty()) {
        const auto [i, j] = stack.back();
        stack.pop_back();
        const bool leaf_i = ha.is_leaf(i), leaf_j = hb.is_leaf(j);
        if (leaf_i && leaf_j) {
            ++counters.triangle_tests;
            const std::uint32_t s = ha.nodes[i].first_leaf, t = hb.nodes[j].first_leaf;
            if (!triangles_meet(s, t)) continue;
            pairs.push_back({ha.triangle_order[s], hb.triangle_order[t]});
            if (first_only) break;
            continue;
        }
        const bool open_a = !leaf_i && (leaf_j || bound_volume(a.bound(i, counters.refits)) >=
                                                      bound_volume(b.bound(j, counters.refits)));
        if (open_a) {
            for (std::uint32_t c = i + 1; c < ha.nodes[i].skip; c = ha.nodes[c].skip) test(c, j);
        } else {
            for (std::uint32_t c = j + 1; c < hb.nodes[j].skip; c = hb.nodes[c].skip) test(i, c);
        }
    }
    return counters;
}

/// Trees whose vertices share one frame.
template <class TreeA, class TreeB>
MeshQueryCounters skip_tree_pairs(TreeA& a, TreeB& b, bool first_only,
                                  std::vector<TrianglePair>& pairs) {
    RefitCounters blends;
    auto counters = walk_skip_trees(
        a, b, first_only, [](const auto& p, const auto& q) { return overlap(p, q); },
        [&](std::uint32_t s, std::uint32_t t) {
            return triangles_overlap(a.corners(s, blends), b.corners(t, blends));
        },
        pairs);
    counters.refits += blends;
    return counters;
}

} // namespace fovea
