// What a budget keeps for sleepers who may wake, and what it leaves to everybody else.
#include <doctest/doctest.h>

#include <cmath>

#include "fovea/geometry/procedural.h"
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
