#include "fovea/volume/tree_decay.h"

#include <algorithm>
#include <bit>

#include "fovea/base/assert.h"

namespace fovea {

namespace {

std::uint64_t build_work(std::uint64_t triangles) {
    return triangles * std::uint64_t(std::bit_width(triangles));
}

std::uint64_t allowed_units(const Budget& budget) {
    if (budget.is_counted()) return budget.units();
    if (budget.is_timed()) return std::uint64_t(std::max(0.0, budget.milliseconds() / 20e-6));
    return ~std::uint64_t(0);
}

/// Smaller subtrees are hardly ever worth a cut of their own.
constexpr std::uint32_t k_fewest_triangles = 16;

} // namespace

TreeDecay::Areas TreeDecay::measure(const MeshHierarchy& h, const std::vector<WideBoxes>& blocks) {
    Areas areas;
    areas.own.resize(h.nodes.size());
    areas.inner.assign(h.nodes.size(), 0);
    for (auto node = std::uint32_t(h.nodes.size()); node-- > 0;) {
        const std::uint32_t slot = h.nodes[node].slot;
        areas.own[node] = half_area(
            blocks[slot / MeshHierarchy::k_block_width].lane(slot % MeshHierarchy::k_block_width));
        for (std::uint32_t c = node + 1; c < h.nodes[node].skip; c = h.nodes[c].skip)
            areas.inner[node] += areas.own[c] + areas.inner[c];
    }
    return areas;
}

TreeDecay::TreeDecay(const MeshTree& tree)
    : built_(measure(tree.hierarchy(), tree.all_boxes())) {}

double TreeDecay::cost(const MeshTree& tree) {
    const Areas areas = measure(tree.hierarchy(), tree.all_boxes());
    return areas.own[0] > 0 ? 1 + areas.inner[0] / areas.own[0] : 1;
}

double TreeDecay::estimate(const MeshTree& tree) {
    const Areas now = measure(tree.hierarchy(), tree.all_boxes());
    FOVEA_ASSERT(now.own.size() == built_.own.size());
    if (!(now.own[0] > 0) || !(built_.own[0] > 0)) return 1;
    return (1 + now.inner[0] / now.own[0]) / (1 + built_.inner[0] / built_.own[0]);
}

double TreeDecay::against_fresh_build(const MeshTree& tree) {
    TriangleMesh mesh;
    mesh.vertices = tree.mesh_vertices();
    const MeshHierarchy& h = tree.hierarchy();
    for (const auto& triangle : h.triangles) {
        mesh.triangles.push_back({h.vertex_order[triangle[0]], h.vertex_order[triangle[1]],
                                  h.vertex_order[triangle[2]]});
    }
    // The vertices passed every check when they were set.
    const MeshTree fresh = MeshTree::rigid(mesh, h.settings).value();
    return cost(tree) / cost(fresh);
}

std::vector<std::uint32_t> TreeDecay::choose(const MeshHierarchy& h, const Areas& now,
                                             const MendSettings& settings,
                                             MendReport& report) const {
    // The set of disjoint subtrees with the most excess in all: a node alone or the best of each of
    // its children, whichever is more.
    const auto count = std::uint32_t(h.nodes.size());
    std::vector<double> excess(count, 0), best(count, 0);
    for (std::uint32_t node = count; node-- > 0;) {
        for (std::uint32_t c = node + 1; c < h.nodes[node].skip; c = h.nodes[c].skip)
            best[node] += best[c];
        if (h.nodes[node].leaves < k_fewest_triangles || !(built_.own[node] > 0)) continue;
        const double expected = built_.inner[node] * now.own[node] / built_.own[node];
        if (now.inner[node] >= settings.worth_mending * expected)
            excess[node] = now.inner[node] - expected;
        best[node] = std::max(best[node], excess[node]);
    }

    // Most gain for the work first; what the budget does not allow is tried in smaller parts.
    struct Candidate {
        double gain;
        std::uint32_t node;
    };
    const auto less = [](const Candidate& a, const Candidate& b) {
        return a.gain != b.gain ? a.gain < b.gain : a.node > b.node;
    };
    std::vector<Candidate> heap;
    std::vector<std::uint32_t> below;
    const auto offer_best_of = [&](std::uint32_t top) {
        below.assign(1, top);
        while (!below.empty()) {
            const std::uint32_t node = below.back();
            below.pop_back();
            if (!(best[node] > 0)) continue;
            if (excess[node] == best[node]) {
                heap.push_back({excess[node] / double(build_work(h.nodes[node].leaves)), node});
                std::push_heap(heap.begin(), heap.end(), less);
                continue;
            }
            for (std::uint32_t c = node + 1; c < h.nodes[node].skip; c = h.nodes[c].skip)
                below.push_back(c);
        }
    };
    offer_best_of(0);
    const std::uint64_t allowed = allowed_units(settings.budget);
    std::vector<std::uint32_t> chosen;
    while (!heap.empty()) {
        const std::uint32_t node = heap.front().node;
        std::pop_heap(heap.begin(), heap.end(), less);
        heap.pop_back();
        const std::uint32_t leaves = h.nodes[node].leaves;
        if (report.work + build_work(leaves) > allowed) {
            for (std::uint32_t c = node + 1; c < h.nodes[node].skip; c = h.nodes[c].skip)
                offer_best_of(c);
            continue;
        }
        chosen.push_back(node);
        ++report.subtrees;
        report.triangles += leaves;
        report.work += build_work(leaves);
    }
    return chosen;
}

MendReport TreeDecay::mend(MeshTree& tree, const MendSettings& settings) {
    FOVEA_ASSERT(tree.is_deforming());
    MendReport report;
    const MeshHierarchy& old = tree.hierarchy();
    const Areas now = measure(old, tree.all_boxes());
    report.cost_before = now.own[0] > 0 ? 1 + now.inner[0] / now.own[0] : 1;
    report.cost_after = report.cost_before;
    const std::vector<std::uint32_t> stale = choose(old, now, settings, report);
    if (stale.empty()) return report;

    // What was expected of the nodes that stay is remembered; new nodes start afresh. Both trees
    // list the nodes that stay in the same order.
    std::vector<bool> is_stale(old.nodes.size(), false);
    std::vector<std::uint32_t> rebuilt_size(old.triangles.size(), 0); // by first leaf
    for (const std::uint32_t node : stale) {
        is_stale[node] = true;
        rebuilt_size[old.nodes[node].first_leaf] = old.nodes[node].leaves;
    }
    std::vector<double> kept_own, kept_expected;
    for (std::uint32_t node = 0; node < old.nodes.size();) {
        if (is_stale[node]) {
            node = old.nodes[node].skip;
            continue;
        }
        kept_own.push_back(built_.own[node]);
        kept_expected.push_back(built_.inner[node]);
        ++node;
    }
    const std::vector<Vec3> vertices = tree.mesh_vertices();
    MeshHierarchy mended = rebuild_subtrees(old, vertices, stale);
    tree.replace_hierarchy(std::move(mended));

    const MeshHierarchy& h = tree.hierarchy();
    built_ = measure(h, tree.all_boxes());
    report.cost_after = built_.own[0] > 0 ? 1 + built_.inner[0] / built_.own[0] : 1;
    std::size_t kept = 0;
    for (std::uint32_t node = 0; node < h.nodes.size();) {
        const auto& [skip, first, leaves, slot] = h.nodes[node];
        if (leaves <= rebuilt_size[first]) {
            node = skip; // the root of a rebuilt part, with all below it
            continue;
        }
        built_.own[node] = kept_own[kept];
        built_.inner[node] = kept_expected[kept];
        ++kept, ++node;
    }
    FOVEA_ASSERT(kept == kept_own.size());
    return report;
}

} // namespace fovea
