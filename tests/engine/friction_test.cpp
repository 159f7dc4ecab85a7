// Friction, rolling and rebound against their textbook formulas.
#include "ground.h"

using namespace fovea;
using namespace fovea::test;

namespace {

/// A box on a plane tilted by `angle` about z; returns how far it has slid down after `seconds`.
float slide(float angle, float friction, double seconds) {
    World world({.gravity = {0, -9.81f, 0}});
    const Vec3 up(-std::sin(angle), std::cos(angle), 0),
        down(-std::cos(angle), -std::sin(angle), 0);
    REQUIRE(world.add_body(
        {.shape = *world.add_shape(HalfSpace{up, 0}), .material = {.friction = friction}}));
    const BodyId box = *world.add_body({.shape = *world.add_shape(Box{{0.5f, 0.25f, 0.5f}}),
                                        .position = up * 0.25f,
                                        .orientation = turned_about({0, 0, 1}, angle),
                                        .mass = 10,
                                        .material = {.friction = friction}});
    for (int i = 0; i < int(std::lround(seconds * 60)); ++i) world.step(k_frame);
    return dot(world.transform(box).position - up * 0.25f, down);
}

} // namespace

TEST_CASE("a box on a slope holds or slides as the friction cone says") {
    for (const float friction : {0.2f, 0.5f, 0.8f}) {
        CAPTURE(friction);
        CHECK(slide(std::atan(0.98f * friction), friction, 5) < 0.002f);
        CHECK(slide(std::atan(1.02f * friction), friction, 5) > 0.05f);
        // Well beyond the cone: distance a t^2 / 2 with a = g (sin - friction cos).
        const float angle = std::atan(1.5f * friction);
        const double a =
            9.81 * (std::sin(double(angle)) - double(friction) * std::cos(double(angle)));
        CHECK(slide(angle, friction, 2) == doctest::Approx(a * 2).epsilon(0.02));
    }
}

TEST_CASE("a ladder of balls rebounds by their elasticity") {
    for (int step = 0; step <= 10; ++step) {
        const float elastic = 0.1f * float(step);
        CAPTURE(elastic);
        Ground ground;
        const BodyId ball = ground.add({.shape = ground.shape(Sphere{0.5f}),
                                        .position = {0, 5.5f, 0},
                                        .mass = 1,
                                        .material = {.elastic = elastic}});
        float before = 0, after = 0;
        for (int i = 0; i < 120 && after <= 0; ++i) {
            before = ground.world.velocity(ball).y;
            ground.world.step(k_frame);
            after = ground.world.velocity(ball).y;
            if (elastic == 0 && after > before) break;
        }
        // The speed just before the blow lies between that of the last frame and a frame later.
        const double approach = std::sqrt(2 * 9.81 * 5.0);
        CHECK(std::abs(double(after) - double(elastic) * approach) < 0.03 * approach);
    }
}

TEST_CASE("a sliding ball ends up rolling at five sevenths of its speed") {
    // Angular momentum about the point of contact is kept whatever the friction.
    Ground ground;
    const BodyId ball = ground.add({.shape = ground.shape(Sphere{0.5f}),
                                    .position = {0, 0.5f, 0},
                                    .velocity = {7, 0, 0},
                                    .mass = 3});
    ground.run(5);
    CHECK(ground.world.velocity(ball).x == doctest::Approx(5).epsilon(0.01));
    CHECK(ground.world.angular_velocity(ball).z == doctest::Approx(-10).epsilon(0.01));
}

TEST_CASE("rolling resistance and twist friction bring a ball and a top to rest") {
    Ground ground;
    const ShapeId ball = ground.shape(Sphere{0.5f});
    ground.add({.shape = ball,
                .position = {0, 0.5f, 0},
                .velocity = {1, 0, 0},
                .angular_velocity = {0, 0, -2},
                .mass = 1,
                .material = {.rolling = 0.05f}});
    ground.add({.shape = ground.shape(Cylinder{0.5f, 0.2f}),
                .position = {0, 0.2f, 5},
                .angular_velocity = {0, 10, 0},
                .mass = 1});
    ground.run(10);
    for (const BodyId body : ground.bodies) {
        CHECK(length(ground.world.velocity(body)) < 1e-3f);
        CHECK(length(ground.world.angular_velocity(body)) < 1e-3f);
    }
    // Decelerated by rolling / radius * g / (1 + 2/5): v^2 / (2 a) to the end.
    const double a = 0.05 / 0.5 * 9.81 / 1.4;
    CHECK(ground.position(0).x == doctest::Approx(1 / (2 * a)).epsilon(0.05));
}
