// The tree finds what a look at every box finds: none is lost, whatever has moved since it was
// built, on every instruction set.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "fovea/base/random.h"
#include "fovea/base/simd.h"
#include "fovea/collide/query_tree.h"

using namespace fovea;

namespace {

std::vector<Aabb> random_boxes(std::uint32_t count, Random& random) {
    std::vector<Aabb> boxes(count);
    for (Aabb& box : boxes) {
        const Vec3 at(random.direction() * (10 * random.uniform()));
        box = merged({at, at}, at + Vec3(random.direction() * std::exp2(random.uniform(-6, 1))));
    }
    return boxes;
}

/// Whether the segment meets the box, by clipping in double.
bool segment_meets(const Aabb& box, const Vec3d& from, const Vec3d& way, double limit,
                   const Vec3d& half) {
    double enter = 0, leave = limit;
    for (int axis = 0; axis < 3; ++axis) {
        const double low = box.low[axis] - half[axis] - from[axis];
        const double high = box.high[axis] + half[axis] - from[axis];
        if (way[axis] == 0) {
            if (low > 0 || high < 0) return false;
            continue;
        }
        const double a = low / way[axis], b = high / way[axis];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave;
}

double distance_squared(const Aabb& a, const Aabb& b) {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double gap =
            std::max({double(a.low[axis]) - b.high[axis], double(b.low[axis]) - a.high[axis], 0.0});
        sum += gap * gap;
    }
    return sum;
}

/// Compares all kinds of walks with a look at every box. Items that only rounding lets in are few.
void check_walks(const QueryTree& tree, const std::vector<Aabb>& boxes, Random& random) {
    std::uint64_t wanted = 0, extra = 0;
    std::vector<std::uint32_t> found;
    const auto collect = [&](std::uint32_t item, float limit) {
        found.push_back(item);
        return limit;
    };
    const auto compare = [&](auto&& meets) {
        std::sort(found.begin(), found.end());
        REQUIRE(std::adjacent_find(found.begin(), found.end()) == found.end());
        for (std::uint32_t i = 0; i < boxes.size(); ++i) {
            const bool seen = std::binary_search(found.begin(), found.end(), i);
            const bool there = meets(boxes[i]);
            REQUIRE((seen || !there));
            wanted += there;
            extra += seen && !there;
        }
        found.clear();
    };
    for (int i = 0; i < 300; ++i) {
        const Vec3 from(random.direction() * (15 * random.uniform()));
        Vec3 way(random.direction() * std::exp2(random.uniform(-2, 5)));
        if (random.below(3) == 0) way[int(random.below(3))] = 0;
        const auto limit = float(random.below(2) ? 1 : random.uniform());
        tree.along(SweptBox(from, way), limit, collect);
        compare(
            [&](const Aabb& b) { return segment_meets(b, Vec3d(from), Vec3d(way), limit, {}); });

        const Vec3 half = abs(Vec3(random.direction()));
        const SweptBox swept(Aabb{from - half, from + half}, way);
        tree.along(swept, limit, collect);
        compare([&](const Aabb& b) {
            return segment_meets(b, Vec3d(swept.origin), Vec3d(way), limit, Vec3d(swept.half));
        });

        const auto distance = float(random.below(2) ? 0 : random.uniform(0, 3));
        const Aabb around{from - half, from + half};
        tree.near(around, distance, collect);
        compare([&](const Aabb& b) {
            return distance_squared(b, around) <= double(distance) * distance;
        });
    }
    CHECK(extra <= 2 + wanted / 100);
    if (boxes.size() > 100) CHECK(wanted > boxes.size());
}

} // namespace

TEST_CASE("a query tree loses no box") {
    for (const SimdTarget& target : simd_targets()) {
        CAPTURE(target.name);
        use_simd_target(target);
        Random random(1);
        for (const std::uint32_t count : {0u, 1u, 2u, 7u, 8u, 9u, 15u, 64u, 65u, 1000u}) {
            CAPTURE(count);
            std::vector<Aabb> boxes = random_boxes(count, random);
            std::vector<std::uint32_t> items(count);
            std::iota(items.begin(), items.end(), 0u);
            QueryTree tree;
            tree.build(items, boxes);
            CHECK(tree.size() == count);
            CHECK(!tree.worn());
            check_walks(tree, boxes, random);
            boxes = random_boxes(count, random);
            tree.refit(boxes);
            if (count == 1000) CHECK(tree.worn());
            check_walks(tree, boxes, random);
        }
    }
    use_best_simd_target();
}

TEST_CASE("boxes at one place, and flat ones") {
    Random random(2);
    std::vector<Aabb> boxes(100, Aabb{{1, 2, 3}, {1, 2, 3}});
    std::vector<std::uint32_t> items(100);
    std::iota(items.begin(), items.end(), 0u);
    QueryTree tree;
    tree.build(items, boxes);
    int count = 0;
    const auto visit = [&](std::uint32_t, float limit) {
        ++count;
        return limit;
    };
    tree.along(SweptBox(Vec3(1, 2, -5), Vec3(0, 0, 10)), 1, visit);
    CHECK(count == 100);
    tree.near({{1, 2, 3}, {1, 2, 3}}, 0, visit);
    CHECK(count == 200);
    tree.along(SweptBox(Vec3(1, 2.1f, -5), Vec3(0, 0, 10)), 1, visit);
    CHECK(count == 200);
}

TEST_CASE("a walk gets nearer ones first and ends when told to") {
    std::vector<Aabb> boxes;
    std::vector<std::uint32_t> items;
    for (std::uint32_t i = 0; i < 500; ++i) {
        const auto x = float((i * 7919) % 500);
        boxes.push_back({{x, 0, 0}, {x + 0.5f, 1, 1}});
        items.push_back(i);
    }
    QueryTree tree;
    tree.build(items, boxes);
    std::vector<std::uint32_t> seen;
    tree.along(SweptBox(Vec3(-1, 0.5f, 0.5f), Vec3(1000, 0, 0)), 1, [&](std::uint32_t item, float) {
        seen.push_back(item);
        return boxes[item].low.x / 1000; // nothing beyond it matters
    });
    // Found at once, or nearly so: the tree is walked from near to far.
    CHECK(std::ranges::find_if(seen, [&](auto i) { return boxes[i].low.x == 0; }) != seen.end());
    CHECK(seen.size() <= 2);
    seen.clear();
    tree.near({{250, 0, 0}, {260, 1, 1}}, 100, [&](std::uint32_t item, float) {
        seen.push_back(item);
        return -1.0f;
    });
    CHECK(seen.size() == 1);
}
