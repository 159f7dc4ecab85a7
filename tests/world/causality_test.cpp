// How long contacts wait for their response, in simulated time: counted, the clock plays no part.
#include <doctest/doctest.h>

#include "fovea/world/pair_history.h"
#include "tests/world/impact.h"
#include "tests/world/volley.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_step = 1.0f / 60;
constexpr double k_step_ms = 1e3 / 60;
const Budget k_ample = Budget::work(1ull << 40), k_none = Budget::work(0);

/// Two Ls, the second so far from the first along the diagonal of its angle; 0.15 touches.
World two_ls(const WorldSettings& settings, float offset, float speed = 0) {
    World world(settings);
    const ShapeId shape = *world.add_shape(SolidMesh{
        std::make_shared<const TriangleMesh>(make_l_shape(0.5f, 0.15f, 0.2f)), {.levels = 3}});
    (void)*world.add_body({.shape = shape, .mass = 1});
    (void)*world.add_body(
        {.shape = shape, .position = {offset, offset, 0}, .velocity = {0, 0, speed}, .mass = 1});
    return world;
}

WorldSettings dropping(Response response) {
    WorldSettings settings = weightless(response);
    settings.schedule.drop_undecided = true;
    return settings;
}

} // namespace

TEST_CASE("a contact that is dropped for 100 ms is late") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        World world = two_ls(dropping(response), 0.13f);
        // Six steps of a sixtieth of a second are 100 ms.
        for (int i = 1; i <= 10; ++i) {
            const BudgetReport report = world.step(k_step, k_none).budget;
            REQUIRE(report.pairs_dropped == 1);
            CHECK(report.held_max_ms == doctest::Approx(i * k_step_ms));
            CHECK(report.late_by_steps == (i >= 6 ? 1 : 0));
            if (i == 7) world = *World::from_snapshot(world.snapshot());
        }
        // Answered at last, ten steps late; from then on in time.
        const BudgetReport answered = world.step(k_step, k_ample).budget;
        CHECK(answered.exact_pairs == 1);
        CHECK(answered.late_by_steps == 1);
        CHECK(answered.held_max_ms == doctest::Approx(10 * k_step_ms));
        const BudgetReport after = world.step(k_step, k_ample).budget;
        CHECK(after.late_by_steps == 0);
        CHECK(after.held_max_ms == 0);
    }
}

TEST_CASE("what turns out to be apart was not late") {
    World world = two_ls(dropping(Response::soft_step), 0.2f);
    for (int i = 0; i < 10; ++i) world.step(k_step, k_none);
    const BudgetReport found = world.step(k_step, k_ample).budget;
    CHECK(found.pairs_apart == 1);
    CHECK(found.late_by_steps == 0);
    CHECK(found.held_max_ms == 0);
}

TEST_CASE("a pair that was held back counts when it is answered") {
    WorldSettings settings = weightless();
    settings.schedule.tolerance = 1;
    World world = two_ls(settings, 0.18f, 0.1f);
    world.step(k_step, k_ample);
    int held = 0;
    for (BudgetReport report; held < 300; ++held) {
        report = world.step(k_step, k_none).budget;
        if (report.pairs_suppressed == 0) {
            CHECK(report.pairs_at_rung[0] == 1);
            CHECK(report.late_by_steps == 1);
            CHECK(report.held_max_ms == doctest::Approx(held * k_step_ms));
            break;
        }
        CHECK(report.late_by_steps == 0);
    }
    CHECK(held > 6);
    CHECK(held < 300);
}

TEST_CASE("steps in which a pair waits and its body is held up count once") {
    using Fate = PairHistory::Fate;
    const ProxyPair pairs[] = {{0, 1}};
    PairHistory history;
    const auto conclude = [&](Fate fate, float held_up) {
        history.begin(pairs, 2, 0);
        const float delay = history.conclude(0, fate, k_step);
        history.hold_up(0, held_up);
        return delay;
    };
    // Half a step behind when its nodes first touch, and further behind while the pair waits.
    CHECK(conclude(Fate::apart, 0.5f * k_step) == 0);
    CHECK(conclude(Fate::suppressed, 0.25f * k_step) == 0);
    CHECK(conclude(Fate::dropped, 0.25f * k_step) == doctest::Approx(2.5 * k_step));
    CHECK(conclude(Fate::touching, 0) == doctest::Approx(2.5 * k_step));
    history.forgive();
    CHECK(conclude(Fate::touching, 0) == 0);
}

TEST_CASE("bullets that there was no time to follow hit the wall late") {
    for (const bool short_of_time : {false, true}) {
        Volley volley(1);
        const std::uint64_t floor = volley.world.step(k_step, k_none).budget.floor_units;
        std::uint32_t late = 0;
        double longest = 0;
        for (int i = 0; i < 200; ++i) {
            const BudgetReport report =
                volley.world.step(k_step, short_of_time ? Budget::work(2 * floor) : k_ample).budget;
            late += report.late_by_steps;
            longest = std::max(longest, report.held_max_ms);
        }
        // Four metres at 60 m/s take four steps; a body that is held up gets there much later.
        CHECK((late > 0) == short_of_time);
        CHECK((longest > 100) == short_of_time);
        CHECK(longest < 200 * k_step_ms);
    }
}

TEST_CASE("a body that has touched something is late no more, by either response") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        WorldSettings settings = weightless(response);
        settings.gravity = {10, 0, 0}; // to the wall
        World world(settings);
        (void)*world.add_body({.shape = *world.add_shape(Box{{0.01f, 5, 5}})});
        (void)*world.add_body({.shape = *world.add_shape(Sphere{0.05f}),
                               .position = {-4, 0, 0},
                               .velocity = {60, 0, 0},
                               .mass = 1});
        int late = 0, hits = 0;
        for (int i = 0; i < 400 && hits == 0; ++i) {
            const StepReport report = world.step(k_step, k_none);
            hits += report.hits > 0;
            late += report.budget.late_by_steps > 0;
        }
        // Held up on its way it hits the wall late; then it lies there.
        CHECK(late == 1);
        for (int i = 0; i < 100; ++i) {
            const StepReport report = world.step(k_step, k_ample);
            hits += report.hits > 0;
            CHECK(report.budget.late_by_steps == 0);
        }
        CHECK(hits > 10);
    }
}

TEST_CASE("without a budget nothing is late") {
    World world = two_ls(weightless(), 0.13f);
    for (int i = 0; i < 10; ++i) {
        const BudgetReport report = world.step(k_step).budget;
        CHECK(report.late_by_steps == 0);
        CHECK(report.late_by_clock == 0);
    }
}
