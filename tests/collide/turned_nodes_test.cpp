// Nodes that are turned once a step: the hits are those of nodes carried pair by pair, every node
// is turned once and only if it is needed, and threads share them.
#include <doctest/doctest.h>

#include <memory>

#include "fovea/base/jobs.h"
#include "tests/collide/descent_cases.h"

using namespace fovea;
using namespace fovea::test;

namespace {

/// Bodies of one shape, near each other, and all pairs of them.
struct Crowd {
    const Ladder& ladder;
    std::vector<Transform> at;
    std::vector<TurnedNodes> nodes;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;

    Crowd(const Ladder& of, std::uint32_t count)
        : ladder(of)
        , nodes(count) {
        Random random(5);
        for (std::uint32_t i = 0; i < count; ++i) {
            at.push_back({Vec3(random.direction() * random.uniform(0, 1.5)), random_turn(random)});
            for (std::uint32_t k = 0; k < i; ++k) pairs.push_back({k, i});
        }
    }
    void place(bool shared) {
        for (std::size_t i = 0; i < at.size(); ++i)
            nodes[i].place(ladder, at[i].orientation, shared);
    }
    SlotSet leaves(std::size_t pair, DescentScratch& scratch) {
        const auto placed = [&](std::uint32_t i) { return PlacedLadder{ladder, at[i], &nodes[i]}; };
        PairDescent state;
        Arena arena;
        WorkMeter work;
        LadderDescent descent(placed(pairs[pair].first), placed(pairs[pair].second),
                              {.exact = false}, scratch);
        descent.open(work, arena, state);
        descent.finish(work, arena, state);
        return sorted_pairs(state);
    }
    std::uint64_t turned_nodes() const {
        std::uint64_t count = 0;
        for (const TurnedNodes& of_body : nodes)
            for (int level = 0; level < ladder.levels(); ++level)
                for (const std::uint32_t slot : slots_of(ladder, level))
                    count += of_body.is_turned(slot / LadderBlock::k_width);
        return count;
    }
};

} // namespace

TEST_CASE("turned nodes touch where carried ones do") {
    Random random(12);
    std::size_t hits = 0, within_rounding = 0;
    for (const LadderBody& a : bodies()) {
        for (const LadderBody& b : bodies()) {
            TurnedNodes nodes_a, nodes_b;
            for (const DescentPolicy policy : k_policies) {
                for (int i = 0; i < 12 / std::min(k_share, 4); ++i) {
                    const Transform at_a = random_pose(random, 3);
                    const Transform at_b = {at_a.position +
                                                Vec3(random.direction() * random.uniform(0.3, 1)),
                                            random_turn(random)};
                    const Run carried(a.ladder, at_a, b.ladder, at_b, {.policy = policy});
                    nodes_a.place(a.ladder, at_a.orientation, false);
                    nodes_b.place(b.ladder, at_b.orientation, false);
                    PairDescent pair;
                    Arena arena;
                    DescentScratch scratch;
                    WorkMeter work;
                    LadderDescent descent({a.ladder, at_a, &nodes_a}, {b.ladder, at_b, &nodes_b},
                                          {.policy = policy}, scratch);
                    descent.open(work, arena, pair);
                    descent.finish(work, arena, pair);
                    // Exact rungs: triangles do not care how leaves were found, but for those that
                    // touch within the rounding of their nodes' spheres.
                    CHECK(pair.outcome == carried.pair.outcome);
                    const SlotSet expected = sorted_pairs(carried.pair), found = sorted_pairs(pair);
                    hits += expected.size();
                    within_rounding += found != expected;
                }
            }
        }
    }
    CHECK(hits > 1000);
    CHECK(within_rounding == 0);
}

TEST_CASE("turned nodes of leaves touch where spheres do") {
    // Against double precision, not against the other way of single.
    const LadderBody& body = bodies().front();
    Crowd crowd(body.ladder, 12);
    crowd.place(false);
    DescentScratch scratch;
    const auto leaves = slots_of(body.ladder, body.ladder.levels() - 1);
    std::size_t hits = 0;
    for (std::size_t p = 0; p < crowd.pairs.size(); ++p) {
        const SlotSet found = crowd.leaves(p, scratch);
        const Transformd pose =
            b_in_a(crowd.at[crowd.pairs[p].first], crowd.at[crowd.pairs[p].second]);
        // Twice the slack with which nodes are tested.
        const double band = 0x1p-19 * (length(pose.position) + 4);
        hits += found.size();
        for (const std::uint32_t a : leaves) {
            const BoundingBall x = body.ladder.ball(a);
            for (const std::uint32_t b : leaves) {
                const BoundingBall y = body.ladder.ball(b);
                const double gap =
                    length(pose * Vec3d(y.centre) - Vec3d(x.centre)) - x.radius - y.radius;
                if (std::abs(gap) <= band) continue;
                if (std::binary_search(found.begin(), found.end(), std::pair(a, b)) != (gap < 0))
                    FAIL("a pair of leaves with a gap of ", gap, " m");
            }
        }
    }
    CHECK(hits > 1000);
}

TEST_CASE("a node is turned once a step, and only if it is needed") {
    Crowd crowd(bodies().front().ladder, 20);
    DescentScratch scratch;
    for (int step = 0; step < 3; ++step) {
        crowd.place(false);
        CHECK(crowd.turned_nodes() == 0);
        scratch.counters = {};
        for (std::size_t p = 0; p < crowd.pairs.size(); ++p) crowd.leaves(p, scratch);
        const std::uint64_t turned = crowd.turned_nodes();
        CHECK(turned > 0);
        CHECK(scratch.counters.transforms == turned);
        for (std::size_t p = 0; p < crowd.pairs.size(); ++p) crowd.leaves(p, scratch);
        CHECK(scratch.counters.transforms == turned);
    }
    // Roots that do not touch need no nodes, and roots that hardly do need few.
    const float reach = crowd.ladder.ball(k_root_slot).radius;
    crowd.at[0] = Transform({100, 0, 0});
    crowd.at[1] = Transform({100 + 2.1f * reach, 0, 0});
    crowd.place(false);
    crowd.leaves(0, scratch);
    CHECK(crowd.turned_nodes() == 0);
    crowd.at[1].position.x = 100 + 1.9f * reach;
    crowd.leaves(0, scratch);
    CHECK(crowd.turned_nodes() > 0);
    CHECK(crowd.turned_nodes() < 160);
}

TEST_CASE("turned nodes are as exact far out as at the origin") {
    // Steps of a sixteenth, so that no position is rounded.
    DescentScratch scratch;
    Crowd near(bodies().front().ladder, 10), far(bodies().front().ladder, 10);
    for (std::size_t i = 0; i < near.at.size(); ++i) {
        Vec3& p = near.at[i].position;
        for (int axis = 0; axis < 3; ++axis) p[axis] = std::round(p[axis] * 16) / 16;
        far.at[i].position = p + Vec3(262144, -131072, 65536);
    }
    near.place(false), far.place(false);
    std::size_t hits = 0;
    for (std::size_t p = 0; p < near.pairs.size(); ++p) {
        const SlotSet here = near.leaves(p, scratch);
        hits += here.size();
        CHECK(far.leaves(p, scratch) == here);
    }
    CHECK(hits > 100);
}

TEST_CASE("several threads share turned nodes") {
    Crowd alone(bodies().front().ladder, 24), crowd(bodies().front().ladder, 24);
    alone.place(false);
    DescentScratch scratch;
    std::vector<SlotSet> expected;
    for (std::size_t p = 0; p < alone.pairs.size(); ++p)
        expected.push_back(alone.leaves(p, scratch));
    const Jobs jobs(4);
    std::vector<std::unique_ptr<DescentScratch>> scratches;
    for (std::size_t p = 0; p < crowd.pairs.size(); ++p)
        scratches.push_back(std::make_unique<DescentScratch>());
    for (int step = 0; step < 20; ++step) {
        crowd.place(true);
        std::vector<SlotSet> found(crowd.pairs.size());
        for (auto& each : scratches) each->counters = {};
        jobs.for_blocks(crowd.pairs.size(), 1, [&](std::size_t p, std::size_t) {
            found[p] = crowd.leaves(p, *scratches[p]);
        });
        CHECK(found == expected);
        std::uint64_t turned = 0;
        for (const auto& each : scratches) turned += each->counters.transforms;
        CHECK(turned == crowd.turned_nodes());
        CHECK(turned == scratch.counters.transforms);
    }
}
