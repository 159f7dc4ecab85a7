// Snapshots go on bit for bit, and whatever else is given for one is refused or harmless.
#include <string>

#include <doctest/doctest.h>

#include "tests/world/random_calls.h"
#include "tests/world/signed_snapshot.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_step = 1.0f / 60;
using Bytes = std::vector<std::byte>;

World busy_world(WorldSettings settings, std::uint64_t seed, int calls) {
    World world(settings);
    Random random(seed);
    RandomCalls<Random> caller(world, random);
    caller.furnish();
    for (int i = 0; i < calls; ++i) {
        caller.call();
        if (i % 10 == 9) world.step(k_step);
    }
    return world;
}

} // namespace

TEST_CASE("a world made from a snapshot goes on bit for bit") {
    for (const Response response : {Response::soft_step, Response::impulse})
        for (const BroadPhaseMethod method :
             {BroadPhaseMethod::sweep, BroadPhaseMethod::tree, BroadPhaseMethod::brute})
            for (std::uint64_t seed = 1; seed <= 6; ++seed) {
                CAPTURE(seed);
                WorldSettings settings{.broad_phase = method, .response = response};
                settings.gyroscopic = seed % 2 == 0;
                World world = busy_world(settings, seed, 600);
                const Bytes bytes = world.snapshot();
                auto copy = World::from_snapshot(bytes, int(seed % 3) + 1);
                REQUIRE_MESSAGE(copy, copy.error().message);
                CHECK(copy->snapshot() == bytes);
                CHECK(copy->body_count() == world.body_count());
                CHECK(copy->frame() == world.frame());
                // The same calls to both.
                Random first(seed + 100), second(seed + 100);
                RandomCalls<Random> to_world(world, first), to_copy(*copy, second);
                to_world.furnish();
                to_copy.furnish();
                for (int i = 0; i < 200; ++i) {
                    if (i % 5 == 0) to_world.call(), to_copy.call();
                    const StepReport a = world.step(k_step), b = copy->step(k_step);
                    REQUIRE(world.hash() == copy->hash());
                    REQUIRE(a.contacts == b.contacts);
                    REQUIRE(world.events().contact_began == copy->events().contact_began);
                    REQUIRE(world.events().fell_asleep == copy->events().fell_asleep);
                }
                CHECK(world.snapshot() == copy->snapshot());
            }
}

TEST_CASE("a sleeping world stays asleep over a snapshot") {
    World world;
    const ShapeId floor = *world.add_shape(HalfSpace{{0, 1, 0}, 0});
    const ShapeId box = *world.add_shape(Box{{0.5f, 0.5f, 0.5f}});
    REQUIRE(world.add_body({.shape = floor}));
    const BodyId below = *world.add_body({.shape = box, .position = {0, 0.5f, 0}, .mass = 1});
    const BodyId above = *world.add_body({.shape = box, .position = {0, 1.5f, 0}, .mass = 1});
    for (int i = 0; i < 300; ++i) world.step(k_step);
    REQUIRE_FALSE(world.is_awake(above));
    World copy = *World::from_snapshot(world.snapshot());
    CHECK(copy.step(k_step).awake == 0);
    CHECK_FALSE(copy.is_awake(above));
    REQUIRE(copy.remove_body(below)); // its contacts are remembered: the upper one wakes
    for (int i = 0; i < 60; ++i) copy.step(k_step);
    CHECK(copy.transform(above).position.y < 0.6f);
}

TEST_CASE("damaged snapshots are refused") {
    const Bytes good = busy_world({}, 3, 60).snapshot();
    for (std::size_t i = 0; i < good.size(); i += i < 64 ? 1 : 37) {
        Bytes bad = good;
        bad[i] ^= std::byte{0x10};
        const auto world = World::from_snapshot(bad);
        REQUIRE_FALSE(world);
        REQUIRE_FALSE(world.error().message.empty());
    }
    for (std::size_t size = 0; size < good.size(); size += size < 64 ? 1 : 101)
        REQUIRE_FALSE(World::from_snapshot(std::span(good).first(size)));
    Bytes longer = good;
    longer.push_back(std::byte{});
    REQUIRE_FALSE(World::from_snapshot(longer));
    Bytes newer = good;
    newer[8] = std::byte{99};
    CHECK(World::from_snapshot(newer).error().message.find("version 99") != std::string::npos);
}

TEST_CASE("altered snapshots that look sound do no harm") {
    const Bytes good = busy_world({}, 5, 150).snapshot();
    Random random(11);
    int accepted = 0;
    for (int trial = 0; trial < 1200; ++trial) {
        Bytes bad = good;
        for (std::uint32_t k = random.below(3) + 1; k > 0; --k)
            bad[k_snapshot_head +
                random.below(std::uint32_t(bad.size() - k_snapshot_head - k_snapshot_tail))] =
                std::byte(random.below(256));
        sign_snapshot(bad);
        auto world = World::from_snapshot(bad);
        if (!world) continue;
        ++accepted;
        for (int i = 0; i < 2; ++i) world->step(k_step);
        for (const ContactPatch& patch : world->patches()) REQUIRE(patch.count <= 4);
    }
    // Most bytes are those of numbers, any value of which is as good as another.
    CHECK(accepted > 200);
}

TEST_CASE("a height field whose ladder came of a mesh that is gone goes on bit for bit") {
    World world;
    const ShapeId mesh = *world.add_shape(
        SolidMesh{std::make_shared<const TriangleMesh>(make_l_shape(0.5f, 0.15f, 0.2f))});
    Random random(1);
    HeightField field;
    field.columns = field.rows = 17;
    for (int i = 0; i < 17 * 17; ++i) field.heights.push_back(float(random.uniform(0, 0.6)));
    const ShapeId heights =
        *world.add_shape(HeightSurface{std::make_shared<const HeightField>(field)});
    (void)*world.add_body({.shape = heights, .position = {-8, 0, -8}});
    REQUIRE(world.remove_shape(mesh));
    const ShapeId box = *world.add_shape(Box{{0.3f, 0.4f, 0.5f}});
    for (int i = 0; i < 30; ++i)
        (void)*world.add_body(
            {.shape = box,
             .position = {float(random.uniform(-6, 6)), float(random.uniform(1, 4)),
                          float(random.uniform(-6, 6))},
             .mass = 1});
    World again = *World::from_snapshot(world.snapshot());
    for (int i = 0; i < 100; ++i) {
        world.step(k_step, Budget::work(20000));
        again.step(k_step, Budget::work(20000));
        REQUIRE(again.hash() == world.hash());
    }
}
