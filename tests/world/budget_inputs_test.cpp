// Steps with a budget depend on what went before and on nothing else, and bear what hosts give
// them.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "fovea/world/replay.h"
#include "tests/world/concave_box.h"
#include "tests/world/impact.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_step = 1.0f / 60;

ShapeId box_shape(World& world, float half) {
    return *world.add_shape(Box{{half, half, half}});
}

/// Bullets among walls, some of which were moved by hand, in the middle of a flight.
World volley() {
    World world(weightless());
    const ShapeId wall = *world.add_shape(Box{{2, 2, 0.05f}}),
                  ball = *world.add_shape(Sphere{0.05f});
    std::vector<BodyId> walls;
    for (int i = 0; i < 6; ++i)
        walls.push_back(*world.add_body({.shape = wall, .position = {0, 0, float(i) - 3}}));
    Random random(8);
    for (int i = 0; i < 12; ++i)
        (void)*world.add_body({.shape = ball,
                               .position = Vec3(random.direction() * 0.4),
                               .velocity = Vec3(random.direction() * 30.0),
                               .mass = 1,
                               .fast = i % 2 == 0});
    for (int i = 0; i < 3; ++i) world.step(k_step);
    REQUIRE(world.set_transform(walls[0], Transform({0, 0, -3.2f})));
    return world;
}

} // namespace

TEST_CASE("asking or copying a world changes no bit of its counted steps") {
    const std::vector<std::byte> start = volley().snapshot();
    for (std::uint64_t units = 500; units < 40'000; units += 500) {
        World plain = volley(), asked = volley(), copy = *World::from_snapshot(start);
        for (int i = 0; i < 4; ++i) {
            (void)asked.queries();
            const StepReport one = plain.step(k_step, Budget::work(units));
            const StepReport two = asked.step(k_step, Budget::work(units));
            const StepReport three = copy.step(k_step, Budget::work(units));
            CHECK(one.budget.used_units == two.budget.used_units);
            CHECK(one.budget.used_units == three.budget.used_units);
            REQUIRE(plain.hash() == asked.hash());
            REQUIRE(plain.hash() == copy.hash());
            copy = *World::from_snapshot(copy.snapshot());
        }
    }
}

TEST_CASE("what does not spin keeps its orientation to the last bit, by either response") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        World world(weightless(response));
        const ShapeId shape = box_shape(world, 1);
        Random random(4);
        std::vector<BodyId> bodies;
        std::vector<Quat> turned;
        for (int i = 0; i < 40; ++i) {
            const Quat turn(float(random.uniform(0.1, 1)), Vec3(random.direction()));
            bodies.push_back(*world.add_body({.shape = shape,
                                              .position = {float(4 * i), 0, 0},
                                              .orientation = turn,
                                              .mass = float(i % 2)}));
            turned.push_back(world.transform(bodies.back()).orientation);
        }
        for (int i = 0; i < 10; ++i) world.step(k_step);
        for (std::size_t i = 0; i < bodies.size(); ++i)
            CHECK(world.transform(bodies[i]).orientation == turned[i]);
    }
}

TEST_CASE("a recording with priorities that are no numbers replays") {
    ConcaveBox scene(27, weightless(), 3);
    scene.world.set_priority([](std::span<const PairView> pairs, std::span<float> priority) {
        for (std::size_t i = 0; i < pairs.size(); ++i)
            priority[i] = i % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : float(i % 5);
    });
    std::vector<std::byte> recording;
    scene.world.record_to([&](std::span<const std::byte> more) {
        recording.insert(recording.end(), more.begin(), more.end());
    });
    for (int i = 0; i < 20; ++i) scene.world.step(k_step, Budget::work(40'000));
    scene.world.record_to({});
    auto replay = Replay::open(recording);
    REQUIRE(replay);
    int steps = 0;
    while (replay->advance() == Replay::Outcome::same) ++steps;
    CHECK_MESSAGE(steps == 20, replay->message());
}

TEST_CASE("blows without a single visit are no reason to fail") {
    WorldSettings settings = weightless(Response::impulse);
    settings.impulse.velocity_visits = 0;
    ConcaveBox scene(8, settings, 3);
    for (int i = 0; i < 40; ++i) {
        const BudgetReport report = scene.world.step(k_step, Budget::work(20'000)).budget;
        CHECK((!report.floor_fits || report.used_units <= 20'000));
    }
}

TEST_CASE("a budget that fits is kept also by bodies of many parts") {
    World world;
    (void)*world.add_body({.shape = *world.add_shape(HalfSpace{{0, 1, 0}, 0})});
    auto raft = std::make_shared<Compound>();
    for (int i = 0; i < 24; ++i)
        raft->parts.push_back(
            {Box{{0.1f, 0.1f, 0.1f}}, Transform({0.2f * float(i % 6), 0, 0.2f * float(i / 6)})});
    const ShapeId shape = *world.add_shape(CompoundShape{raft});
    for (int i = 0; i < 12; ++i)
        (void)*world.add_body(
            {.shape = shape, .position = {0, 0.1f + 0.2f * float(i), 0}, .mass = 1});
    world.step(k_step);
    REQUIRE(world.step(k_step).contacts > 500);
    const std::vector<std::byte> start = world.snapshot();
    int fitted = 0;
    for (std::uint64_t units = 1000; units < 2'000'000; units += units / 32) {
        World copy = *World::from_snapshot(start);
        const BudgetReport report = copy.step(k_step, Budget::work(units)).budget;
        fitted += report.floor_fits;
        CHECK((!report.floor_fits || report.used_units <= units));
    }
    CHECK(fitted > 50);
}

TEST_CASE("answers name the right pairs in a step in which the only joint breaks") {
    World world;
    const ShapeId box = box_shape(world, 0.5f);
    (void)*world.add_body({.shape = *world.add_shape(HalfSpace{{0, 1, 0}, 0})});
    std::vector<BodyId> row;
    for (int i = 0; i < 8; ++i)
        row.push_back(
            *world.add_body({.shape = box, .position = {1.02f * float(i), 0.5f, 0}, .mass = 1}));
    JointDefinition joint =
        world.joint_at(row[0], row[1], {0.51f, 0.5f, 0}, {1, 0, 0}, FixedJoint{});
    joint.break_force = 0.01f;
    REQUIRE(world.add_joint(joint));
    REQUIRE(world.set_velocity(row[0], {-5, 0, 0}, {}));
    world.step(k_step, Budget::work(40'000));
    REQUIRE(world.events().joints_broke.size() == 1);
    const auto answers = world.pair_answers();
    CHECK(answers.size() == world.pairs().size());
    for (const AnsweredPair& answer : answers) // the joint kept these two apart
        CHECK_FALSE((answer.a == row[0] && answer.b == row[1]));
    CHECK(world.inaccuracy().worst_gap < 1);
}

TEST_CASE("a refused step changes nothing, not even what the last one said") {
    ConcaveBox scene(27, weightless(), 3);
    World& world = scene.world;
    for (int i = 0; i < 30; ++i) world.step(k_step, Budget::work(20'000));
    const auto answers = world.pair_answers();
    REQUIRE(!answers.empty());
    const std::uint64_t hash = world.hash();
    for (const float h : {-1.0f, 0.0f, std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity()}) {
        CHECK(world.step(h).warnings.size() == 1);
        CHECK(world.step(h, Budget::work(1000)).warnings.size() == 1);
        CHECK(world.step(h, StepCut()).warnings.size() == 1);
    }
    CHECK(world.hash() == hash);
    CHECK(world.pair_answers().size() == answers.size());
}

TEST_CASE("bodies that a huge step throws beyond all bounds are stopped, by either response") {
    for (const Response response : {Response::soft_step, Response::impulse})
        for (const float h : {1e20f, 1e30f, 3e38f})
            for (const bool budget : {false, true}) {
                World world(weightless(response));
                for (int i = 0; i < 3; ++i)
                    (void)*world.add_body(
                        {.shape = box_shape(world, 1), .position = {5 * float(i), -9, 0}});
                const BodyId ball = *world.add_body(
                    {.shape = *world.add_shape(Sphere{0.5f}), .velocity = {5, 0, 0}, .mass = 1});
                world.step(h, budget ? Budget::work(1'000'000) : Budget::unlimited());
                const Vec3 at = world.transform(ball).position;
                CHECK(std::isfinite(length(at)));
                CHECK(World::from_snapshot(world.snapshot()));
            }
}

TEST_CASE("answers outlive a move of the world, and end when a body is removed") {
    ConcaveBox scene(27, weightless(), 3);
    for (int i = 0; i < 30; ++i) scene.world.step(k_step, Budget::work(0));
    const double delta = scene.world.inaccuracy().delta;
    REQUIRE(delta > 0);
    const AnsweredPair gone = scene.world.pair_answers().front();
    World moved = std::move(scene.world);
    scene.world = World();
    CHECK(moved.inaccuracy().delta == delta);
    REQUIRE(moved.remove_body(gone.b));
    CHECK(moved.inaccuracy().delta == 0);
    CHECK(moved.pair_answers().empty());
}
