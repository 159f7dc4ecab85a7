#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "fovea/volume/box_tree.h"
#include "tests/volume/random_box.h"

using namespace fovea;

namespace {

void compare(const std::vector<Aabb>& boxes, const BoxTree& tree, const Aabb& wanted) {
    std::vector<std::uint32_t> found, expected;
    tree.query(wanted, [&](std::uint32_t i) { found.push_back(i); });
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
        if (overlap(boxes[i], wanted)) expected.push_back(i);
    std::sort(found.begin(), found.end());
    REQUIRE(found == expected);
}

} // namespace

TEST_CASE("a box tree finds what a full search finds") {
    Random random(1);
    for (const std::size_t count : {0, 1, 2, 4, 5, 6, 17, 100, 1000}) {
        for (const double size : {0.0, 0.5, 20.0}) {
            std::vector<Aabb> boxes;
            for (std::size_t i = 0; i < count; ++i) boxes.push_back(random_box(random, 5, size));
            const BoxTree tree = BoxTree::build(boxes);
            CHECK(tree.size() == count);
            for (int i = 0; i < 200; ++i) compare(boxes, tree, random_box(random, 6, 3));
            compare(boxes, tree, Aabb::everything());
            compare(boxes, tree, {});
            for (const Aabb& box : boxes) compare(boxes, tree, box); // exact contact included
        }
    }
}

TEST_CASE("a box tree copes with coincident, collinear, huge and tiny boxes") {
    const auto check = [](const std::vector<Aabb>& boxes) {
        const BoxTree tree = BoxTree::build(boxes);
        for (std::size_t i = 0; i < boxes.size(); i += 7) compare(boxes, tree, boxes[i]);
        CHECK(tree.nodes() < 2 * boxes.size());
    };
    check(std::vector<Aabb>(500, Aabb{{1, 1, 1}, {1, 1, 1}}));
    std::vector<Aabb> line, huge, tiny, growing;
    Random random(2);
    for (int i = 0; i < 500; ++i) {
        line.push_back({{float(i), 0, 0}, {float(i), 0, 0}});
        huge.push_back(random_box(random, 1e38, 1e38));
        tiny.push_back(random_box(random, 1e-40, 1e-41));
        // Centres spaced geometrically: equal bins split off one at a time.
        const float x = std::ldexp(1.0f, i / 4 - 60);
        growing.push_back({{-x, 0, 0}, {2 * x, x, x}});
    }
    check(line);
    check(huge);
    check(tiny);
    check(growing);
}

TEST_CASE("a box tree prunes, and is the same each time") {
    Random random(3);
    std::vector<Aabb> boxes;
    for (int i = 0; i < 10000; ++i) boxes.push_back(random_box(random, 50, 1));
    const BoxTree tree = BoxTree::build(boxes), again = BoxTree::build(boxes);
    std::uint64_t tests = 0;
    for (int i = 0; i < 100; ++i) {
        const Aabb wanted = random_box(random, 50, 1);
        std::vector<std::uint32_t> order, order_again;
        tests += tree.query(wanted, [&](std::uint32_t k) { order.push_back(k); });
        again.query(wanted, [&](std::uint32_t k) { order_again.push_back(k); });
        REQUIRE(order == order_again);
    }
    CHECK(tests / 100 < 200); // of 10000
}

TEST_CASE("the tree of a mesh is over its triangles") {
    const TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}, {6, 5, 5}, {5, 6, 7}},
                            {{0, 1, 2}, {3, 4, 5}}};
    const BoxTree tree = BoxTree::build(mesh);
    CHECK(tree.size() == 2);
    CHECK(tree.bounds() == Aabb{{0, 0, 0}, {6, 6, 7}});
    std::vector<std::uint32_t> found;
    tree.query({{5.5f, 5.5f, 6.5f}, {9, 9, 9}}, [&](std::uint32_t i) { found.push_back(i); });
    CHECK(found == std::vector<std::uint32_t>{1});
}
