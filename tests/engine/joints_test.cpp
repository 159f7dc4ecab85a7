// Joints: what they leave free, what they hold, and the formulas of pendulums, springs and tops.
#include <limits>
#include <string>

#include "ground.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr double k_pi = 3.14159265358979323846;
constexpr double k_gravity = 9.81;

/// An immovable block at the origin, and a box of 1 x 0.4 x 0.2 m and 2 kg beside it.
struct Pair {
    World world;
    BodyId block, box;
    JointDefinition definition;
    JointId joint;
    Vec3 anchor;
    Quat start;

    Pair(const JointType& type, const Vec3& axis, const WorldSettings& settings = {},
         const Vec3& second = {0, 0, 1}, const Vec3& at = {0.5f, 0, 0})
        : world(settings) {
        block = *world.add_body({.shape = *world.add_shape(Box{{0.1f, 0.1f, 0.1f}})});
        box = *world.add_body(
            {.shape = *world.add_shape(Box{{0.5f, 0.2f, 0.1f}}), .position = {1, 0, 0}, .mass = 2});
        definition = world.joint_at(block, box, at, axis, type, second);
        joint = *world.add_joint(definition);
        anchor = at;
        start = world.transform(box).orientation;
    }
    Vec3 apart() const {
        return world.transform(box) * definition.frame_b.position -
               world.transform(block) * definition.frame_a.position;
    }
    /// Where B's frame has the axis that was along `axis` in the world at first.
    Vec3 now(const Vec3& axis) const { return rotate(world.transform(box).orientation, axis); }
    void run(double seconds) {
        for (int i = 0; i < int(std::lround(seconds * 60)); ++i) world.step(k_frame);
    }
};

WorldSettings weightless() {
    return {.gravity = {}};
}
WorldSettings weighty() {
    return {.gravity = {0, -9.81f, 0}};
}

} // namespace

TEST_CASE("a ball joint holds the anchors together and leaves all turns free") {
    Pair pair(BallJoint{}, {1, 0, 0}, weighty());
    REQUIRE(pair.world.set_velocity(pair.box, {}, {3, 2, 1}));
    float worst = 0;
    for (int i = 0; i < 600; ++i) {
        pair.world.step(k_frame);
        worst = std::max(worst, length(pair.apart()));
    }
    CHECK(worst < 0.001f);
    CHECK(length(pair.world.angular_velocity(pair.box)) > 0.5f);
    // Friction brings it to rest, hanging.
    REQUIRE(pair.world.set_joint(pair.joint, BallJoint{.friction = 0.5f}));
    pair.run(20);
    CHECK(length(pair.world.angular_velocity(pair.box)) < 0.01f);
    CHECK(pair.now({1, 0, 0}).y < -0.9f);
}

TEST_CASE("a hinge leaves one turn free") {
    Pair pair(HingeJoint{}, {0, 0, 1}, weightless());
    REQUIRE(pair.world.set_velocity(pair.box, {0, 1, 0}, {1, 1, 2}));
    pair.run(5);
    CHECK(length(pair.apart()) < 0.001f);
    CHECK(pair.now({0, 0, 1}).z > 0.999999f);
    const Vec3 spin = pair.world.angular_velocity(pair.box);
    CHECK(std::abs(spin.z) > 0.5f);
    CHECK(std::hypot(spin.x, spin.y) < 1e-3f);
}

TEST_CASE("a slider leaves one shift free") {
    Pair pair(SliderJoint{}, {0, 1, 0}, weightless());
    REQUIRE(pair.world.set_velocity(pair.box, {1, 1, 1}, {1, 2, 3}));
    pair.run(2);
    const Vec3 v = pair.world.velocity(pair.box), apart = pair.apart();
    CHECK(v.y == doctest::Approx(1).epsilon(0.01));
    CHECK(apart.y == doctest::Approx(2).epsilon(0.02));
    CHECK(std::hypot(apart.x, apart.z) < 0.001f);
    CHECK(length(pair.world.angular_velocity(pair.box)) < 1e-3f);
    CHECK(pair.now({1, 0, 0}).x > 0.999999f);
}

TEST_CASE("a fixed joint leaves nothing free, and bears weight and moment") {
    Pair pair(FixedJoint{}, {0, 1, 0}, weighty());
    pair.run(3);
    CHECK(length(pair.world.transform(pair.box).position - Vec3(1, 0, 0)) < 0.001f);
    CHECK(pair.now({1, 0, 0}).x > 0.999999f);
    // The weight of 2 kg, half a metre out.
    const JointLoad load = pair.world.joint_load(pair.joint);
    CHECK(load.force.y == doctest::Approx(2 * k_gravity).epsilon(0.01));
    CHECK(load.torque.z == doctest::Approx(2 * k_gravity * 0.5).epsilon(0.01));
    CHECK(std::hypot(load.force.x, load.force.z) < 0.1f);
}

TEST_CASE("a soft weld swings at its frequency") {
    Pair pair(FixedJoint{.angular = {.hertz = 2, .damping_ratio = 0}}, {0, 1, 0}, weightless(),
              {0, 0, 1}, {1, 0, 0});
    REQUIRE(pair.world.set_velocity(pair.box, {}, {0, 0, 0.5f}));
    int crossings = 0;
    float before = 1;
    for (int i = 0; i < 300; ++i) {
        pair.world.step(k_frame);
        const float now = pair.world.angular_velocity(pair.box).z;
        crossings += now * before < 0;
        before = now;
    }
    CHECK(std::abs(crossings - 20) <= 1); // twice a cycle
    CHECK(length(pair.apart()) < 0.001f);
}

TEST_CASE("a weight on a spring swings for ever, however many sub-steps a step has") {
    for (const int sub_steps : {1, 4, 8})
        for (const float stiffness : {40.0f, 400.0f, 2000.0f}) {
            WorldSettings settings = weightless();
            settings.soft_step.sub_steps = sub_steps;
            World world(settings);
            const BodyId post =
                *world.add_body({.shape = *world.add_shape(Box{{0.2f, 0.2f, 0.2f}})});
            const BodyId weight = *world.add_body(
                {.shape = *world.add_shape(Sphere{0.1f}), .position = {4, 0, 0}, .mass = 1});
            REQUIRE(
                world.add_spring({.a = post, .b = weight, .stiffness = stiffness, .length = 3}));
            const double start = 0.5 * double(stiffness);
            double least = start, most = start;
            int turns = 0;
            bool out = true;
            for (int i = 0; i < 3000; ++i) {
                world.step(k_frame);
                const Energy energy = world.energy();
                least = std::min(least, energy.kinetic + energy.potential);
                most = std::max(most, energy.kinetic + energy.potential);
                const bool outside = world.transform(weight).position.x > 3;
                turns += outside != out;
                out = outside;
            }
            INFO("stiffness ", stiffness, ", sub-steps ", sub_steps);
            // Semi-implicit Euler keeps k x^2 + m v^2 - k h x v: within s = w h / 2 the energy
            // swings by 1 - s to 1 + s, up to (1 + s) / (1 - s) of what it was at first.
            const double w = std::sqrt(double(stiffness)), s = w * k_frame / sub_steps / 2;
            CHECK(most < 1.01 * start * (1 + s) / (1 - s));
            CHECK(least > 0.99 * start * (1 - s) / (1 + s));
            // sin(w' h / 2) = w h / 2.
            const double expected = 3000 * sub_steps * 2 * std::asin(s) / k_pi;
            CHECK(std::abs(turns - expected) < 2);
        }
}

TEST_CASE("a distance joint is a rod, or a rope, or a spring") {
    SUBCASE("rod") {
        Pair pair(DistanceJoint{.length = {.limits = {1, 1}}}, {1, 0, 0}, weighty());
        JointDefinition rod = pair.definition;
        rod.frame_a.position = {0, 0, 0};
        rod.frame_b.position = {0, 0, 0};
        REQUIRE(pair.world.remove_joint(pair.joint));
        REQUIRE(pair.world.add_joint(rod));
        for (int i = 0; i < 600; ++i) {
            pair.world.step(k_frame);
            CHECK(std::abs(length(pair.world.transform(pair.box).position) - 1) < 0.001f);
        }
    }
    SUBCASE("rope") {
        Pair pair(DistanceJoint{.length = {.limits = {0, 1.5f}}}, {1, 0, 0}, weighty());
        pair.run(0.25);
        CHECK(pair.world.velocity(pair.box).y == doctest::Approx(-k_gravity * 0.25).epsilon(0.02));
        float longest = 0;
        for (int i = 0; i < 600; ++i) {
            pair.world.step(k_frame);
            longest = std::max(longest, length(pair.apart()));
        }
        CHECK(longest < 1.51f);
        CHECK(longest > 1.49f);
    }
}

TEST_CASE("a cone-twist joint keeps within its cone and twist") {
    // Starting along x, thrown about with gravity from all sides.
    const float cone = 0.5f;
    Pair pair(ConeTwistJoint{.cone = cone, .twist = {.limits = {-0.3f, 0.4f}}}, {1, 0, 0},
              weightless());
    float widest = 0, least = 0, most = 0;
    for (int i = 0; i < 1200; ++i) {
        const float t = float(i) / 60;
        const Vec3 at = pair.world.transform(pair.box).position;
        REQUIRE(pair.world.apply_force(pair.box, Vec3(0, std::sin(t), std::cos(1.3f * t)) * 10.0f,
                                       at + Vec3(0, 0, 0.1f)));
        pair.world.step(k_frame);
        const Quat q = pair.world.transform(pair.box).orientation;
        widest = std::max(widest, std::acos(std::min(rotate(q, Vec3(1, 0, 0)).x, 1.0f)));
        const float twist = 2 * std::atan2(q.x, q.w);
        least = std::min(least, twist), most = std::max(most, twist);
        CHECK(length(pair.apart()) < 0.001f);
    }
    // Reached, and exceeded by half a degree at most.
    CHECK(widest > cone - 0.01f);
    CHECK(widest < cone + 0.009f);
    CHECK(least > -0.309f);
    CHECK(most < 0.409f);
    CHECK(most - least > 0.1f);
}

TEST_CASE("a hinged box swings with the period of a physical pendulum") {
    Pair pair(HingeJoint{}, {0, 0, 1}, weighty());
    // Hangs from its end, 0.1 rad off.
    const float off = 0.1f, angle = float(-k_pi / 2) + off;
    const Quat q = turned_about({0, 0, 1}, angle);
    REQUIRE(
        pair.world.set_transform(pair.box, {Vec3(0.5f, 0, 0) + rotate(q, Vec3(0.5f, 0, 0)), q}));
    const double moment = 2 * ((1.0 + 0.16) / 12 + 0.25), lever = 0.5;
    // To second order in the amplitude.
    const double period =
        2 * k_pi * std::sqrt(moment / (2 * k_gravity * lever)) * (1 + off * off / 16);
    std::vector<double> turns;
    double before = 0;
    for (int i = 0; i < 60 * 60 && turns.size() < 21; ++i) {
        pair.world.step(k_frame);
        const double now = double(pair.world.transform(pair.box).position.x) - 0.5;
        if (i > 0 && before < 0 && now >= 0) turns.push_back((i - now / (now - before)) / 60);
        before = now;
    }
    REQUIRE(turns.size() == 21);
    CHECK((turns[20] - turns[0]) / 20 == doctest::Approx(period).epsilon(0.01));
    CHECK(length(pair.apart()) < 0.001f);
}

TEST_CASE("a pendulum that falls from the horizontal keeps its energy") {
    Pair pair(HingeJoint{}, {0, 0, 1}, weighty());
    const auto energy = [&] {
        const Energy e = pair.world.energy();
        return e.kinetic + e.potential;
    };
    const double before = energy(), swing = 2 * k_gravity * 0.5; // between top and bottom
    for (int i = 0; i < 60 * 20; ++i) {
        pair.world.step(k_frame);
        REQUIRE(std::abs(energy() - before) < 0.02 * swing);
    }
}

TEST_CASE("a hinge motor reaches its speed, and stalls at its torque") {
    Pair pair(HingeJoint{.turn = {.motor = {.speed = 3, .strength = 20}}}, {0, 0, 1}, weightless());
    pair.run(1);
    CHECK(pair.world.angular_velocity(pair.box).z == doctest::Approx(3).epsilon(0.01));
    // A moment of 0.69 kg m^2 takes 0.1 s to reach 3 rad/s.
    Pair weak(HingeJoint{.turn = {.motor = {.speed = 3, .strength = 0.2f}}}, {0, 0, 1},
              weightless());
    weak.run(2);
    const double moment = 2 * ((1.0 + 0.16) / 12 + 0.25);
    CHECK(weak.world.angular_velocity(weak.box).z == doctest::Approx(0.4 / moment).epsilon(0.02));
    // Against a weight of 2 kg at half a metre, 9.81 N m are needed.
    for (const float strength : {9.0f, 10.6f}) {
        Pair lift(HingeJoint{.turn = {.motor = {.speed = 0.5f, .strength = strength}}}, {0, 0, 1},
                  weighty());
        lift.run(1);
        CHECK((lift.now({1, 0, 0}).y > 0) == (strength > 9.81f));
    }
}

TEST_CASE("limits hold") {
    SUBCASE("of a hinge") {
        Pair pair(HingeJoint{.turn = {.limits = {-0.5f, 0.25f}}}, {0, 0, 1}, weighty());
        pair.run(3);
        const Vec3 x = pair.now({1, 0, 0});
        CHECK(std::atan2(x.y, x.x) == doctest::Approx(-0.5).epsilon(0.005));
        CHECK(length(pair.world.angular_velocity(pair.box)) < 1e-3f);
        REQUIRE(pair.world.set_velocity(pair.box, {}, {0, 0, 20}));
        float most = -1;
        for (int i = 0; i < 60; ++i) {
            pair.world.step(k_frame);
            const Vec3 now = pair.now({1, 0, 0});
            most = std::max(most, std::atan2(now.y, now.x));
        }
        CHECK(most > 0.24f);
        CHECK(most < 0.27f);
    }
    SUBCASE("of a slider") {
        Pair pair(SliderJoint{.slide = {.limits = {-1, 0.5f}}}, {0, 1, 0}, weighty());
        pair.run(3);
        CHECK(pair.apart().y == doctest::Approx(-1).epsilon(0.001));
    }
}

TEST_CASE("a slider's motor and spring") {
    SUBCASE("motor") {
        Pair pair(SliderJoint{.slide = {.motor = {.speed = 2, .strength = 100}}}, {0, 1, 0},
                  weighty());
        pair.run(1);
        CHECK(pair.world.velocity(pair.box).y == doctest::Approx(2).epsilon(0.01));
        CHECK(pair.world.joint_load(pair.joint).force.y ==
              doctest::Approx(2 * k_gravity).epsilon(0.01));
    }
    SUBCASE("frequency") for (const float hertz : {1.0f, 3.0f}) {
        CAPTURE(hertz);
        Pair pair(SliderJoint{.slide = {.spring = {.hertz = hertz, .damping_ratio = 0}}}, {0, 1, 0},
                  weightless());
        REQUIRE(pair.world.set_velocity(pair.box, {0, 1, 0}, {}));
        std::vector<double> rising;
        double before = 0;
        for (int i = 0; i < 1200 && rising.size() < 6; ++i) {
            pair.world.step(k_frame);
            const double now = double(pair.apart().y);
            if (before < 0 && now >= 0) rising.push_back((i - now / (now - before)) / 60);
            before = now;
        }
        REQUIRE(rising.size() == 6);
        CHECK(5 / (rising[5] - rising[0]) == doctest::Approx(double(hertz)).epsilon(0.02));
    }
    SUBCASE("damped, under its load") {
        Pair pair(
            SliderJoint{.slide = {.spring = {.hertz = 1, .damping_ratio = 1}, .target = 0.2f}},
            {0, 1, 0}, weighty());
        pair.run(5);
        const double give = k_gravity / (4 * k_pi * k_pi);
        CHECK(pair.apart().y == doctest::Approx(0.2 - give).epsilon(0.01));
    }
}

TEST_CASE("a wheel springs along its suspension, steers, and spins") {
    WheelJoint wheel{
        .suspension = {.limits = {-0.5f, 0.5f}, .spring = {.hertz = 2, .damping_ratio = 0.7f}},
        .spin = {.speed = -8, .strength = 5}};
    Pair pair(wheel, {0, 1, 0}, weighty(), {0, 0, 1}, {1, 0, 0});
    pair.run(4);
    CHECK(pair.apart().y == doctest::Approx(-k_gravity / (16 * k_pi * k_pi)).epsilon(0.02));
    CHECK(std::hypot(pair.apart().x, pair.apart().z) < 0.001f);
    CHECK(pair.now({0, 0, 1}).z > 0.9999f);
    CHECK(pair.world.angular_velocity(pair.box).z == doctest::Approx(-8).epsilon(0.01));
    // Steered by half a radian about the suspension.
    wheel.steering = {.limits = {-0.8f, 0.8f}, .spring = {.hertz = 3}, .target = 0.5f};
    REQUIRE(pair.world.set_joint(pair.joint, wheel));
    pair.run(3);
    const Vec3 axle = pair.now({0, 0, 1});
    CHECK(std::atan2(axle.x, axle.z) == doctest::Approx(0.5).epsilon(0.02));
    CHECK(std::abs(axle.y) < 0.001f);
    CHECK(dot(pair.world.angular_velocity(pair.box), axle) == doctest::Approx(-8).epsilon(0.02));
}

TEST_CASE("a heavy top on a ball joint precesses at m g l / (I3 w3)") {
    World world({.gravity = {0, -9.81f, 0}, .gyroscopic = true});
    const BodyId pedestal = *world.add_body({.shape = *world.add_shape(Box{{0.1f, 0.1f, 0.1f}})});
    const float radius = 0.5f, half_height = 0.05f, mass = 1, lever = 0.3f, spin = 100;
    // Its axis horizontal: the rate is then exact for steady precession, whatever its speed.
    const double along = 0.5 * 0.25;
    const double rate = 9.81 * 0.3 / (along * 100);
    const BodyId top = *world.add_body({.shape = *world.add_shape(Cylinder{radius, half_height}),
                                        .position = {lever, 0, 0},
                                        .orientation = turned_about({0, 0, 1}, float(-k_pi / 2)),
                                        .velocity = {0, 0, float(-rate) * lever},
                                        .angular_velocity = {spin, float(rate), 0},
                                        .mass = mass});
    const auto joint =
        world.add_joint(world.joint_at(pedestal, top, {0, 0, 0}, {1, 0, 0}, BallJoint{}));
    REQUIRE(joint);
    double angle = 0, last = 0;
    for (int i = 0; i < 600; ++i) {
        world.step(k_frame);
        const Vec3 at = world.transform(top).position;
        const double now = std::atan2(-double(at.z), double(at.x));
        angle += std::remainder(now - last, 2 * k_pi);
        last = now;
    }
    CHECK(angle / 10 == doctest::Approx(rate).epsilon(0.02));
    // It turns by a fifth of a radian in a sub-step, and sinks by a degree a second for that.
    CHECK(std::abs(world.transform(top).position.y) < 0.06f);
}
