// Deforming bodies as part of a world: refusals, snapshots, recordings, threads, budgets.
#include <doctest/doctest.h>

#include <limits>

#include "fovea/world/replay.h"
#include "waving_world.h"

using namespace fovea;

namespace {

bool mentions(const std::string& text, const std::string& word) {
    return text.find(word) != std::string::npos;
}

} // namespace

TEST_CASE("what makes no sense is refused and changes nothing") {
    World world;
    const TriangleMesh flat = flat_sheet(4, 4);
    const BodyId sheet = add_sheet(world, flat);
    const BodyId ball = add_solid(world, Sphere{0.5f}, {0, 1, 0});
    const std::uint64_t hash = world.hash();
    const auto refused = [&](const Result<void>& made, const std::string& word) {
        REQUIRE(!made);
        CAPTURE(made.error().message);
        CHECK(mentions(made.error().message, word));
        CHECK(world.hash() == hash);
    };
    std::vector<Vec3> vertices = flat.vertices;
    vertices[7].z = std::numeric_limits<float>::quiet_NaN();
    refused(world.set_vertices(sheet, vertices), "vertex 7");
    vertices[7].z = std::numeric_limits<float>::infinity();
    refused(world.set_vertices(sheet, vertices), "vertex 7");
    vertices[7].z = 0x1p51f;
    refused(world.set_vertices(sheet, vertices), "2^50");
    vertices.pop_back();
    vertices[7] = {};
    refused(world.set_vertices(sheet, vertices), "24 vertices given for a mesh of 25");
    refused(world.set_vertices(sheet, {}), "0 vertices");
    refused(world.set_vertices(ball, flat.vertices), "sphere");
    refused(world.set_vertices(BodyId{}, flat.vertices), "no such body");
    refused(world.set_weights(sheet, std::vector<float>{1}), "does not morph");

    const ShapeId shape = *world.add_shape(DeformingMesh{shared(flat)});
    const BodyId dead = *world.add_body({.shape = shape});
    CHECK(!world.add_body({.shape = shape})); // it has a body
    REQUIRE(world.remove_body(dead));
    refused(world.set_vertices(dead, flat.vertices), "no such body");
    CHECK(mentions(world.add_body({.shape = shape, .mass = 1}).error().message, "deforming mesh"));
    CHECK(world.add_body({.shape = shape}));

    CHECK(!world.add_shape(DeformingMesh{}));
    auto targets = std::make_shared<MorphTargets>();
    CHECK(!world.add_shape(DeformingMesh{shared(flat), targets}));
    targets->vertices = {{{0, 0, 0}}};
    CHECK(mentions(world.add_shape(DeformingMesh{shared(flat), targets}).error().message,
                   "reference shape 1 has 1 vertices"));
}

TEST_CASE("a body that is gone takes its form with it") {
    World world;
    const TriangleMesh flat = flat_sheet(4, 4);
    const ShapeId shape = *world.add_shape(DeformingMesh{shared(flat)});
    const BodyId first = *world.add_body({.shape = shape});
    REQUIRE(world.set_vertices(first, shifted(flat.vertices, {0, 3, 0})));
    REQUIRE(world.remove_body(first));
    const BodyId second = *world.add_body({.shape = shape});
    CHECK(world.vertices(second) == flat.vertices);
    const auto hit = *world.queries().find(
        RayCast{.origin = {0.1f, 5, 0.2f}, .direction = {0, -1, 0}, .length = 10});
    REQUIRE(hit);
    CHECK(hit->distance == doctest::Approx(5));
}

TEST_CASE("a world goes on from a snapshot as it would have, budget or not") {
    for (const Response response : {Response::soft_step, Response::impulse})
        for (const bool limited : {false, true}) {
            CAPTURE(int(response));
            CAPTURE(limited);
            const Budget budget = limited ? Budget::work(60'000) : Budget::unlimited();
            Wave wave({.response = response});
            for (int i = 0; i < 40; ++i) wave.step(budget);
            // Between a change of the vertices and the step that sees it.
            ++wave.steps;
            const auto vertices = waved(wave.flat, float(wave.steps) * k_h);
            REQUIRE(wave.world.set_vertices(wave.sheet, vertices));
            World copy = *World::from_snapshot(wave.world.snapshot());
            CHECK(copy.hash() == wave.world.hash());
            for (int i = 0; i < 60; ++i) {
                wave.world.step(k_h, budget);
                copy.step(k_h, budget);
                CAPTURE(i);
                REQUIRE(copy.hash() == wave.world.hash());
                ++wave.steps;
                const auto next = waved(wave.flat, float(wave.steps) * k_h);
                REQUIRE(wave.world.set_vertices(wave.sheet, next));
                REQUIRE(copy.set_vertices(wave.sheet, next));
            }
        }
}

TEST_CASE("a recording replays to the same states") {
    Wave wave;
    std::vector<std::byte> recording;
    wave.world.record_to([&](std::span<const std::byte> more) {
        recording.insert(recording.end(), more.begin(), more.end());
    });
    for (int i = 0; i < 30; ++i) wave.step();
    for (int i = 0; i < 30; ++i) wave.step(Budget::work(50'000));
    wave.world.record_to(nullptr);
    Replay replay = *Replay::open(recording, 2);
    int steps = 0;
    while (replay.advance() == Replay::Outcome::same) ++steps;
    CAPTURE(replay.message());
    CHECK(steps == 60);
    CHECK(replay.advance() == Replay::Outcome::finished);
    CHECK(replay.world().hash() == wave.world.hash());
}

TEST_CASE("the number of threads changes nothing") {
    for (const Response response : {Response::soft_step, Response::impulse})
        for (const std::uint64_t units :
             {std::uint64_t(0), std::uint64_t(1), std::uint64_t(40'000)}) {
            std::vector<std::uint64_t> hashes, used;
            for (const int threads : {1, 2, 4}) {
                Wave wave({.response = response, .threads = threads});
                std::uint64_t sum = 0;
                for (int i = 0; i < 120; ++i)
                    sum += wave.step(units > 0 ? Budget::work(units) : Budget::unlimited())
                               .budget.used_units;
                hashes.push_back(wave.world.hash());
                used.push_back(sum);
            }
            CAPTURE(int(response));
            CAPTURE(units);
            CHECK(hashes[0] == hashes[1]);
            CHECK(hashes[0] == hashes[2]);
            if (units > 0) CHECK(used[0] == used[1]);
            if (units > 0) CHECK(used[0] == used[2]);
        }
}

TEST_CASE("refits are work, and no budget at all still answers every pair") {
    Wave still, moving;
    for (int i = 0; i < 60; ++i) {
        moving.step(Budget::work(1));
        const StepReport report = still.world.step(k_h, Budget::work(1));
        CHECK(!report.budget.floor_fits);
    }
    // A coarse answer holds bodies up as a fine one does, higher by what its spheres stand out.
    for (const BodyId body : moving.bodies) CHECK(moving.world.transform(body).position.y > -0.05f);
    const std::uint64_t triangles = 2 * 24 * 24;
    const StepReport with = moving.step(Budget::work(1));
    const StepReport without = moving.world.step(k_h, Budget::work(1));
    CHECK(with.budget.floor_units > without.budget.floor_units + 20 * triangles);
    CHECK(moving.step().refits > 0);
}
