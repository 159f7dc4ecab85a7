// What a budget keeps for sleepers who may wake, and what it leaves to everybody else.
#include <doctest/doctest.h>

#include <cmath>

#include "fovea/geometry/procedural.h"
#include "fovea/world/waking_heaps.h"
#include "fovea/world/world.h"

using namespace fovea;

namespace {

constexpr float k_step = 1.0f / 60;

/// Boxes that sleep in a heap of so many along each side, and `k_jacks` bodies beside it that are
/// awake and have much to climb.
struct Heap {
    static constexpr float k_half = 0.25f;
    static constexpr int k_jacks = 27;
    World world;
    int boxes = 0;

    Heap(int wide, int high) {
        const ShapeId box = *world.add_shape(Box{{k_half, k_half, k_half}});
        (void)*world.add_body({.shape = *world.add_shape(HalfSpace{{0, 1, 0}, 0})});
        for (int y = 0; y < high; ++y)
            for (int i = 0; i < wide * wide; ++i, ++boxes) {
                const Vec3 cell(float(i % wide), float(y), float(i / wide));
                (void)*world.add_body({.shape = box,
                                       .position = cell * (2 * k_half) + Vec3(0, k_half, 0),
                                       .mass = 1});
            }
        for (int i = 0; i < 400; ++i) world.step(k_step);
        REQUIRE(world.step(k_step).awake == 0);
        const ShapeId jack = mesh(make_jack(0.35f, 0.1f, 0.1f));
        for (int i = 0; i < k_jacks; ++i)
            (void)*world.add_body({.shape = jack,
                                   .position = {20 + 0.5f * float(i % 3),
                                                5 + 0.5f * float(i / 3 % 3), 0.5f * float(i / 9)},
                                   .mass = 1,
                                   .motion = {.gravity_scale = 0}});
    }
    ShapeId mesh(TriangleMesh made) {
        return *world.add_shape(
            SolidMesh{std::make_shared<const TriangleMesh>(std::move(made)), {.levels = 3}});
    }
};

} // namespace

TEST_CASE("a budget that fits is kept also where a blow wakes a heap") {
    Heap heap(4, 4);
    const ShapeId box = *heap.world.add_shape(Box{{0.25f, 0.25f, 0.25f}});
    (void)*heap.world.add_body(
        {.shape = box, .position = {0.75f, 2.245f, 0.75f}, .velocity = {0, -3, 0}, .mass = 1});
    const std::vector<std::byte> start = heap.world.snapshot();
    // Climbing leaves alone what a heap will take that may wake: the floor fits wherever it is the
    // lesser, however much there is to climb.
    const std::uint64_t floor =
        World::from_snapshot(start)->step(k_step, Budget::work(0)).budget.floor_units;
    int woke = 0, fitted = 0;
    for (std::uint64_t units = 20'000; units < 20'000'000; units += units / 64) {
        World world = *World::from_snapshot(start);
        const BudgetReport report = world.step(k_step, Budget::work(units)).budget;
        woke += !world.events().woke.empty();
        fitted += report.floor_fits;
        CHECK(report.floor_fits == (units >= floor));
        if (report.floor_fits) CHECK(report.used_units <= units);
    }
    CHECK(woke > 200);
    CHECK(fitted > 40);
}

TEST_CASE("a body beside a sleeping heap lets others climb, and does not wake it") {
    // An L with its corner up, like a roof: its bounding sphere reaches into the heap, it does not.
    Heap heap(6, 4);
    constexpr float k_top = 4 * 2 * Heap::k_half,
                    k_turn = -2.3561945f; // to the corner, 135 degrees
    const BodyId hovering = *heap.world.add_body(
        {.shape = heap.mesh(make_l_shape(0.8f, 0.1f, 0.4f)),
         .position = {1.2f, k_top + 0.1f, 1.2f},
         .orientation = Quat(std::cos(k_turn / 2), {0, 0, std::sin(k_turn / 2)}),
         .mass = 1,
         .motion = {.gravity_scale = 0}});
    const std::vector<std::byte> start = heap.world.snapshot();
    REQUIRE(World::from_snapshot(start)->step(k_step).awake == Heap::k_jacks + 1);
    World coarse = *World::from_snapshot(start);
    const std::uint64_t floor = coarse.step(k_step, Budget::work(0)).budget.floor_units;
    REQUIRE(coarse.events().woke.size() == std::size_t(heap.boxes)); // on a coarse rung they touch
    for (const std::uint64_t units : {floor - floor / 4, floor + floor / 2}) {
        World world = *World::from_snapshot(start);
        std::uint64_t climbed = 0;
        for (int i = 0; i < 50; ++i) {
            const BudgetReport report = world.step(k_step, Budget::work(units)).budget;
            climbed += report.rungs_climbed;
            CHECK(report.used_units <= units);
            CHECK(world.events().woke.empty());
        }
        CHECK(climbed > 50 * Heap::k_jacks);
        CHECK(length(world.velocity(hovering)) < 0.01f);
    }
}

TEST_CASE("what is kept for a heap is given back when the last pair that may wake it is apart") {
    // Number 0 is awake; 1 and 2 sleep on 3, which cannot move; 4 sleeps alone.
    Bodies bodies;
    for (const float mass : {1.0f, 1.0f, 1.0f, 0.0f, 1.0f})
        bodies.set(bodies.size(), {.mass = mass, .inertia = Mat3::identity()});
    const std::vector<std::uint8_t> active{1, 0, 0, 0, 0};
    const auto patch = [](std::uint32_t a, std::uint32_t b, int count) {
        ContactPatch made{};
        made.a = a, made.b = b, made.count = count;
        return made;
    };
    const std::vector<ContactPatch> patches{patch(1, 2, 4), patch(1, 3, 2), patch(2, 3, 1)};
    Sleepers sleepers;
    sleepers.find({bodies, active, patches, {}, {}});
    REQUIRE(sleepers.heaps().size() == 2);
    const ResponseLoad heap{.bodies = 2, .patches = 3, .points = 7, .pairs = 3}, alone{.bodies = 1};

    const ResponsePlan full{0, 8, 4};
    const auto enough = std::uint64_t(1) << 40;
    struct Kept {
        std::uint64_t respond, join;
        bool operator==(const Kept&) const = default;
    };
    struct Step {
        WakingHeaps heaps;
        StepLedger ledger;
        Step(const Sleepers& sleepers, std::uint64_t units) {
            ledger.begin(Budget::work(units), CostModel(), 0);
            heaps.begin(sleepers);
        }
        Kept kept() const { return {ledger.aside(Work::respond), ledger.aside(Work::join)}; }
    };
    const std::uint64_t at_full = response_units(heap, full),
                        at_least = response_units(heap, least_plan(full));
    SUBCASE("of what touches the full response, until two pairs are apart") {
        Step step(sleepers, enough);
        step.heaps.note_pair({0, 1}, true);
        step.heaps.note_pair({0, 2}, false);
        CHECK(step.heaps.on_floor().bodies == heap.bodies);
        CHECK(step.heaps.on_floor().points == heap.points);
        step.heaps.set_aside({response_units, full, 10, true}, step.ledger);
        CHECK(step.kept() == Kept{at_full, 30});
        step.heaps.note_apart({0, 1}, step.ledger);
        CHECK(step.kept() == Kept{at_full, 30});
        step.heaps.note_apart({0, 2}, step.ledger);
        CHECK(step.kept() == Kept{0, 0});
    }
    SUBCASE("the least of what only climbing can wake") {
        Step step(sleepers, enough);
        step.heaps.note_pair({0, 2}, false);
        CHECK(step.heaps.on_floor().bodies == 0);
        step.heaps.set_aside({response_units, full, 10, true}, step.ledger);
        CHECK(step.kept() == Kept{at_least, 30});
        step.heaps.note_apart({0, 2}, step.ledger);
        CHECK(step.kept() == Kept{0, 0});
    }
    SUBCASE("each heap by itself") {
        Step step(sleepers, enough);
        step.heaps.note_pair({0, 1}, true);
        step.heaps.note_pair({0, 4}, true);
        step.heaps.set_aside({response_units, full, 10, true}, step.ledger);
        CHECK(step.kept() == Kept{at_full + response_units(alone, full), 30});
        step.heaps.note_apart({0, 1}, step.ledger);
        CHECK(step.kept() == Kept{response_units(alone, full), 0});
    }
    SUBCASE("the least on the floor, where half of what is free does not pay for more") {
        Step step(sleepers, 2 * at_full);
        step.heaps.note_pair({0, 1}, true);
        step.heaps.set_aside({response_units, full, 10, true}, step.ledger);
        CHECK(step.kept() == Kept{at_least, 30});
    }
    SUBCASE("nothing, where nothing fits") {
        Step step(sleepers, at_least);
        step.heaps.note_pair({0, 1}, true);
        step.heaps.set_aside({response_units, full, 10, false}, step.ledger);
        CHECK(step.kept() == Kept{0, 0});
        step.heaps.note_apart({0, 1}, step.ledger);
        CHECK(step.kept() == Kept{0, 0});
    }
}
