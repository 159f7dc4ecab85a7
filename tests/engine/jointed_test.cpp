// Many joints together: chains, ragdolls, nets; joints that break, sleep and wake.
#include <limits>
#include <string>

#include "ground.h"
#include "tests/oracles/allocation_counter.h"

using namespace fovea;
using namespace fovea::test;

namespace {

/// Capsules of 0.4 m in a row along x from an immovable block at the height of 10 m.
struct Chain {
    World world;
    std::vector<BodyId> links;
    std::vector<JointId> joints;
    std::vector<JointDefinition> definitions;

    explicit Chain(int count, float last_mass = 1, const WorldSettings& settings = {}, float x = 0)
        : world(settings) {
        add(count, last_mass, x);
    }
    void add(int count, float last_mass, float x) {
        const ShapeId link = *world.add_shape(Capsule{0.05f, 0.15f});
        BodyId before = *world.add_body(
            {.shape = *world.add_shape(Box{{0.1f, 0.1f, 0.1f}}), .position = {x, 10, 0}});
        for (int i = 0; i < count; ++i) {
            const BodyId next =
                *world.add_body({.shape = link,
                                 .position = {x + 0.2f + 0.4f * float(i), 10, 0},
                                 .orientation = turned_about({0, 0, 1}, 1.57079633f),
                                 .mass = i + 1 == count ? last_mass : 1});
            definitions.push_back(world.joint_at(before, next, {x + 0.4f * float(i), 10, 0},
                                                 {1, 0, 0}, BallJoint{.friction = 0}));
            joints.push_back(*world.add_joint(definitions.back()));
            links.push_back(next);
            before = next;
        }
    }
    /// Largest distance between anchors that should be together.
    float worst_gap() const {
        float most = 0;
        for (const JointDefinition& d : definitions)
            most = std::max(most, length(world.transform(d.a) * d.frame_a.position -
                                         world.transform(d.b) * d.frame_b.position));
        return most;
    }
    float fastest_spin() const {
        float most = 0;
        for (const BodyId link : links) most = std::max(most, length(world.angular_velocity(link)));
        return most;
    }
    double energy() const { return world.energy().kinetic + world.energy().potential; }
};

struct Ragdoll {
    BodyId torso, head, arm[2], forearm[2], thigh[2], shin[2];
};

/// Upright, its feet at the given height.
Ragdoll add_ragdoll(Ground& ground, float height) {
    World& world = ground.world;
    const auto limb = [&](float radius, float half, const Vec3& at, float mass, bool level) {
        return ground.add({.shape = ground.shape(Capsule{radius, half}),
                           .position = at + Vec3(0, height, 0),
                           .orientation = level ? turned_about({0, 0, 1}, 1.57079633f) : Quat(),
                           .mass = mass});
    };
    Ragdoll doll;
    const auto join = [&](BodyId a, BodyId b, Vec3 at, const Vec3& axis, const JointType& type) {
        REQUIRE(world.add_joint(world.joint_at(a, b, at + Vec3(0, height, 0), axis, type)));
    };
    doll.torso = limb(0.15f, 0.25f, {0, 1.2f, 0}, 35, false);
    doll.head = limb(0.1f, 0.05f, {0, 1.75f, 0}, 5, false);
    join(doll.torso, doll.head, {0, 1.6f, 0}, {0, 1, 0},
         ConeTwistJoint{.cone = 0.6f, .friction = 1});
    for (int k = 0; k < 2; ++k) {
        const float s = k == 0 ? 1.0f : -1.0f;
        doll.arm[k] = limb(0.05f, 0.12f, {s * 0.37f, 1.45f, 0}, 3, true);
        doll.forearm[k] = limb(0.045f, 0.12f, {s * 0.7f, 1.45f, 0}, 2, true);
        doll.thigh[k] = limb(0.07f, 0.15f, {s * 0.1f, 0.65f, 0}, 8, false);
        doll.shin[k] = limb(0.06f, 0.15f, {s * 0.1f, 0.22f, 0}, 5, false);
        join(doll.torso, doll.arm[k], {s * 0.2f, 1.45f, 0}, {s, 0, 0},
             ConeTwistJoint{.cone = 1.2f, .friction = 2});
        join(doll.arm[k], doll.forearm[k], {s * 0.54f, 1.45f, 0}, {0, 1, 0},
             HingeJoint{{.limits = {-2.2f, 0}, .motor = {0, 0.5f}}});
        join(doll.torso, doll.thigh[k], {s * 0.1f, 0.87f, 0}, {0, -1, 0},
             ConeTwistJoint{.cone = 0.9f, .twist = {.limits = {-0.3f, 0.3f}}, .friction = 4});
        join(doll.thigh[k], doll.shin[k], {s * 0.1f, 0.43f, 0}, {1, 0, 0},
             HingeJoint{{.limits = {0, 2.2f}, .motor = {0, 1}}});
    }
    return doll;
}

} // namespace

TEST_CASE("a chain of 100 links falls and swings without coming apart or gaining energy") {
    Chain chain(100);
    const double start = chain.energy();
    for (int i = 0; i < 20 * 60; ++i) {
        chain.world.step(k_frame);
        // 1 % of the 20 kJ that its fall sets free.
        REQUIRE(chain.energy() < start + 200);
        // Its end cracks like a whip, with links turning by a quarter of a radian in a sub-step,
        // and strikes the rest: there a quarter of a link is let pass, else a millimetre.
        REQUIRE(chain.worst_gap() < (chain.fastest_spin() < 20 ? 0.001f : 0.1f));
    }
    for (const BodyId link : chain.links)
        REQUIRE(length(chain.world.transform(link).position - Vec3(0, 10, 0)) < 40.1f);
}

TEST_CASE("a swinging chain holds a hundred times its links' weight") {
    Chain chain(20, 100);
    for (int i = 0; i < 5 * 60; ++i) {
        chain.world.step(k_frame);
        REQUIRE(chain.worst_gap() < 0.001f);
    }
}

TEST_CASE("ragdolls fall, keep together and come to rest") {
    Ground ground;
    std::vector<Ragdoll> dolls;
    for (int i = 0; i < 6; ++i) dolls.push_back(add_ragdoll(ground, 1 + 2.5f * float(i)));
    ground.run(14);
    for (const BodyId body : ground.bodies) {
        const Vec3 at = ground.world.transform(body).position;
        CHECK(at.y > 0.03f); // nothing sinks into the floor
        CHECK(at.y < 1.2f);
        CHECK_FALSE(ground.world.is_awake(body));
    }
    CHECK(ground.world.step(k_frame).joints == 0);
    REQUIRE(ground.world.wake(dolls[0].head));
    CHECK(ground.world.step(k_frame).joints >= 9);
    CHECK(ground.world.is_awake(dolls[0].shin[1]));
}

TEST_CASE("a joint breaks at its force within 5 %, and at its torque") {
    const auto loaded = [](float factor, bool by_torque) {
        World world({.gravity = {0, -10, 0}});
        const BodyId wall = *world.add_body({.shape = *world.add_shape(Box{{0.1f, 0.1f, 0.1f}})});
        const BodyId arm = *world.add_body(
            {.shape = *world.add_shape(Box{{0.5f, 0.1f, 0.1f}}), .position = {1, 0, 0}, .mass = 2});
        JointDefinition d = world.joint_at(wall, arm, {0, 0, 0}, {1, 0, 0}, FixedJoint{});
        (by_torque ? d.break_torque : d.break_force) = 20 * factor; // 20 N, a metre away
        const JointId joint = *world.add_joint(d);
        for (int i = 0; i < 120; ++i) {
            world.step(k_frame);
            if (!world.events().joints_broke.empty()) {
                const BrokenJoint& broken = world.events().joints_broke.front();
                CHECK(world.events().joints_broke.size() == 1);
                CHECK((broken.joint == joint && broken.a == wall && broken.b == arm));
                CHECK(length(by_torque ? broken.load.torque : broken.load.force) >= 20 * factor);
                CHECK_FALSE(world.contains(joint));
                CHECK(world.joint_count() == 0);
                world.step(k_frame);
                CHECK(world.events().joints_broke.empty());
                CHECK(world.velocity(arm).y < -0.1f);
                return true;
            }
        }
        return false;
    };
    for (const bool by_torque : {false, true}) {
        CHECK(loaded(0.95f, by_torque));
        CHECK_FALSE(loaded(1.05f, by_torque));
    }
}

TEST_CASE("a net, too wide for the exact solution, holds") {
    // A curtain of 12 x 12 balls, joined to their neighbours, pushed sideways. Its band of
    // equations is 24 joints wide.
    World world;
    const int n = 12;
    const ShapeId ball = *world.add_shape(Sphere{0.05f});
    std::vector<BodyId> knots;
    std::vector<JointDefinition> definitions;
    for (int row = 0; row < n; ++row)
        for (int k = 0; k < n; ++k)
            knots.push_back(*world.add_body({.shape = ball,
                                             .position = {float(k) * 0.3f, -float(row) * 0.3f, 0},
                                             .velocity = {0, 0, row == 0 ? 0 : 0.5f},
                                             .mass = row == 0 ? 0 : 0.2f}));
    const auto join = [&](int p, int q) {
        const BodyId a = knots[std::size_t(p)], b = knots[std::size_t(q)];
        const Vec3 middle = (world.transform(a).position + world.transform(b).position) * 0.5f;
        definitions.push_back(world.joint_at(a, b, middle, {1, 0, 0}, BallJoint{}));
        REQUIRE(world.add_joint(definitions.back()));
    };
    for (int row = 0; row < n; ++row)
        for (int k = 0; k < n; ++k) {
            if (row > 0) join((row - 1) * n + k, row * n + k);
            if (row > 0 && k > 0) join(row * n + k - 1, row * n + k);
        }
    float worst = 0;
    for (int i = 0; i < 300; ++i) {
        world.step(k_frame);
        for (const JointDefinition& d : definitions)
            worst = std::max(worst, length(world.transform(d.a) * d.frame_a.position -
                                           world.transform(d.b) * d.frame_b.position));
    }
    CHECK(worst < 0.01f); // visited one by one they give: a thirtieth of the mesh's width
    CHECK(world.energy().kinetic < 50);
}

TEST_CASE("joined bodies collide only if told to") {
    for (const bool collide : {false, true}) {
        World world({.gravity = {}});
        const ShapeId cube = *world.add_shape(Box{{0.5f, 0.5f, 0.5f}});
        const BodyId a = *world.add_body({.shape = cube, .mass = 1});
        const BodyId b = *world.add_body({.shape = cube, .position = {0.8f, 0, 0}, .mass = 1});
        JointDefinition d = world.joint_at(a, b, {0.4f, 0, 0}, {1, 0, 0}, SliderJoint{});
        d.collide_connected = collide;
        const JointId joint = *world.add_joint(d);
        CHECK(world.step(k_frame).contacts == (collide ? 4u : 0u));
        for (int i = 0; i < 120; ++i) world.step(k_frame);
        const float apart = world.transform(b).position.x - world.transform(a).position.x;
        CHECK((apart > 0.99f) == collide);
        // Without the joint they do, in any case.
        REQUIRE(world.remove_joint(joint));
        REQUIRE(world.set_transform(b, {{0.8f, 0, 0}, {}}));
        REQUIRE(world.set_transform(a, {}));
        CHECK(world.step(k_frame).contacts == 4);
    }
}

TEST_CASE("a kinematic body carries what is joined to it") {
    World world;
    const BodyId hook = *world.add_body({.shape = *world.add_shape(Box{{0.1f, 0.1f, 0.1f}}),
                                         .velocity = {1, 0, 0},
                                         .kinematic = true});
    const BodyId ball = *world.add_body(
        {.shape = *world.add_shape(Sphere{0.2f}), .position = {0, -1, 0}, .mass = 1});
    REQUIRE(world.add_joint(world.joint_at(hook, ball, {0, 0, 0}, {1, 0, 0}, BallJoint{})));
    for (int i = 0; i < 600; ++i) world.step(k_frame);
    const Vec3 at = world.transform(hook).position;
    CHECK(at.x == doctest::Approx(10).epsilon(0.001));
    CHECK(length(world.transform(ball).position - at) == doctest::Approx(1).epsilon(0.002));
    CHECK(world.is_awake(ball));
    // Halted, the pendulum swings on; nothing but the joint drives it.
    REQUIRE(world.set_velocity(hook, {}, {}));
    for (int i = 0; i < 60; ++i) world.step(k_frame);
    CHECK(world.transform(hook).position == at);
}

TEST_CASE("sleep reaches through joints, and a change of the joint wakes") {
    Ground ground;
    const ShapeId cube = ground.shape(Box{{0.5f, 0.5f, 0.5f}});
    const BodyId a = ground.add({.shape = cube, .position = {0, 0.5f, 0}, .mass = 10});
    const BodyId b = ground.add({.shape = cube, .position = {3, 0.5f, 0}, .mass = 10});
    World& world = ground.world;
    const JointId rope = *world.add_joint(
        world.joint_at(a, b, {1.5f, 0.5f, 0}, {1, 0, 0}, DistanceJoint{{.limits = {0, 5}}}));
    ground.run(5);
    REQUIRE((!world.is_awake(a) && !world.is_awake(b)));
    REQUIRE(world.wake(a));
    world.step(k_frame);
    CHECK(world.is_awake(b));
    ground.run(5);
    REQUIRE(!world.is_awake(b));
    REQUIRE(world.set_joint(rope, DistanceJoint{{.limits = {0, 4}}}));
    CHECK((world.is_awake(a) && world.is_awake(b)));
    ground.run(5);
    REQUIRE(!world.is_awake(b));
    REQUIRE(world.remove_body(a));
    CHECK(world.is_awake(b));
    CHECK_FALSE(world.contains(rope));
    CHECK_FALSE(bool(world.remove_joint(rope)));
}

TEST_CASE("joints give the same bits for any number of threads") {
    std::uint64_t first = 0;
    for (int threads = 1; threads <= 4; ++threads) {
        Chain chain(30, 5, {.threads = threads});
        for (int k = 1; k < 12; ++k) chain.add(5 + k, 2, float(k) * 0.7f);
        for (int i = 0; i < 200; ++i) chain.world.step(k_frame);
        if (threads == 1) first = chain.world.hash();
        CHECK(chain.world.hash() == first);
    }
}

TEST_CASE("a warmed-up step with joints takes nothing from the heap") {
    Chain chain(30);
    for (int i = 0; i < 120; ++i) chain.world.step(k_frame);
    const long before = allocations();
    for (int i = 0; i < 120; ++i) chain.world.step(k_frame);
    CHECK(allocations() == before);
}

TEST_CASE("wrong joints are refused by name") {
    World world;
    const ShapeId cube = *world.add_shape(Box{{0.5f, 0.5f, 0.5f}});
    const BodyId wall = *world.add_body({.shape = cube}), other = *world.add_body({.shape = cube});
    const BodyId box = *world.add_body({.shape = cube, .position = {2, 0, 0}, .mass = 1});
    const BodyId gone = *world.add_body({.shape = cube, .mass = 1});
    REQUIRE(world.remove_body(gone));
    const JointDefinition good = world.joint_at(wall, box, {1, 0, 0}, {1, 0, 0}, HingeJoint{});
    const auto refused = [&](JointDefinition d, const std::string& words) {
        const auto made = world.add_joint(d);
        REQUIRE_FALSE(made);
        CHECK_MESSAGE(made.error().message.find(words) != std::string::npos, made.error().message);
        CHECK(world.joint_count() == 0);
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto with = [&](auto change) {
        JointDefinition d = good;
        change(d);
        return d;
    };
    refused(with([&](auto& d) { d.b = gone; }), "no such body");
    refused(with([&](auto& d) { d.b = wall; }), "two different bodies");
    refused(with([&](auto& d) { d.b = other; }), "both are immovable");
    refused(with([&](auto& d) { d.frame_a.position.x = nan; }), "first anchor");
    refused(with([&](auto& d) { d.frame_b.orientation = {0, 0, 0, 0}; }), "second frame");
    refused(with([&](auto& d) { d.break_force = 0; }), "breaking force");
    refused(with([&](auto& d) { d.break_torque = nan; }), "breaking torque");
    refused(with([&](auto& d) { d.type = HingeJoint{{.limits = {1, 0}}}; }), "turn lower limit");
    refused(with([&](auto& d) { d.type = HingeJoint{{.limits = {-4, 0}}}; }), "-pi and pi");
    refused(with([&](auto& d) { d.type = HingeJoint{{.motor = {nan, 1}}}; }), "motor speed");
    refused(with([&](auto& d) { d.type = SliderJoint{{.motor = {1, -1}}}; }), "motor strength");
    refused(with([&](auto& d) { d.type = SliderJoint{{.spring = {-1, 1}}}; }), "hertz");
    refused(with([&](auto& d) { d.type = ConeTwistJoint{.cone = 0}; }), "cone");
    refused(with([&](auto& d) { d.type = DistanceJoint{{.limits = {-2, -1}}}; }), "length");
    refused(with([&](auto& d) { d.type = BallJoint{.friction = nan}; }), "friction");
    const JointId joint = *world.add_joint(good);
    CHECK_FALSE(bool(world.set_joint(joint, BallJoint{})));
    CHECK_FALSE(bool(world.set_joint(joint, HingeJoint{{.target = nan}})));
    REQUIRE(world.remove_joint(joint));
    CHECK_FALSE(bool(world.set_joint(joint, HingeJoint{})));
    World blows({.response = Response::impulse});
    const ShapeId ball = *blows.add_shape(Sphere{1});
    const BodyId p = *blows.add_body({.shape = ball, .mass = 1});
    const BodyId q = *blows.add_body({.shape = ball, .position = {5, 0, 0}, .mass = 1});
    CHECK_FALSE(bool(blows.add_joint(blows.joint_at(p, q, {2, 0, 0}, {1, 0, 0}, BallJoint{}))));
}

TEST_CASE("a fast body is not stopped by what it is joined to") {
    // It slides at 20 m/s along the rail of an immovable post, and through the post.
    World world({.gravity = {}});
    const BodyId post = *world.add_body(
        {.shape = *world.add_shape(Box{{0.05f, 0.05f, 0.5f}}), .position = {1, 0, 0}});
    const BodyId blade = *world.add_body({.shape = *world.add_shape(Box{{0.02f, 0.4f, 0.02f}}),
                                          .position = {0, 0.3f, 0},
                                          .velocity = {20, 0, 0},
                                          .mass = 1,
                                          .fast = true});
    REQUIRE(world.add_joint(world.joint_at(post, blade, {0, 0.3f, 0}, {1, 0, 0}, SliderJoint{})));
    std::uint64_t stopped = 0;
    for (int i = 0; i < 12; ++i) stopped += world.step(k_frame).stopped_short;
    CHECK(stopped == 0);
    CHECK(world.transform(blade).position.x == doctest::Approx(4).epsilon(0.01));
}
