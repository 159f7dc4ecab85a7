// Who meets whom, and who is told.
#include <algorithm>

#include "ground.h"

using namespace fovea;
using namespace fovea::test;

TEST_CASE("filters decide by category and mask, groups override them") {
    constexpr CollisionFilter everybody{}, red{.categories = 2, .mask = 2 | 4},
        blue{.categories = 4, .mask = 2}, ghost{.mask = 0};
    static_assert(collide(everybody, everybody));
    static_assert(collide(red, blue) && collide(red, red) && !collide(blue, blue));
    static_assert(!collide(red, everybody) && !collide(ghost, everybody));
    constexpr CollisionFilter team{.mask = 0, .group = 3}, loner{.group = -3};
    static_assert(collide(team, team) && !collide(loner, loner) && collide(loner, everybody));

    for (const auto response : {Response::soft_step, Response::impulse}) {
        World world({.gravity = {0, -9.81f, 0}, .response = response});
        const ShapeId ball = *world.add_shape(Sphere{0.5f});
        REQUIRE(world.add_body(
            {.shape = *world.add_shape(HalfSpace{{0, 1, 0}, 0}), .filter = {.categories = 8}}));
        const BodyId stopped = *world.add_body({.shape = ball, .position = {0, 1, 0}, .mass = 1});
        const BodyId falls = *world.add_body(
            {.shape = ball, .position = {3, 1, 0}, .mass = 1, .filter = {.mask = ~8u}});
        for (int i = 0; i < 120; ++i) world.step(k_frame);
        CHECK(world.transform(stopped).position.y > 0.4f);
        CHECK(world.transform(falls).position.y < -10);
    }
}

TEST_CASE("contacts are told when they begin and when they end") {
    Ground ground;
    const BodyId ball = ground.add({.shape = ground.shape(Sphere{0.5f}),
                                    .position = {0, 1, 0},
                                    .mass = 1,
                                    .material = {.elastic = 0.8f}});
    int began = 0, ended = 0;
    bool touching = false;
    for (int i = 0; i < 180; ++i) {
        ground.world.step(k_frame);
        for (const BodyPair& pair : ground.world.events().contact_began) {
            CHECK(!touching);
            CHECK(pair.b == ball);
            touching = true;
            ++began;
        }
        for (const BodyPair& pair : ground.world.events().contact_ended) {
            CHECK(touching);
            CHECK(pair.b == ball);
            touching = false;
            ++ended;
        }
    }
    CHECK(began > 2); // it bounces
    CHECK(ended >= began - 1);

    // A body that is taken away ends its contacts, and one in the same slot begins new ones.
    ground.run(5);
    REQUIRE(ground.world.remove_body(ball));
    const BodyId heir =
        ground.add({.shape = ground.shape(Sphere{0.5f}), .position = {0, 0.5f, 0}, .mass = 1});
    CHECK(heir.slot == ball.slot);
    ground.world.step(k_frame);
    REQUIRE(ground.world.events().contact_ended.size() == 1);
    CHECK(ground.world.events().contact_ended[0].b == ball);
    REQUIRE(ground.world.events().contact_began.size() == 1);
    CHECK(ground.world.events().contact_began[0].b == heir);
}

TEST_CASE("a sensor notices what passes through it and stops nothing") {
    Ground ground;
    const BodyId gate = ground.add(
        {.shape = ground.shape(Box{{1, 0.1f, 1}}), .position = {0, 3, 0}, .sensor = true});
    const BodyId ball =
        ground.add({.shape = ground.shape(Sphere{0.25f}), .position = {0, 5, 0}, .mass = 1});
    ground.add({.shape = ground.shape(Sphere{0.25f}), .position = {5, 5, 0}, .mass = 1});
    int entered = 0, left = 0;
    double height_in = 0, height_out = 0;
    for (int i = 0; i < 120; ++i) {
        ground.world.step(k_frame);
        const StepEvents& events = ground.world.events();
        for (const BodyPair& pair : events.sensor_entered) {
            CHECK(pair == BodyPair{gate, ball});
            height_in = double(ground.position(1).y), ++entered;
        }
        for (const BodyPair& pair : events.sensor_left) {
            CHECK(pair == BodyPair{gate, ball});
            height_out = double(ground.position(1).y), ++left;
        }
        for (const BodyPair& pair : events.contact_began) CHECK(pair.a != gate);
    }
    CHECK(entered == 1);
    CHECK(left == 1);
    // Gate and ball reach 0.35 m from the middle of the gate; a frame at 6 m/s is 0.1 m.
    CHECK(height_in == doctest::Approx(3.35).epsilon(0.05));
    CHECK(height_out == doctest::Approx(2.65).epsilon(0.06));
    CHECK(ground.position(1).y < 0.3f);
}

TEST_CASE("what a kinematic body cannot be") {
    World world;
    const ShapeId ball = *world.add_shape(Sphere{1}),
                  plane = *world.add_shape(HalfSpace{{0, 1, 0}, 0});
    const auto heavy = world.add_body({.shape = ball, .mass = 1, .kinematic = true});
    REQUIRE(!heavy);
    CHECK(heavy.error().message.find("no mass") != std::string::npos);
    const auto endless = world.add_body({.shape = plane, .kinematic = true});
    REQUIRE(!endless);
    CHECK(endless.error().message.find("half-space") != std::string::npos);
    CHECK(!world.wake(BodyId{}));
}
