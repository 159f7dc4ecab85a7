// Damping, scaled gravity, conveyor belts.
#include "ground.h"

using namespace fovea;
using namespace fovea::test;

TEST_CASE("damping takes velocity and spin away exponentially") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        World world({.gravity = {}, .response = response});
        const BodyId ball =
            *world.add_body({.shape = *world.add_shape(Sphere{1}),
                             .velocity = {2, 0, 0},
                             .angular_velocity = {0, 3, 0},
                             .mass = 1,
                             .motion = {.linear_damping = 0.5f, .angular_damping = 1}});
        for (int i = 0; i < 120; ++i) world.step(k_frame);
        // Two seconds; the implicit form is off by half the rate times the step, at most 1/120.
        CHECK(double(world.velocity(ball).x) == doctest::Approx(2 * std::exp(-1.0)).epsilon(0.01));
        CHECK(double(world.angular_velocity(ball).y) ==
              doctest::Approx(3 * std::exp(-2.0)).epsilon(0.02));
        // Very strong damping stops, and does not reverse.
        const BodyId stuck = *world.add_body({.shape = *world.add_shape(Sphere{1}),
                                              .position = {9, 0, 0},
                                              .velocity = {2, 0, 0},
                                              .mass = 1,
                                              .motion = {.linear_damping = 1e6f}});
        world.step(k_frame);
        CHECK(world.velocity(stuck).x >= 0);
        CHECK(world.velocity(stuck).x < 1e-3f);
    }
}

TEST_CASE("gravity is scaled body by body") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        World world({.gravity = {0, -10, 0}, .response = response});
        const ShapeId ball = *world.add_shape(Sphere{1});
        const float scales[] = {0, 1, -0.5f};
        std::vector<BodyId> bodies;
        for (const float scale : scales)
            bodies.push_back(*world.add_body({.shape = ball,
                                              .position = {5 * float(bodies.size()), 0, 0},
                                              .mass = 2,
                                              .motion = {.gravity_scale = scale}}));
        for (int i = 0; i < 60; ++i) world.step(k_frame);
        for (int i = 0; i < 3; ++i)
            CHECK(world.velocity(bodies[std::size_t(i)]).y ==
                  doctest::Approx(-10 * scales[i]).epsilon(1e-4));
    }
}

TEST_CASE("a conveyor belt takes along what lies on it, and starts when told") {
    Ground ground;
    const Material belt{.friction = 0.8f, .surface_velocity = {0, 0, 1.5f}};
    // Turned by a quarter about y: its z is the world's x.
    const BodyId conveyor = ground.add({.shape = ground.shape(Box{{5, 0.5f, 50}}),
                                        .position = {0, 0.5f, 0},
                                        .orientation = turned_about({0, 1, 0}, 1.57079633f),
                                        .material = {.friction = 0.8f}});
    const BodyId crate = ground.add(
        {.shape = ground.shape(Box{{0.5f, 0.5f, 0.5f}}), .position = {-3, 1.5f, 0}, .mass = 10});
    ground.run(3);
    REQUIRE_FALSE(ground.world.is_awake(crate));
    REQUIRE(ground.world.set_material(conveyor, belt));
    CHECK(ground.world.is_awake(crate));
    ground.run(3);
    CHECK(ground.world.velocity(crate).x == doctest::Approx(1.5).epsilon(0.01));
    CHECK(std::abs(ground.world.velocity(crate).z) < 0.01f);
    CHECK(ground.world.transform(conveyor).position == Vec3(0, 0.5f, 0));
}

TEST_CASE("numbers that make no sense are refused") {
    Ground ground;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const ShapeId ball = ground.shape(Sphere{1});
    const auto refused = [&](const FreeMotion& motion) {
        return !ground.world.add_body({.shape = ball, .mass = 1, .motion = motion});
    };
    CHECK(refused({.gravity_scale = nan}));
    CHECK(refused({.linear_damping = -1}));
    CHECK(refused({.angular_damping = nan}));
    const BodyId body = ground.add({.shape = ball, .position = {0, 5, 0}, .mass = 1});
    CHECK_FALSE(bool(ground.world.set_material(body, {.friction = -1})));
    CHECK_FALSE(bool(ground.world.set_material(body, {.surface_velocity = {nan, 0, 0}})));
    REQUIRE(ground.world.remove_body(body));
    CHECK_FALSE(bool(ground.world.set_material(body, {})));
}
