// Bodies on meshes whose vertices, or weights, the host sets: how they move.
#include <doctest/doctest.h>

#include "fovea/base/random.h"
#include "waving_world.h"

using namespace fovea;

TEST_CASE("a rising sheet carries a ball up, and throws it when it stops") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        CAPTURE(int(response));
        World world({.response = response});
        const TriangleMesh flat = flat_sheet(8, 4);
        const BodyId sheet = add_sheet(world, flat);
        const BodyId ball = add_solid(world, Sphere{0.5f}, {0.1f, 0.5f, 0.05f});
        const float speed = 2;
        float height = 0;
        for (int i = 0; i < 120; ++i) {
            height += speed * k_h;
            REQUIRE(world.set_vertices(sheet, shifted(flat.vertices, {0, height, 0})));
            world.step(k_h);
        }
        // The step moves the ball on to where the sheet will be; blows leave it falling for a step.
        const float loose = response == Response::soft_step ? 0.01f : 9.8f * k_h;
        CHECK(world.velocity(ball).y == doctest::Approx(speed).epsilon(loose));
        CHECK(world.transform(ball).position.y - (height + speed * k_h) ==
              doctest::Approx(0.5f).epsilon(0.02));
        // Thrown: v^2 / 2g = 0.204 m above the sheet, which stays.
        float highest = 0;
        for (int i = 0; i < 40; ++i) {
            world.step(k_h);
            highest = std::max(highest, world.transform(ball).position.y - height - 0.5f);
        }
        CHECK(highest == doctest::Approx(speed * speed / (2 * 9.8f)).epsilon(0.15));
    }
}

TEST_CASE("friction drags bodies along with the surface") {
    World world;
    const TriangleMesh flat = flat_sheet(32, 16);
    const BodyId sheet = add_sheet(world, flat);
    const BodyId box = add_solid(world, Box{{0.3f, 0.3f, 0.3f}}, {0, 0.3f, 0});
    for (int i = 1; i <= 90; ++i) {
        REQUIRE(world.set_vertices(sheet, shifted(flat.vertices, {1.5f * k_h * float(i), 0, 0})));
        world.step(k_h);
    }
    CHECK(world.velocity(box).x == doctest::Approx(1.5f).epsilon(0.01));
    CHECK(world.transform(box).position.y == doctest::Approx(0.3f).epsilon(0.01));
    // A surface that stops stops what it carries.
    for (int i = 0; i < 60; ++i) world.step(k_h);
    CHECK(length(world.velocity(box)) < 0.01f);
}

TEST_CASE("the surface of a body that goes its way moves on top of that") {
    World world;
    const TriangleMesh flat = flat_sheet(32, 16);
    const Quat quarter = from_axis_angle(Vec3(0, 1, 0), 1.57079633f);
    const BodyId sheet = *world.add_body({.shape = *world.add_shape(DeformingMesh{shared(flat)}),
                                          .orientation = quarter,
                                          .velocity = {0, 0.5f, 0},
                                          .material = {.friction = 0.8f},
                                          .kinematic = true});
    const BodyId box = add_solid(world, Box{{0.3f, 0.3f, 0.3f}}, {0, 0.3f, 0});
    for (int i = 1; i <= 90; ++i) {
        REQUIRE(world.set_vertices(sheet, shifted(flat.vertices, {1.5f * k_h * float(i), 0, 0})));
        world.step(k_h);
    }
    // The quarter turn takes x to -z.
    CHECK(world.velocity(box).z == doctest::Approx(-1.5f).epsilon(0.01));
    CHECK(world.velocity(box).y == doctest::Approx(0.5f).epsilon(0.01));
    CHECK(std::abs(world.velocity(box).x) < 0.01f);
    CHECK(world.transform(box).position.y - world.transform(sheet).position.y ==
          doctest::Approx(0.3f).epsilon(0.01));
}

TEST_CASE("a turning sheet turns what lies on it") {
    World world;
    const TriangleMesh flat = flat_sheet(16, 4);
    const BodyId sheet = add_sheet(world, flat);
    const BodyId box = add_solid(world, Box{{0.4f, 0.1f, 0.4f}}, {0, 0.1f, 0});
    for (int i = 1; i <= 60; ++i) {
        const Quat turn = from_axis_angle(Vec3(0, 1, 0), 1.0f * float(i) * k_h);
        std::vector<Vec3> vertices = flat.vertices;
        for (Vec3& v : vertices) v = rotate(turn, v);
        REQUIRE(world.set_vertices(sheet, vertices));
        world.step(k_h);
    }
    CHECK(world.angular_velocity(box).y == doctest::Approx(1).epsilon(0.05));
}

TEST_CASE("a surface that goes far in a step takes along what is in its way") {
    // Three times the width of the solids, from touching them or from afar, up or down.
    for (const Response response : {Response::soft_step, Response::impulse})
        for (const bool limited : {false, true})
            for (const float from : {-0.3f, -1.0f})
                for (const float side : {1.0f, -1.0f}) {
                    CAPTURE(int(response));
                    CAPTURE(limited);
                    CAPTURE(from);
                    CAPTURE(side);
                    World world({.gravity = {}, .response = response});
                    const TriangleMesh flat = flat_sheet(24, 12);
                    const BodyId sheet = add_sheet(world, flat);
                    const auto set = [&](float height) {
                        // Not quite flat, so that it meets solids with more than one triangle.
                        std::vector<Vec3> vertices = waved(flat, 0.375f, 0.1f);
                        for (Vec3& v : vertices) v.y += height * side;
                        REQUIRE(world.set_vertices(sheet, vertices));
                    };
                    set(from - 0.3f);
                    world.step(k_h);
                    std::vector<BodyId> bodies;
                    for (const Shape& solid : all_solids()) {
                        const int i = int(bodies.size());
                        bodies.push_back(add_solid(
                            world, solid, {float(i % 3) * 2 - 2, 0, float(i / 3) * 2 - 2}));
                    }
                    const Budget budget = limited ? Budget::work(1'000'000) : Budget::unlimited();
                    world.step(k_h, budget);
                    set(from);
                    world.step(k_h, budget);
                    set(from + 1.8f);
                    CHECK(world.step(k_h, budget).taken_along >= bodies.size() - 1);
                    for (std::size_t b = 0; b < bodies.size(); ++b) {
                        CAPTURE(b);
                        const float height = world.transform(bodies[b]).position.y * side;
                        CHECK(height > from + 1.8f - 0.1f);
                        CHECK(height < from + 1.8f + 3); // at 108 m/s it goes 1.8 m in a step
                    }
                }
}

TEST_CASE("a paddle that beats to and fro never lets a ball through") {
    World world({.gravity = {}});
    TriangleMesh wall = flat_sheet(6, 3);
    for (Vec3& v : wall.vertices) v = {v.y, v.x, v.z};
    const BodyId paddle = add_sheet(world, wall);
    REQUIRE(world.add_body({.shape = *world.add_shape(Box{{0.5f, 5, 5}}), .position = {5, 0, 0}}));
    const BodyId ball = add_solid(world, Sphere{0.2f}, {0.5f, 0.1f, 0.05f});
    for (int i = 1; i <= 200; ++i) {
        // Up to 0.66 m in a step.
        const float x = 2 * std::sin(float(i) * 0.33f);
        REQUIRE(world.set_vertices(paddle, shifted(wall.vertices, {x, 0, 0})));
        world.step(k_h);
        const Vec3 at = world.transform(ball).position;
        CAPTURE(i);
        if (std::abs(at.y) > 1.4f || std::abs(at.z) > 1.4f) break; // beyond the rim
        REQUIRE(at.x > x);
        REQUIRE(at.x < 4.5f);
    }
}

TEST_CASE("solids of every kind stay on a waving sheet for a thousand steps") {
    Wave wave;
    for (int i = 0; i < 1000; ++i) {
        wave.step();
        for (std::size_t b = 0; b < wave.bodies.size(); ++b) {
            const Vec3 at = wave.world.transform(wave.bodies[b]).position;
            if (std::abs(at.x) > 5.5f || std::abs(at.z) > 5.5f) continue; // over the rim: may fall
            // The lowest that a centre can be: the wave's trough and less than the thinnest solid.
            CAPTURE(b);
            CAPTURE(i);
            REQUIRE(at.y > -0.15f + 0.1f);
        }
    }
    int left = 0;
    for (const BodyId body : wave.bodies) left += wave.world.transform(body).position.y > 0;
    CHECK(left >= 5); // the others rolled off
}

TEST_CASE("contacts and ray hits are those of a fresh mesh of the same vertices") {
    const TriangleMesh flat = flat_sheet(20, 10);
    Random random(7);
    for (int round = 0; round < 20; ++round) {
        const auto any = [&](double reach) { return float(random.uniform(-reach, reach)); };
        TriangleMesh bent = flat;
        for (Vec3& v : bent.vertices) v += Vec3(any(0.1), any(0.4), any(0.1));
        World deforming({.gravity = {}}), fresh({.gravity = {}});
        const BodyId sheet = add_sheet(deforming, flat);
        REQUIRE(fresh.add_body({.shape = *fresh.add_shape(MeshSurface{shared(bent)}),
                                .material = {.friction = 0.8f}}));
        // Once to come to rest in the new form, so that both surfaces stand still.
        REQUIRE(deforming.set_vertices(sheet, bent.vertices));
        deforming.step(k_h);
        fresh.step(k_h);
        for (const Shape& solid : all_solids()) {
            const Vec3 at(any(4), any(0.5), any(4));
            add_solid(deforming, solid, at);
            add_solid(fresh, solid, at);
        }
        for (int i = 0; i < 200; ++i) {
            const RayCast ray{
                .origin = {any(5), 2, any(5)}, .direction = {any(0.5), -1, any(0.5)}, .length = 5};
            const auto a = *deforming.queries().find(ray), b = *fresh.queries().find(ray);
            REQUIRE(a.has_value() == b.has_value());
            if (!a) continue;
            CHECK(a->body.slot == b->body.slot);
            CHECK(a->part == b->part);
            CHECK(a->distance == b->distance);
            CHECK(a->normal == b->normal);
        }
        deforming.step(k_h);
        fresh.step(k_h);
        REQUIRE(deforming.pairs().size() == fresh.pairs().size());
        for (std::size_t i = 0; i < fresh.pairs().size(); ++i)
            CHECK(deforming.pairs()[i] == fresh.pairs()[i]);
        // Triangles come in another order, so that of several like contacts others may be kept:
        // compared is how deep each pair is, which is the same however its points are chosen.
        const auto depths = [](const World& world) {
            std::vector<std::pair<ProxyPair, float>> all;
            for (const ContactPatch& patch : world.patches())
                for (int i = 0; i < patch.count; ++i) {
                    const ProxyPair pair{patch.a, patch.b};
                    if (all.empty() || all.back().first != pair) all.push_back({pair, 1});
                    all.back().second = std::min(all.back().second, patch.points[i].separation);
                }
            return all;
        };
        const auto one = depths(deforming), two = depths(fresh);
        REQUIRE(one.size() == two.size());
        for (std::size_t i = 0; i < one.size(); ++i) {
            CHECK(one[i].first == two[i].first);
            CHECK(one[i].second == doctest::Approx(two[i].second).epsilon(1e-4));
        }
    }
}

TEST_CASE("sleepers wake when the surface changes, and not when it stays") {
    World world;
    const TriangleMesh flat = flat_sheet(8, 4);
    const BodyId sheet = add_sheet(world, flat);
    const BodyId box = add_solid(world, Box{{0.3f, 0.3f, 0.3f}}, {0, 0.3f, 0});
    for (int i = 0; i < 300; ++i) world.step(k_h);
    REQUIRE(!world.is_awake(box));
    REQUIRE(world.set_vertices(sheet, flat.vertices));
    world.step(k_h);
    CHECK(!world.is_awake(box));
    REQUIRE(world.set_vertices(sheet, shifted(flat.vertices, {0, 0.01f, 0})));
    CHECK(world.is_awake(box));

    // A surface that comes up through the floor wakes what slept there without touching it.
    World other;
    const BodyId below = add_sheet(other, flat);
    REQUIRE(other.set_vertices(below, shifted(flat.vertices, {0, -1, 0})));
    REQUIRE(
        other.add_body({.shape = *other.add_shape(Box{{3, 0.1f, 3}}), .position = {0, -0.1f, 0}}));
    const BodyId sleeper = add_solid(other, Sphere{0.3f}, {0, 0.3f, 0});
    for (int i = 0; i < 300; ++i) other.step(k_h);
    REQUIRE(!other.is_awake(sleeper));
    REQUIRE(other.set_vertices(below, shifted(flat.vertices, {0, 0.05f, 0})));
    other.step(k_h);
    CHECK(other.is_awake(sleeper));
}

TEST_CASE("contacts follow a surface that leaves a body which does not move") {
    for (const Response response : {Response::soft_step, Response::impulse})
        for (const bool limited : {false, true}) {
            World world({.gravity = {}, .response = response});
            const TriangleMesh flat = flat_sheet(16, 4);
            const BodyId sheet = add_sheet(world, flat);
            const BodyId ball = add_solid(world, Sphere{0.5f}, {0, 0.5f - 1e-4f, 0});
            const Budget budget = limited ? Budget::work(1'000'000) : Budget::unlimited();
            world.step(k_h, budget);
            const auto touches = [&] {
                return !world.patches().empty() || !world.contacts().empty();
            };
            REQUIRE(touches());
            // A hollow below the ball, within its box.
            std::vector<Vec3> hollow = flat.vertices;
            for (Vec3& v : hollow)
                if (length(v) < 1) v.y = -0.4f;
            REQUIRE(world.set_vertices(sheet, hollow));
            world.step(k_h, budget);
            CHECK(!world.pairs().empty());
            CHECK(!touches());
            CHECK(length(world.velocity(ball)) < 0.1f);
        }
}

TEST_CASE("a morphing mesh moves as one whose blended vertices are set") {
    const TriangleMesh flat = flat_sheet(16, 6);
    auto targets = std::make_shared<MorphTargets>();
    targets->vertices = {waved(flat, 0.375f, 0.3f), shifted(flat.vertices, {0, 0.5f, 0})};
    World morphing, deforming;
    const BodyId morph =
        *morphing.add_body({.shape = *morphing.add_shape(DeformingMesh{shared(flat), targets})});
    const BodyId sheet =
        *deforming.add_body({.shape = *deforming.add_shape(DeformingMesh{shared(flat)})});
    const BodyId a = add_solid(morphing, Box{{0.3f, 0.2f, 0.3f}}, {0.2f, 0.3f, 0.1f});
    const BodyId b = add_solid(deforming, Box{{0.3f, 0.2f, 0.3f}}, {0.2f, 0.3f, 0.1f});
    CHECK(!morphing.set_vertices(morph, flat.vertices));
    CHECK(!morphing.set_weights(morph, std::vector<float>{0.5f, 0.6f, 0}));
    CHECK(!morphing.set_weights(morph, std::vector<float>{1.5f, -0.5f, 0}));
    CHECK(!morphing.set_weights(morph, std::vector<float>{1, 0}));
    for (int i = 1; i <= 120; ++i) {
        const float up = float(i) / 240, bend = 0.25f * (1 - std::cos(float(i) * 0.05f));
        const std::vector<float> weights = {1 - up - bend, bend, up};
        REQUIRE(morphing.set_weights(morph, weights));
        REQUIRE(deforming.set_vertices(sheet, morphing.vertices(morph)));
        morphing.step(k_h);
        deforming.step(k_h);
        REQUIRE(morphing.hash() == deforming.hash());
    }
    CHECK(morphing.transform(a).position.y > 0.3f);
    CHECK(morphing.transform(a).position == deforming.transform(b).position);
    World copy = *World::from_snapshot(morphing.snapshot());
    CHECK(copy.hash() == morphing.hash());
    CHECK(copy.vertices(morph) == morphing.vertices(morph));
}
