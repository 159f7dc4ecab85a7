#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "fovea/volume/dynamic_tree.h"
#include "tests/volume/random_box.h"

using namespace fovea;

TEST_CASE("a dynamic tree finds what a full search finds while leaves come, move and go") {
    Random random(1);
    DynamicTree tree;
    struct Leaf {
        std::uint32_t node;
        Aabb box;
    };
    std::vector<Leaf> leaves(300, {DynamicTree::k_none, {}});
    for (int round = 0; round < 6000; ++round) {
        const std::uint32_t i = random.below(300);
        if (leaves[i].node == DynamicTree::k_none) {
            leaves[i].box = random_box(random, 10, 2);
            leaves[i].node = tree.insert(leaves[i].box, i);
        } else if (random.below(2) == 0) {
            const bool far = random.below(4) == 0;
            const Vec3 step(random.direction() * random.uniform(0, 0.5));
            const Aabb old = leaves[i].box;
            leaves[i].box = far ? random_box(random, 10, 2) : Aabb{old.low + step, old.high + step};
            tree.move(leaves[i].node, leaves[i].box);
        } else {
            REQUIRE(tree.box(leaves[i].node) == leaves[i].box);
            tree.remove(leaves[i].node);
            leaves[i].node = DynamicTree::k_none;
        }
        REQUIRE(tree.consistent());
        const Aabb wanted = random_box(random, 10, 5);
        std::vector<std::uint32_t> found, expected;
        tree.query(wanted, [&](std::uint32_t item) { found.push_back(item); });
        for (std::uint32_t k = 0; k < 300; ++k)
            if (leaves[k].node != DynamicTree::k_none && overlap(leaves[k].box, wanted))
                expected.push_back(k);
        std::sort(found.begin(), found.end());
        REQUIRE(found == expected);
    }
}

TEST_CASE("a dynamic tree stays shallow and prunes") {
    Random random(2);
    const std::uint32_t n = 4000;
    DynamicTree scattered, ordered, coincident;
    for (std::uint32_t i = 0; i < n; ++i) {
        scattered.insert(random_box(random, 50, 1), i);
        ordered.insert({{float(i), 0, 0}, {float(i) + 0.5f, 1, 1}}, i);
        coincident.insert({{0, 0, 0}, {1, 1, 1}}, i);
    }
    // A perfect tree would have height 12.
    CHECK(scattered.height() < 40);
    CHECK(ordered.height() < 40);
    CHECK(coincident.height() < 40);
    CHECK(scattered.consistent());
    CHECK(ordered.consistent());
    // A box of the size of a leaf meets few leaves, so few of the 2n - 1 nodes are tested.
    std::uint64_t tests = 0;
    for (int i = 0; i < 100; ++i)
        tests += scattered.query(random_box(random, 50, 1), [](std::uint32_t) {});
    CHECK(tests / 100 < 200);
}
