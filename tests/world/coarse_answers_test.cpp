// What coarse answers must not do: gain energy, lose momentum, repel what passes by.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/oracles/allocation_counter.h"
#include "tests/world/concave_box.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_step = 1.0f / 60;

ShapeId add_l_shape(World& world) {
    return *world.add_shape(SolidMesh{
        std::make_shared<const TriangleMesh>(make_l_shape(0.5f, 0.15f, 0.2f)), {.levels = 4}});
}

WorldSettings weightless(Response response = Response::soft_step) {
    WorldSettings settings;
    settings.gravity = {};
    settings.response = response;
    settings.sleep.enabled = false;
    return settings;
}

/// Two bodies thrown at each other, each pair of them its own way.
struct Impact {
    World world;
    BodyId a, b;

    Impact(Random& random, Response response, float elastic, TriangleMesh mesh)
        : world(weightless(response)) {
        const ShapeId shape = *world.add_shape(
            SolidMesh{std::make_shared<const TriangleMesh>(std::move(mesh)), {.levels = 3}});
        const auto add = [&](float side) {
            const Vec3 offset(0, float(random.uniform(-0.2, 0.2)),
                              float(random.uniform(-0.2, 0.2)));
            return *world.add_body(
                {.shape = shape,
                 .position = Vec3(side * 0.45f, 0, 0) + offset,
                 .orientation = normalized(Quat(float(random.uniform()), Vec3(random.direction()))),
                 .velocity = Vec3(-side * float(random.uniform(0.5, 3)), 0, 0),
                 .angular_velocity = Vec3(random.direction() * random.uniform(0, 2)),
                 .mass = float(random.uniform(0.5, 2)),
                 .material = {.elastic = elastic}});
        };
        a = add(-1), b = add(1);
    }
};

} // namespace

TEST_CASE("momentum is conserved on every rung") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        std::uint64_t coarse = 0;
        for (const std::uint64_t grants : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 100u}) {
            Random random(11);
            for (int i = 0; i < 3; ++i) {
                Impact impact(random, response, 0.5f, make_l_shape(0.5f, 0.15f, 0.2f));
                const World& world = impact.world;
                const auto velocities = [&] {
                    return std::pair(world.velocity(impact.a), world.velocity(impact.b));
                };
                const auto [before_a, before_b] = velocities();
                Vec3 change_a, change_b;
                for (int k = 0; k < 40; ++k) {
                    StepCut cut;
                    cut.limited = true;
                    cut.grants = grants;
                    cut.plan = {0, 8, 10};
                    const StepReport report = impact.world.step(k_step, cut);
                    coarse += report.budget.pairs_cut;
                }
                const auto [after_a, after_b] = velocities();
                change_a = after_a - before_a, change_b = after_b - before_b;
                // Equal and opposite impulses: the changes are along one line, in one ratio, that
                // of the masses, which is the same however it is measured.
                CHECK(length(cross(change_a, change_b)) <=
                      1e-4f * (length(change_a) * length(change_b) + 1e-4f));
                if (length(change_a) > 0.01f) CHECK(dot(change_a, change_b) < 0);
            }
        }
        CHECK(coarse > 100);
    }
}

TEST_CASE("coarse answers never add energy") {
    for (const Response response : {Response::soft_step, Response::impulse})
        for (const std::uint64_t units : {0u, 3000u, 6000u}) {
            Random random(3);
            for (int i = 0; i < 6; ++i) {
                // Of the same inertia about all axes: its energy does not change as it turns.
                Impact impact(random, response, 1, make_jack(0.35f, 0.1f, 0.1f));
                double energy = impact.world.energy().kinetic;
                for (int k = 0; k < 60; ++k) {
                    const StepReport report = impact.world.step(k_step, Budget::work(units));
                    // Exact contacts and leaves push overlaps apart; that is not meant here.
                    const double now = impact.world.energy().kinetic;
                    const bool at_top = report.budget.pairs_cut == 0 && report.contacts > 0;
                    // Rounding of single precision over some hundred operations.
                    if (!at_top) CHECK(now <= energy * (1 + 2e-5));
                    energy = now;
                }
            }
        }
}

TEST_CASE("bodies that pass close by each other are not repelled when time runs short") {
    // Two Ls, one inside the angle of the other: their spheres overlap, they do not touch.
    std::uint64_t suppressed = 0;
    for (const float speed : {0.1f, 0.5f, 1.0f}) {
        World world(weightless());
        const ShapeId shape = add_l_shape(world);
        const BodyId still = *world.add_body({.shape = shape, .mass = 1});
        const BodyId passing = *world.add_body({.shape = shape,
                                                .position = {0.22f, 0.22f, -0.6f},
                                                .velocity = {0, 0, speed},
                                                .mass = 1});
        const int steps = int(1.2f / speed / k_step);
        for (int i = 0; i < steps; ++i) {
            const bool short_of_time = i % 3 == 1;
            const StepReport report =
                world.step(k_step, Budget::work(short_of_time ? 0 : 1u << 30));
            suppressed += report.budget.pairs_suppressed;
            REQUIRE(world.velocity(still) == Vec3());
            REQUIRE(world.velocity(passing) == Vec3(0, 0, speed));
        }
    }
    CHECK(suppressed > 30);
}

TEST_CASE("what was apart long ago is answered again") {
    World world(weightless());
    const ShapeId shape = add_l_shape(world);
    (void)*world.add_body({.shape = shape, .mass = 1});
    const BodyId passing = *world.add_body(
        {.shape = shape, .position = {0.22f, 0.22f, -0.6f}, .velocity = {0, 0, 1}, .mass = 1});
    world.step(k_step, Budget::work(1u << 30));
    for (int i = 0; i < 40; ++i) world.step(k_step, Budget::work(0));
    CHECK(world.velocity(passing).z < 0.9f);
}

TEST_CASE("the recursion cap ends the climb of fast bodies") {
    std::uint64_t rungs[2] = {};
    for (const bool cap : {false, true}) {
        WorldSettings settings = weightless();
        settings.schedule.recursion_cap = cap;
        ConcaveBox scene(27, settings, 20);
        for (int i = 0; i < 20; ++i)
            rungs[cap] += scene.world.step(k_step, Budget::work(1u << 30)).budget.rungs_climbed;
    }
    CHECK(rungs[1] < rungs[0]);
    CHECK(rungs[1] > 0);
}

TEST_CASE("no heap allocation in a warmed-up step with a budget") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        ConcaveBox scene(27, weightless(response), 2, 1);
        struct State {
            Transform transform;
            Vec3 velocity, spin;
        };
        std::vector<State> start;
        for (const BodyId id : scene.bodies)
            start.push_back({scene.world.transform(id), scene.world.velocity(id),
                             scene.world.angular_velocity(id)});
        const auto run = [&] {
            for (std::size_t i = 0; i < start.size(); ++i) {
                REQUIRE(scene.world.set_transform(scene.bodies[i], start[i].transform));
                REQUIRE(
                    scene.world.set_velocity(scene.bodies[i], start[i].velocity, start[i].spin));
            }
            const long before = allocations();
            for (int i = 0; i < 60; ++i)
                scene.world.step(k_step, Budget::work(i % 2 == 0 ? 60000 : 300000));
            return allocations() - before;
        };
        int quiet_runs = 0;
        for (int i = 0; i < 30 && quiet_runs < 3; ++i) quiet_runs = run() == 0 ? quiet_runs + 1 : 0;
        CHECK(quiet_runs == 3);
    }
}
