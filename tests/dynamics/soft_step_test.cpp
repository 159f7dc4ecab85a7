// The soft_step solver on contacts made by hand: what rests, slides, rebounds, and that it is the
// same for every way of running it.
#include <doctest/doctest.h>

#include <set>

#include "fovea/base/hash.h"
#include "fovea/base/random.h"
#include "fovea/base/simd.h"
#include "fovea/dynamics/soft_step.h"

using namespace fovea;

namespace {

constexpr float k_dt = 1.0f / 60;

BodyState box_state(const Vec3& position, float mass, const Vec3& half) {
    const Vec3 s = scale(half, half);
    return {.pose = {position},
            .mass = mass,
            .inertia = Mat3::diagonal({s.y + s.z, s.x + s.z, s.x + s.y}) * (mass / 3)};
}

/// Boxes standing on each other or on the plane y = 0 (body 0), aligned with the axes at first.
/// Contacts are found from the corners of each box's lower face.
struct BoxWorld {
    Bodies bodies;
    std::vector<Vec3> half;
    std::vector<ContactPatch> patches;
    SoftStep solver;
    MotionSettings motion{.gravity = {0, -9.81f, 0}};
    SoftStepSettings settings;
    float friction = 0.5f, restitution = 0;

    BoxWorld() {
        bodies.set(0, {});
        half.push_back({});
    }
    void add(const Vec3& position, float mass, const Vec3& half_extents) {
        bodies.set(bodies.size(), box_state(position, mass, half_extents));
        half.push_back(half_extents);
    }
    /// Box `i` stands on `below`, whose top is its own or, for body 0, y = 0.
    void touch(std::uint32_t below, std::uint32_t i) {
        ContactPatch patch{};
        patch.a = below, patch.b = i;
        patch.normal = {0, 1, 0};
        patch.count = 4;
        patch.friction = friction, patch.restitution = restitution;
        patches.push_back(patch);
    }
    /// Returns the sub-steps that were done.
    int step(const Jobs& jobs = Jobs(), float dt = k_dt, const SubStepLimit& limit = {}) {
        for (ContactPatch& patch : patches) {
            // The face below: the plane y = 0 turned and moved with its body.
            const Transform below = bodies.pose(patch.a);
            patch.normal = rotate(below.orientation, Vec3(0, 1, 0));
            const Vec3 top = below * Vec3(0, half[patch.a].y, 0);
            for (int k = 0; k < 4; ++k) {
                const Vec3 h = half[patch.b];
                const Vec3 corner =
                    bodies.pose(patch.b) * Vec3(k & 1 ? h.x : -h.x, -h.y, k & 2 ? h.z : -h.z);
                patch.points[k].point = corner;
                patch.points[k].separation = dot(corner - top, patch.normal);
            }
        }
        std::vector<std::uint32_t> awake;
        for (std::uint32_t i = 1; i < bodies.size(); ++i) awake.push_back(i);
        refresh_inertia(bodies, jobs);
        return solver.run(bodies, awake, patches, {}, {}, motion, settings, dt, jobs, {}, limit);
    }
    std::uint64_t hash() const {
        Hasher hasher;
        for (std::uint32_t i = 0; i < bodies.size(); ++i) {
            hasher.add(bodies.position[i]), hasher.add(bodies.orientation[i]);
            hasher.add(bodies.velocity[i]), hasher.add(bodies.angular_velocity[i]);
        }
        return hasher.value();
    }
};

BoxWorld stack(int count, float mass_of_top = 1) {
    BoxWorld world;
    for (int i = 0; i < count; ++i) {
        world.add({0, 0.5f + float(i), 0}, i == count - 1 ? mass_of_top : 1, {0.5f, 0.5f, 0.5f});
        world.touch(std::uint32_t(i), std::uint32_t(i + 1));
    }
    return world;
}

} // namespace

TEST_CASE("a stack of ten boxes stands for 20 seconds") {
    BoxWorld world = stack(10);
    for (int i = 0; i < 1200; ++i) world.step();
    for (std::uint32_t i = 1; i <= 10; ++i) {
        CHECK(std::abs(world.bodies.position[i].y - (float(i) - 0.5f)) < 0.01f);
        CHECK(std::abs(world.bodies.position[i].x) < 0.001f);
        CHECK(length(world.bodies.velocity[i]) < 1e-3f);
    }
    // At rest the impulse on the ground carries the weight: ten bodies over one sub-step.
    float carried = 0;
    for (const auto& p : world.patches[0].points) carried += p.impulse;
    CHECK(carried ==
          doctest::Approx(10 * 9.81 * double(k_dt) / world.settings.sub_steps).epsilon(0.01));
}

TEST_CASE("a box a hundred times heavier does not crush the ones below") {
    BoxWorld world = stack(3, 100);
    for (int i = 0; i < 600; ++i) world.step();
    CHECK(world.bodies.position[3].y > 2.5f - 0.03f);
}

TEST_CASE("on a slope a box holds or slides as the friction cone says") {
    const float angle = 0.4f; // the slope, by turning gravity
    for (const float friction : {0.98f * std::tan(angle), 1.02f * std::tan(angle)}) {
        BoxWorld world;
        world.friction = friction;
        world.motion.gravity = {9.81f * std::sin(angle), -9.81f * std::cos(angle), 0};
        world.add({0, 0.5f, 0}, 2, {0.5f, 0.5f, 0.5f});
        world.touch(0, 1);
        for (int i = 0; i < 300; ++i) world.step();
        const float expected = 9.81f * (std::sin(angle) - friction * std::cos(angle)) * 300 * k_dt;
        if (friction < std::tan(angle))
            CHECK(world.bodies.velocity[1].x == doctest::Approx(expected).epsilon(0.05));
        else
            CHECK(world.bodies.velocity[1].x < 1e-3f);
    }
}

TEST_CASE("friction stops a spinning box and a conveyor belt carries it") {
    BoxWorld world;
    world.add({0, 0.5f, 0}, 1, {0.5f, 0.5f, 0.5f});
    world.touch(0, 1);
    world.bodies.angular_velocity[1] = {0, 5, 0};
    for (int i = 0; i < 200; ++i) world.step();
    CHECK(length(world.bodies.angular_velocity[1]) < 1e-3f);
    world.patches[0].surface_velocity = {2, 0, 0};
    for (int i = 0; i < 200; ++i) world.step();
    CHECK(world.bodies.velocity[1].x == doctest::Approx(2).epsilon(0.01));
}

TEST_CASE("rebound follows the coefficient of restitution") {
    for (const float e : {0.0f, 0.3f, 0.7f, 1.0f}) {
        BoxWorld world;
        world.restitution = e;
        world.motion.gravity = {};
        world.add({0, 0.51f, 0}, 1, {0.5f, 0.5f, 0.5f});
        world.touch(0, 1);
        world.bodies.velocity[1] = {0, -3, 0};
        for (int i = 0; i < 10; ++i) world.step();
        // Three per cent of the approach speed.
        CHECK(std::abs(world.bodies.velocity[1].y - 3 * e) < 0.03f * 3);
    }
}

TEST_CASE("rolling resistance stops a rolling ball") {
    BoxWorld world;
    world.bodies.set(1, {.pose = {{0, 1, 0}},
                         .velocity = {2, 0, 0},
                         .angular_velocity = {0, 0, -2},
                         .mass = 1,
                         .inertia = Mat3::identity() * 0.4f});
    ContactPatch patch{};
    patch.a = 0, patch.b = 1, patch.normal = {0, 1, 0}, patch.count = 1;
    patch.friction = 0.8f, patch.rolling = 0.02f;
    const std::uint32_t awake[] = {1};
    for (int i = 0; i < 900; ++i) {
        const Vec3 at = world.bodies.position[1];
        patch.points[0].point = at - Vec3(0, 1, 0);
        patch.points[0].separation = at.y - 1;
        refresh_inertia(world.bodies, Jobs());
        world.solver.run(world.bodies, awake, std::span(&patch, 1), {}, {}, world.motion,
                         world.settings, k_dt, Jobs());
        if (i == 30) CHECK(world.bodies.velocity[1].x > 1); // slows down, does not stop dead
    }
    CHECK(length(world.bodies.velocity[1]) < 1e-3f);
}

TEST_CASE("overlaps are pushed apart no faster than allowed, and keep little of that speed") {
    BoxWorld world;
    world.motion.gravity = {};
    world.add({0, 0.3f, 0}, 1, {0.5f, 0.5f, 0.5f});
    world.touch(0, 1);
    float fastest = 0;
    for (int i = 0; i < 120; ++i) {
        const float before = world.bodies.position[1].y;
        world.step();
        fastest = std::max(fastest, (world.bodies.position[1].y - before) / k_dt);
    }
    CHECK(fastest <= world.settings.max_push * 1.01f);
    CHECK(world.bodies.position[1].y > 0.5f - world.settings.slop);
    // Relaxing visits each of the four points twice, which leaves some of their common speed.
    CHECK(length(world.bodies.velocity[1]) < 0.05f * world.settings.max_push);
}

TEST_CASE("colours never share a movable body and lose no constraint") {
    Random random(3);
    GraphColouring colouring;
    for (int round = 0; round < 50; ++round) {
        const std::uint32_t bodies = 2 + random.below(60);
        std::vector<ConstraintEnds> ends;
        for (int i = 0; i < 300; ++i) {
            const std::uint32_t a = random.below(bodies);
            std::uint32_t b = random.below(bodies + 5);
            if (b == a) b = bodies;
            ends.push_back({a, b >= bodies ? k_immovable : b});
        }
        colouring.colour(ends, bodies);
        std::set<std::uint32_t> seen;
        for (int c = 0; c <= GraphColouring::k_overflow; ++c) {
            std::set<std::uint32_t> busy;
            for (const std::uint32_t i : colouring.of_colour(c)) {
                CHECK(seen.insert(i).second);
                if (c == GraphColouring::k_overflow) continue;
                for (const std::uint32_t body : {ends[i].a, ends[i].b})
                    if (body != k_immovable) CHECK(busy.insert(body).second);
            }
        }
        CHECK(seen.size() == ends.size());
    }
}

TEST_CASE("threads and instruction sets give the same bits, overflow included") {
    const auto run = [](int threads) {
        // A slab that carries 60 boxes has more contacts than there are colours.
        BoxWorld world;
        world.add({0, 0.25f, 0}, 50, {20, 0.25f, 2});
        world.touch(0, 1);
        for (int i = 0; i < 60; ++i) {
            world.add({-18 + 0.6f * float(i), 0.74f, 0.01f * float(i % 7)}, 1,
                      {0.25f, 0.25f, 0.25f});
            world.touch(1, std::uint32_t(i + 2));
        }
        const Jobs jobs(threads);
        for (int i = 0; i < 60; ++i) world.step(jobs);
        return world.hash();
    };
    const std::uint64_t expected = run(1);
    for (int threads : {2, 3, 4}) CHECK(run(threads) == expected);
    for (const SimdTarget& target : simd_targets()) {
        use_simd_target(target);
        CHECK_MESSAGE(run(1) == expected, target.name);
    }
    use_best_simd_target();
}

TEST_CASE("a step that is ended early is a shorter one") {
    // A power of two: sub-steps are of the same length to the bit.
    constexpr float k_sub_step = 1.0f / 512;
    const auto pile = [] {
        BoxWorld world;
        world.restitution = 0.5f;
        for (int i = 0; i < 6; ++i) {
            world.add({0.02f * float(i), 0.5f + 1.01f * float(i), 0}, 1, {0.5f, 0.5f, 0.5f});
            world.bodies.velocity[std::uint32_t(i + 1)] = {0, -float(i + 1), 0.5f};
            world.touch(std::uint32_t(i), std::uint32_t(i + 1));
        }
        return world;
    };
    for (int granted = 1; granted <= 8; ++granted)
        for (const int threads : {1, 2, 4}) {
            const Jobs jobs(threads);
            BoxWorld ended = pile(), shorter = pile();
            ended.settings.sub_steps = 8;
            shorter.settings.sub_steps = granted;
            for (int i = 0; i < 20; ++i) {
                CHECK(ended.step(jobs, 8 * k_sub_step, {.most = granted}) == granted);
                shorter.step(jobs, float(granted) * k_sub_step);
                REQUIRE(ended.hash() == shorter.hash());
            }
        }
    // None may begin any more: the first does nevertheless.
    BoxWorld late = pile(), one = pile();
    late.settings.sub_steps = 8;
    one.settings.sub_steps = 1;
    CHECK(late.step(Jobs(), 8 * k_sub_step, {.last_begin = 0}) == 1);
    one.step(Jobs(), k_sub_step);
    CHECK(late.hash() == one.hash());
}
