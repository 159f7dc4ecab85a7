// Islands fall asleep and wake; what sleeps costs and moves nothing.
#include <algorithm>

#include "ground.h"

using namespace fovea;
using namespace fovea::test;

namespace {

const Box k_cube{{0.5f, 0.5f, 0.5f}};

/// Two towers of three cubes, ten metres apart.
struct Towers : Ground {
    Towers() {
        const ShapeId cube = shape(k_cube);
        for (const float x : {0.0f, 10.0f})
            for (int i = 0; i < 3; ++i)
                add({.shape = cube, .position = {x, 0.5f + float(i), 0}, .mass = 100});
    }
    int awake() const {
        return int(std::ranges::count_if(bodies, [&](BodyId b) { return world.is_awake(b); }));
    }
};

} // namespace

TEST_CASE("towers fall asleep, and each wakes alone when something strikes it") {
    Towers towers;
    CHECK(towers.awake() == 6);
    std::size_t fell_asleep = 0;
    for (int i = 0; i < 600; ++i) {
        towers.world.step(k_frame);
        fell_asleep += towers.world.events().fell_asleep.size();
    }
    CHECK(towers.awake() == 0);
    CHECK(fell_asleep == 6);
    const std::uint64_t asleep = towers.world.hash();
    towers.run(1);
    CHECK(towers.world.hash() == asleep);

    SUBCASE("by a falling body") {
        towers.add({.shape = towers.shape(Sphere{0.3f}), .position = {0, 5, 0}, .mass = 10});
        std::size_t woke = 0;
        for (int i = 0; i < 60; ++i) {
            towers.world.step(k_frame);
            woke += towers.world.events().woke.size();
        }
        CHECK(woke == 3);
        CHECK(towers.awake() == 4); // the first tower and the ball
        CHECK(!towers.world.is_awake(towers.bodies[5]));
    }
    SUBCASE("by command") {
        REQUIRE(towers.world.wake(towers.bodies[4]));
        towers.world.step(k_frame);
        CHECK(towers.awake() == 3);
        CHECK(towers.world.is_awake(towers.bodies[3]));
    }
    SUBCASE("by a force, a velocity or a new place") {
        REQUIRE(towers.world.apply_force(towers.bodies[2], {0, 10, 0}, {0, 2.5f, 0}));
        towers.world.step(k_frame);
        CHECK(towers.awake() == 3);
        REQUIRE(towers.world.set_velocity(towers.bodies[5], {0, 1, 0}, {}));
        towers.world.step(k_frame);
        CHECK(towers.awake() == 6);
    }
    SUBCASE("when what it stands on is taken away") {
        REQUIRE(towers.world.remove_body(towers.bodies[0]));
        towers.bodies.erase(towers.bodies.begin());
        towers.start.erase(towers.start.begin());
        towers.run(1);
        CHECK(towers.position(0).y == doctest::Approx(0.5).epsilon(0.02));
        CHECK(towers.position(1).y == doctest::Approx(1.5).epsilon(0.02));
        CHECK(!towers.world.is_awake(towers.bodies[4]));
    }
    SUBCASE("by a kinematic body that comes along") {
        towers.add({.shape = towers.shape(k_cube),
                    .position = {-2, 0.5f, 0},
                    .velocity = {1, 0, 0},
                    .kinematic = true});
        towers.run(2);
        CHECK(towers.world.is_awake(towers.bodies[0]));
        CHECK(towers.position(0).x > 0.5f);
        CHECK(towers.position(6).x == doctest::Approx(0).epsilon(0.001)); // unstoppable
        CHECK(!towers.world.is_awake(towers.bodies[3]));
    }
}

TEST_CASE("the 30-row pyramid sleeps where it stands") {
    Ground ground;
    const ShapeId cube = ground.shape(k_cube);
    for (int row = 0; row < 30; ++row)
        for (int k = 0; k < 30 - row; ++k)
            ground.add(
                {.shape = cube,
                 .position = {(float(k) - 0.5f * float(29 - row)) * 1.05f, 0.5f + float(row), 0},
                 .mass = 1000});
    ground.run(20);
    CHECK(ground.drift() < 0.01f);
    CHECK(std::ranges::none_of(ground.bodies,
                               [&](BodyId body) { return ground.world.is_awake(body); }));
}

TEST_CASE("what hangs sleeps too, and falls when its spring or its floor is taken away") {
    Ground ground;
    const ShapeId cube = ground.shape(k_cube);
    const BodyId hook = ground.add({.shape = cube, .position = {0, 5, 0}});
    ground.add({.shape = cube, .position = {0, 3, 0}, .mass = 1});
    const auto spring = ground.world.add_spring(
        {.a = hook, .b = ground.bodies[1], .stiffness = 100, .damping = 20, .length = 1.9f});
    REQUIRE(spring);
    const BodyId shelf =
        ground.add({.shape = ground.shape(Box{{1, 0.1f, 1}}), .position = {5, 3, 0}});
    ground.add({.shape = cube, .position = {5, 3.6f, 0}, .mass = 1});
    ground.run(20);
    CHECK(!ground.world.is_awake(ground.bodies[1]));
    CHECK(!ground.world.is_awake(ground.bodies[3]));

    // The spring pulls all the time; asleep, the body must not gather its force for later.
    const Vec3 hanging = ground.position(1);
    REQUIRE(ground.world.wake(ground.bodies[1]));
    ground.run(0.5);
    CHECK(length(ground.position(1) - hanging) < 0.01f);

    REQUIRE(ground.world.remove_spring(*spring));
    REQUIRE(ground.world.set_transform(shelf, Transform({50, 3, 0}, Quat())));
    ground.run(2);
    CHECK(ground.position(1).y == doctest::Approx(0.5).epsilon(0.01));
    CHECK(ground.position(3).y == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("with sleeping off nothing sleeps") {
    Ground ground({.gravity = {0, -9.81f, 0}, .sleep = {.enabled = false}});
    ground.add({.shape = ground.shape(k_cube), .position = {0, 0.5f, 0}, .mass = 1});
    ground.run(10);
    CHECK(ground.world.is_awake(ground.bodies[0]));
}

TEST_CASE("a body on a moving platform stays awake and is carried along") {
    Ground ground;
    ground.add({.shape = ground.shape(Box{{2, 0.1f, 2}}),
                .position = {0, 1, 0},
                .velocity = {0.03f, 0, 0}, // slower than the speed of sleep
                .kinematic = true});
    ground.add({.shape = ground.shape(k_cube), .position = {0, 1.6f, 0}, .mass = 10});
    ground.run(20);
    CHECK(ground.world.is_awake(ground.bodies[1]));
    CHECK(ground.position(0).x == doctest::Approx(0.6).epsilon(0.001));
    CHECK(ground.position(1).x == doctest::Approx(0.6).epsilon(0.02));
}

TEST_CASE("the report counts bodies, islands, colours and what each phase took") {
    Ground ground;
    const ShapeId cube = ground.shape(Box{{0.5f, 0.5f, 0.5f}});
    for (int tower = 0; tower < 3; ++tower)
        for (int i = 0; i < 4; ++i)
            ground.add(
                {.shape = cube, .position = {3 * float(tower), 0.5f + float(i), 0}, .mass = 10});
    StepReport report;
    for (int i = 0; i < 5; ++i) report = ground.world.step(k_frame);
    CHECK(report.bodies == 13);
    CHECK(report.islands == 3);
    CHECK(report.awake == 12);
    CHECK(report.contacts == 48);
    // A box in the middle of a tower has two contacts, which cannot be solved side by side.
    CHECK(report.colours >= 2);
    CHECK(report.colours <= 4);
    const PhaseTimes& ms = report.ms;
    const double sum = ms.broad + ms.narrow + ms.islands + ms.response + ms.fast + ms.events;
    CHECK(sum <= report.wall_ms);
    CHECK(ms.response > 0);
    ground.run(5);
    report = ground.world.step(k_frame);
    CHECK(report.islands == 0);
    CHECK(report.colours == 0);
}
