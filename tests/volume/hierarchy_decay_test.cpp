// Decay of refitted trees is noticed, and mended as far as a budget goes.
#include <doctest/doctest.h>

#include "fovea/volume/tree_decay.h"
#include "tests/volume/hierarchy_samples.h"

using namespace fovea;

namespace {

/// Moves the triangles near `centre` each to another's place: neighbours no longer.
std::vector<Vec3> scrambled(const TriangleMesh& soup, Vec3 centre, float radius) {
    std::vector<std::uint32_t> moving;
    for (std::uint32_t i = 0; i < soup.triangles.size(); ++i)
        if (length(soup.vertices[3 * i] - centre) < radius) moving.push_back(i);
    std::vector<Vec3> vertices = soup.vertices;
    Random random(8);
    for (std::size_t i = moving.size(); i > 1; --i) {
        const std::uint32_t s = moving[i - 1], t = moving[random.below(std::uint32_t(i))];
        for (int k = 0; k < 3; ++k) std::swap(vertices[3 * s + k], vertices[3 * t + k]);
    }
    return vertices;
}

} // namespace

TEST_CASE("rigid motion and scaling are no decay, scrambling is") {
    const TriangleMesh soup = triangle_soup(3000, 2, 0.03);
    auto tree = MeshTree::deforming(soup).value();
    TreeDecay decay(tree);
    CHECK(decay.estimate(tree) == 1);
    std::vector<Vec3> moved = soup.vertices;
    for (Vec3& v : moved) v = v * 2.0f + Vec3(4, 0, 0);
    REQUIRE(tree.set_vertices(moved));
    // Sums of a few thousand rounded areas.
    CHECK(decay.estimate(tree) == doctest::Approx(1).epsilon(1e-4));
    REQUIRE(tree.set_vertices(scrambled(soup, {}, 10)));
    CHECK(decay.estimate(tree) > 3);
    // The estimate is against the tree as built; scrambling keeps the set of triangles, so a fresh
    // build costs what the first one did.
    CHECK(decay.estimate(tree) ==
          doctest::Approx(TreeDecay::against_fresh_build(tree)).epsilon(0.02));
}

TEST_CASE("mending everything is as good as a fresh build") {
    const TriangleMesh soup = triangle_soup(3000, 2, 0.03);
    auto tree = MeshTree::deforming(soup).value();
    TreeDecay decay(tree);
    REQUIRE(tree.set_vertices(scrambled(soup, {}, 10)));
    const MendReport report = decay.mend(tree);
    CHECK(report.triangles == 3000);
    CHECK(report.cost_after < 0.4 * report.cost_before);
    CHECK(TreeDecay::against_fresh_build(tree) == doctest::Approx(1).epsilon(0.05));
    CHECK(decay.mend(tree).subtrees == 0);
}

TEST_CASE("local damage is mended locally, within the budget, a piece at a time") {
    const TriangleMesh soup = triangle_soup(6000, 3, 0.03);
    auto tree = MeshTree::deforming(soup).value();
    TreeDecay decay(tree);
    const std::vector<Vec3> damaged = scrambled(soup, {0.7f, 0.7f, 0.7f}, 0.45f);
    REQUIRE(tree.set_vertices(damaged));
    const double before = TreeDecay::cost(tree);
    double last = before;
    std::uint32_t mended = 0;
    int rounds = 0;
    for (; rounds < 50; ++rounds) {
        const MendReport report = decay.mend(tree, {.budget = Budget::work(1500)});
        CHECK(report.work <= 1500);
        CHECK(report.cost_after <= report.cost_before);
        CHECK(report.cost_before == doctest::Approx(last).epsilon(1e-6));
        last = report.cost_after;
        mended += report.triangles;
        if (report.subtrees == 0) break;
        // The tree still holds every triangle's true box.
        REQUIRE(tree.set_vertices(damaged));
        RefitCounters c;
        Aabb everything;
        for (const Vec3& v : damaged) everything = merged(everything, v);
        CHECK(tree.root_box(c) == everything);
    }
    CHECK(rounds > 1);
    CHECK(last < before);
    CHECK(mended < 3000);
}
