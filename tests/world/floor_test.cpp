// The floor of a step: what is reported is what the least of a step takes.
#include <doctest/doctest.h>

#include "fovea/world/world.h"

using namespace fovea;

namespace {

constexpr float k_step = 1.0f / 60;

/// Twenty piles of boxes on the ground, side by side, asleep.
World sleeping_piles(int height) {
    World world;
    (void)*world.add_body({.shape = *world.add_shape(HalfSpace{{0, 1, 0}, 0})});
    const ShapeId box = *world.add_shape(Box{{0.5f, 0.5f, 0.5f}});
    for (int i = 0; i < 20; ++i)
        for (int k = 0; k < height; ++k)
            (void)*world.add_body(
                {.shape = box, .position = {float(i), 0.5f + float(k), 0}, .mass = 1});
    for (int i = 0; i < 300; ++i) world.step(k_step);
    REQUIRE(world.step(k_step).awake == 0);
    return world;
}

} // namespace

TEST_CASE("a budget of just the floor is kept, whoever moves") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        const auto make = [&] {
            World world({.gravity = {}, .response = response});
            const ShapeId box = *world.add_shape(Box{{0.3f, 0.3f, 0.3f}});
            for (int i = 0; i < 10; ++i)
                (void)*world.add_body({.shape = box,
                                       .position = {3.0f * float(i), 0, 0},
                                       .velocity = {0, 0.1f, 0},
                                       .mass = 1});
            for (int i = 0; i < 100; ++i)
                (void)*world.add_body({.shape = box,
                                       .position = {3.0f * float(i), 20, 0},
                                       .velocity = {0, 0.1f, 0},
                                       .kinematic = response == Response::soft_step});
            return world;
        };
        World asked = make(), given = make();
        const std::uint64_t floor = asked.step(k_step, Budget::work(0)).budget.floor_units;
        const BudgetReport report = given.step(k_step, Budget::work(floor)).budget;
        CHECK(report.floor_fits);
        CHECK(report.used_units <= floor);
        // Below it, it says so.
        CHECK_FALSE(make().step(k_step, Budget::work(floor - 1)).budget.floor_fits);
    }
}

TEST_CASE(
    "bodies that a blow wakes count: a step over its budget says that the floor does not fit") {
    World world = sleeping_piles(5);
    const ShapeId box = *world.add_shape(Box{{0.5f, 0.5f, 0.5f}});
    (void)*world.add_body(
        {.shape = box, .position = {10, 8, 0}, .velocity = {0, -5, 0}, .mass = 1});
    const std::uint64_t budget = 40000;
    int over = 0;
    for (int i = 0; i < 60; ++i) {
        const BudgetReport report = world.step(k_step, Budget::work(budget)).budget;
        CHECK((report.used_units <= budget || !report.floor_fits));
        CHECK((report.used_units <= report.floor_units || report.used_units <= budget));
        over += report.used_units > budget;
    }
    CHECK(over > 0); // or nothing was shown
}

TEST_CASE("contacts of sleepers are not counted as left out twice") {
    World world = sleeping_piles(2);
    const ShapeId box = *world.add_shape(Box{{0.5f, 0.5f, 0.5f}});
    (void)*world.add_body({.shape = box, .position = {0, 0.5f, 20}, .mass = 1});
    const StepReport report = world.step(k_step, Budget::work(0));
    CHECK(report.budget.contacts_left_out > 0);
    CHECK(report.budget.contacts_left_out < report.contacts);
}
