// The endpoint lists alone: places and order after sorts and shuffles.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/collide/sweep_region.h"

using namespace fovea;

namespace {

Aabb random_box(Random& random) {
    const Vec3 low(Vec3d(random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)));
    return {low, low + Vec3(Vec3d(random.uniform(), random.uniform(), random.uniform()))};
}

/// With every box's six values put at its six places, the sequences ascend without a gap.
void check_places(const SweepRegion& region, const std::vector<Aabb>& boxes) {
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<float> sequence(2 * region.size(), -1e9f);
        for (std::uint32_t i = 0; i < region.size(); ++i) {
            const Aabb& box = boxes[region.proxy(i)];
            for (const bool upper : {false, true}) {
                const std::uint32_t place = region.place(i, axis, upper);
                REQUIRE(place < sequence.size());
                REQUIRE(sequence[place] == -1e9f); // no place is taken twice
                sequence[place] = upper ? box.high[axis] : box.low[axis];
            }
            REQUIRE(region.place(i, axis, false) < region.place(i, axis, true));
        }
        REQUIRE(std::is_sorted(sequence.begin(), sequence.end()));
    }
}

} // namespace

TEST_CASE("six places per box stay right through sorts, shuffles, additions and removals") {
    for (const bool presort : {false, true}) {
        Random random(1);
        SweepRegion region;
        SweepScratch scratch;
        PairNotes notes;
        BroadPhaseCounters counters;
        std::vector<Aabb> boxes(100);
        std::vector<bool> inside(100, false);
        for (int round = 0; round < 200; ++round) {
            for (Aabb& box : boxes)
                if (round % 3 == 0 || random.below(10) == 0) box = random_box(random);
            if (round % 5 == 0) std::reverse(boxes.begin(), boxes.end());
            for (std::uint32_t i = 0; i < 100; ++i) {
                if (random.below(round % 20 == 0 ? 2 : 30) > 0) continue;
                if (inside[i])
                    region.remove(i);
                else
                    region.add(i, false);
                inside[i] = !inside[i];
            }
            region.sort(boxes, presort, scratch, notes, counters);
            REQUIRE(region.size() == std::size_t(std::count(inside.begin(), inside.end(), true)));
            check_places(region, boxes);
        }
        CHECK(counters.swaps > 1000);
    }
}

TEST_CASE("insertion counts one exchange for each pair of endpoints out of order") {
    SweepRegion region;
    SweepScratch scratch;
    PairNotes notes;
    BroadPhaseCounters counters;
    // Added in descending order on x alone: the second passes both ends of the first.
    const std::vector<Aabb> boxes{{{5, 0, 0}, {6, 1, 1}}, {{1, 2, 2}, {2, 3, 3}}};
    region.add(0, false);
    region.add(1, false);
    region.sort(boxes, false, scratch, notes, counters);
    CHECK(counters.swaps == 4);
    CHECK(region.place(1, 0, false) == 0);
    CHECK(region.place(1, 0, true) == 1);
    CHECK(region.place(0, 0, false) == 2);
    CHECK(region.place(0, 1, false) == 0);
    PairLedger ledger;
    ledger.take(notes);
    ledger.settle();
    CHECK(ledger.size() == 0);
}
