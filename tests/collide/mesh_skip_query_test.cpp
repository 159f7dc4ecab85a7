// The plain walk with every bound finds the same pairs as the wide trees.
#include <doctest/doctest.h>

#include <algorithm>

#include "fovea/collide/skip_query.h"
#include "tests/volume/hierarchy_samples.h"

using namespace fovea;

namespace {

std::vector<TrianglePair> sorted(std::vector<TrianglePair> pairs) {
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

template <class Bound>
void check_pairs(const TriangleMesh& a, const TriangleMesh& b,
                 const std::vector<TrianglePair>& expected) {
    const auto ha = std::make_shared<const MeshHierarchy>(build_hierarchy(a, {}).value());
    const auto hb = std::make_shared<const MeshHierarchy>(build_hierarchy(b, {2}).value());
    SkipTree<Bound> s(ha, {UpdatePolicy::hybrid}), t(hb, {UpdatePolicy::top_down});
    REQUIRE(s.set_vertices(a.vertices));
    REQUIRE(t.set_vertices(b.vertices));
    std::vector<TrianglePair> pairs;
    skip_tree_pairs(s, t, false, pairs);
    CHECK(sorted(pairs) == expected);
    pairs.clear();
    skip_tree_pairs(s, t, true, pairs);
    REQUIRE(pairs.size() == 1);
    CHECK(std::binary_search(expected.begin(), expected.end(), pairs[0]));

    const TriangleMesh references[] = {a, bumpy_sphere(320, 3)};
    MorphSkipTree<Bound> morph(ha, references);
    morph.set_weights(std::vector<float>{1, 0});
    pairs.clear();
    const auto counters = skip_tree_pairs(morph, t, false, pairs);
    CHECK(sorted(pairs) == expected);
    CHECK(counters.refits.vertices_blended == 3 * counters.triangle_tests);
}

} // namespace

TEST_CASE("pairs do not depend on the bound") {
    const TriangleMesh a = bumpy_sphere(320), b = bumpy_sphere(320, 1, Transform({0.9f, 0.2f, 0}));
    auto ta = MeshTree::rigid(a).value(), tb = MeshTree::rigid(b).value();
    MeshQuery query;
    const auto expected = sorted(query.all_pairs({ta}, {tb}).pairs);
    REQUIRE(expected.size() > 50);
    check_pairs<Aabb>(a, b, expected);
    check_pairs<KDop<14>>(a, b, expected);
    check_pairs<KDop<18>>(a, b, expected);
    check_pairs<KDop<26>>(a, b, expected);
    check_pairs<BoundingBall>(a, b, expected);
}

TEST_CASE("the larger of two nodes is opened first") {
    // A large mesh against a small one, whose root is larger than any leaf of the other: the walk
    // goes down the large tree before the small one.
    TriangleMesh large = bumpy_sphere(320), small = bumpy_sphere(320);
    for (Vec3& v : small.vertices) v = v * 0.3f + Vec3(1, 0, 0);
    const auto hl = std::make_shared<const MeshHierarchy>(build_hierarchy(large, {}).value());
    const auto hs = std::make_shared<const MeshHierarchy>(build_hierarchy(small, {}).value());
    SkipTree<Aabb> l(hl, {UpdatePolicy::bottom_up}), s(hs, {UpdatePolicy::bottom_up});
    REQUIRE(l.set_vertices(large.vertices));
    REQUIRE(s.set_vertices(small.vertices));
    RefitCounters unused;
    int opened_smaller = 0;
    Aabb last_l, last_s;
    bool first = true;
    std::vector<TrianglePair> pairs;
    walk_skip_trees(
        l, s, false,
        [&](const Aabb& p, const Aabb& q) {
            // While the small root is still whole, only the large tree has been opened.
            if (first) last_l = p, last_s = q, first = false;
            opened_smaller += q != last_s && bound_volume(p) > bound_volume(last_s);
            return overlap(p, q);
        },
        [](std::uint32_t, std::uint32_t) { return false; }, pairs);
    CHECK(opened_smaller == 0);
}
