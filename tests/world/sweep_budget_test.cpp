// Fast bodies where there is no time to follow them all.
#include <doctest/doctest.h>

#include "tests/world/volley.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_step = 1.0f / 60;

} // namespace

TEST_CASE("bullets that cannot be followed are late, but do not pass a wall") {
    std::uint64_t hash_of_one = 0;
    for (const int threads : {1, 3}) {
        Volley volley(threads);
        const std::uint64_t floor = volley.world.step(k_step, Budget::work(0)).budget.floor_units;
        Volley again(threads);
        again.world.step(k_step, Budget::work(0));
        std::uint64_t left_out = 0, followed = 0;
        for (int i = 0; i < 200; ++i) {
            const BudgetReport report = volley.world.step(k_step, Budget::work(4 * floor)).budget;
            CHECK((report.used_units <= 4 * floor || !report.floor_fits));
            left_out += report.sweeps_left_out;
            followed += volley.world.cut().sweeps;
            REQUIRE(volley.foremost() < 0);
            // The cut alone leads to the same state.
            again.world.step(k_step, volley.world.cut());
            REQUIRE(again.world.hash() == volley.world.hash());
        }
        CHECK(left_out > 0);
        CHECK(followed > 0);
        // None is forgotten: each has hit the wall and flies back, or rests there.
        for (const BodyId bullet : volley.bullets) CHECK(volley.world.velocity(bullet).x <= 0.01f);
        if (threads == 1) hash_of_one = volley.world.hash();
        CHECK(volley.world.hash() == hash_of_one);
    }
}

TEST_CASE("with time enough every bullet is followed") {
    Volley volley(1);
    for (int i = 0; i < 10; ++i)
        for (const Budget budget : {Budget::work(1u << 30), Budget::milliseconds(1e300)})
            CHECK(volley.world.step(k_step, budget).budget.sweeps_left_out == 0);
    CHECK(volley.foremost() < 0);
}

TEST_CASE("a fast body with nothing in its way is never late") {
    World world({.gravity = {0, -9.81f, 0}});
    (void)*world.add_body({.shape = *world.add_shape(HalfSpace{{0, 1, 0}, -50})});
    const BodyId body = *world.add_body(
        {.shape = *world.add_shape(Box{{0.1f, 0.1f, 0.1f}}), .velocity = {0, -20, 0}, .mass = 1});
    const std::uint64_t floor = world.step(k_step, Budget::work(0)).budget.floor_units;
    const float from = world.transform(body).position.y;
    float fallen = 0;
    for (int i = 0; i < 60; ++i) {
        // The search takes some, a swept test would not fit.
        const BudgetReport report = world.step(k_step, Budget::work(floor + 600)).budget;
        CHECK(report.sweeps_left_out == 0);
        CHECK(report.used_units <= floor + 600);
        fallen += -world.velocity(body).y * k_step;
    }
    CHECK(from - world.transform(body).position.y == doctest::Approx(fallen).epsilon(0.01));
}

TEST_CASE("bodies that there is no time to follow gain no energy by falling") {
    for (const Response response : {Response::soft_step, Response::impulse})
        for (const std::uint64_t units : {0u, 400u, 600u, 1000u, 4000u}) {
            WorldSettings settings;
            settings.response = response;
            World world(settings);
            (void)*world.add_body({.shape = *world.add_shape(HalfSpace{{0, 1, 0}, 0})});
            (void)*world.add_body(
                {.shape = *world.add_shape(Sphere{0.1f}), .position = {0, 10, 0}, .mass = 1});
            const auto energy = [&] { return world.energy().kinetic + world.energy().potential; };
            const double start = energy();
            double most = 0;
            for (int k = 0; k < 1200; ++k) {
                world.step(k_step, Budget::work(units));
                most = std::max(most, energy());
            }
            INFO("response ", int(response), ", ", units, " units");
            // Rounding of sums of some thousand J, in single precision.
            CHECK(most <= start * (1 + 1e-5));
        }
}

TEST_CASE("bodies joined to one that there is no time to follow gain no energy") {
    constexpr float k_half = 0.70710678f; // of a right angle, cosine and sine
    for (const std::uint64_t units : {0u, 6000u, 12'000u, 24'000u}) {
        World world;
        const BodyId hook = *world.add_body({.shape = *world.add_shape(Box{{0.2f, 0.1f, 0.2f}})});
        const ShapeId link = *world.add_shape(Capsule{0.05f, 0.1f});
        BodyId before = hook;
        for (int i = 0; i < 30; ++i) {
            const float x = 0.3f * float(i);
            const BodyId next = *world.add_body({.shape = link,
                                                 .position = {x + 0.15f, 0, 0},
                                                 .orientation = Quat(k_half, {0, 0, -k_half}),
                                                 .mass = 1});
            REQUIRE(
                world.add_joint(world.joint_at(before, next, {x, 0, 0}, {1, 0, 0}, BallJoint{})));
            before = next;
        }
        const auto energy = [&] { return world.energy().kinetic + world.energy().potential; };
        const double start = energy();
        double most = start;
        std::uint64_t late = 0;
        for (int i = 0; i < 600; ++i) {
            late += world.step(k_step, Budget::work(units)).budget.sweeps_left_out;
            most = std::max(most, energy());
        }
        INFO(units, " units");
        CHECK(late > 0);
        // Of some 1,300 J that the falling chain turns into motion.
        CHECK(most - start < 0.002 * 1300);
    }
}

TEST_CASE("a spring that pulls at what there is no time to follow makes no energy") {
    struct Way {
        Response response;
        Integrator integrator;
    };
    const auto most_energy = [](const Way& way, float beside, const Budget& budget,
                                std::uint64_t& late) {
        WorldSettings settings{.gravity = {}};
        settings.response = way.response, settings.integrator = way.integrator;
        World world(settings);
        const BodyId post = *world.add_body({.shape = *world.add_shape(Box{{0.2f, 5, 5}})});
        const ShapeId ball = *world.add_shape(Sphere{0.1f});
        const BodyId pulled = *world.add_body({.shape = ball, .position = {4, 0, 0}, .mass = 1});
        if (beside > 0)
            (void)*world.add_body({.shape = ball, .position = {3.8f, 0, 0}, .mass = beside});
        REQUIRE(world.add_spring({.a = post, .b = pulled, .stiffness = 400, .length = 1}));
        double most = 0;
        for (int i = 0; i < 600; ++i) {
            late += world.step(k_step, budget).budget.sweeps_left_out;
            const Energy energy = world.energy();
            most = std::max(most, energy.kinetic + energy.potential);
        }
        return most;
    };
    const double start = 0.5 * 400 * 3 * 3;
    for (const Way& way : {Way{Response::soft_step, Integrator::semi_implicit_euler},
                           Way{Response::impulse, Integrator::semi_implicit_euler},
                           Way{Response::impulse, Integrator::explicit_euler}})
        // Alone, or against a body that no spring holds.
        for (const float beside : {0.0f, 0.01f, 1.0f}) {
            std::uint64_t late = 0;
            const double undisturbed = most_energy(way, beside, Budget::unlimited(), late);
            CHECK(late == 0);
            for (const std::uint64_t units : {0u, 300u, 600u, 1500u}) {
                late = 0;
                const double most = most_energy(way, beside, Budget::work(units), late);
                INFO("response ", int(way.response), ", integrator ", int(way.integrator),
                     ", beside ", beside, " kg, ", units, " units");
                CHECK(late > 0);
                // In steps of one sub-step the energy of semi-implicit Euler swings by w h / 2, and
                // explicit Euler makes some by itself, late or not.
                const double swing = std::sqrt(400.0) * double(k_step) / 2;
                CHECK(most <= (1 + swing) * std::max(start, undisturbed));
            }
        }
}

TEST_CASE("what was stopped beyond all bounds stays so, whatever it hangs together with") {
    World world({.gravity = {}});
    (void)*world.add_body({.shape = *world.add_shape(Box{{1, 1, 1}}), .position = {0, -9, 0}});
    const ShapeId ball = *world.add_shape(Sphere{0.1f});
    const BodyId late = *world.add_body({.shape = ball, .velocity = {0, -60, 0}, .mass = 1});
    const BodyId runaway = *world.add_body({.shape = ball,
                                            .position = {0.999f * k_motion_limit, 0, 0},
                                            .velocity = {0.5f * k_motion_limit, 0, 0},
                                            .mass = 1});
    REQUIRE(world.add_spring({.a = late, .b = runaway, .stiffness = 0}));
    const StepReport report = world.step(k_step, Budget::work(0));
    REQUIRE(report.budget.sweeps_left_out > 0);
    REQUIRE(report.warnings.size() == 1);
    CHECK(world.velocity(runaway) == Vec3());
}

TEST_CASE("late bodies that are joined keep momentum as they push others, late or not") {
    for (const float mass : {1.0f, 20.0f}) { // the heavy ones hardly move
        World world({.gravity = {}, .sleep = {.enabled = false}});
        (void)*world.add_body(
            {.shape = *world.add_shape(Box{{9, 0.1f, 9}}), .position = {0, 1, 0}});
        const ShapeId ball = *world.add_shape(Sphere{0.1f});
        std::vector<BodyId> balls;
        for (const float side : {-1.0f, 1.0f})
            for (int k = 0; k < 2; ++k)
                balls.push_back(*world.add_body({.shape = ball,
                                                 .position = {0, side * 0.3f, 0.4f * float(k)},
                                                 .velocity = {0, side < 0 ? 12.0f : 0, 0.5f * side},
                                                 .mass = side < 0 ? 1 : mass}));
        const auto joined = [&](int a, int b) {
            return world.joint_at(balls[a], balls[b], {0, 0, 0.2f}, {0, 0, 1}, BallJoint{});
        };
        REQUIRE(world.add_joint(joined(0, 1)));
        REQUIRE(world.add_joint(joined(2, 3)));
        const auto momentum = [&] {
            Vec3 sum;
            for (std::size_t i = 0; i < balls.size(); ++i)
                sum += world.velocity(balls[i]) * (i < 2 ? 1 : mass);
            return sum;
        };
        const Vec3 start = momentum();
        std::uint64_t late = 0;
        while (world.velocity(balls[2]).y < 0.5f && world.time() < 2) {
            late += world.step(k_step, Budget::work(0)).budget.sweeps_left_out;
            CHECK(length(momentum() - start) < 1e-4f);
        }
        CHECK(late > 0);
        CHECK(world.velocity(balls[2]).y >= 0.5f); // they were struck
    }
}

TEST_CASE("a cut without a limit leaves nothing out, whatever else it says") {
    Volley volley(1), whole(1);
    StepCut cut;
    cut.searched = false;
    for (int i = 0; i < 5; ++i) {
        volley.world.step(k_step, cut);
        whole.world.step(k_step);
        REQUIRE(volley.world.hash() == whole.world.hash());
    }
}
