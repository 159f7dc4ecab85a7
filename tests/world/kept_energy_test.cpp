// What must not make energy, nor motion out of rest: random spins, bodies that are stuck in each
// other, and bodies at rest that are borne by one contact.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "fovea/geometry/height_field.h"
#include "fovea/world/world.h"

using namespace fovea;

namespace {

constexpr float k_step = 1.0f / 60;

double energy(const World& world) {
    const Energy now = world.energy();
    return now.kinetic + now.potential;
}

std::shared_ptr<const TriangleMesh> box_mesh(const Vec3& half) {
    auto mesh = std::make_shared<TriangleMesh>();
    for (int i = 0; i < 8; ++i)
        mesh->vertices.push_back(
            {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    mesh->triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                       {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

} // namespace

TEST_CASE("random spin takes no more than blows lost, however often things meet") {
    for (const bool gyroscopic : {false, true}) {
        WorldSettings settings{.gravity = {}, .gyroscopic = gyroscopic};
        settings.schedule.random_spin = 0.5f;
        World world(settings);
        for (int axis = 0; axis < 3; ++axis)
            for (const float sign : {-1.0f, 1.0f}) {
                Vec3 half(3, 3, 3), at;
                half[axis] = 0.5f, at[axis] = 2 * sign;
                (void)*world.add_body({.shape = *world.add_shape(Box{half}),
                                       .position = at,
                                       .material = {.elastic = 1}});
            }
        (void)*world.add_body({.shape = *world.add_shape(Box{{0.4f, 0.03f, 0.3f}}),
                               .orientation = normalized(Quat(0.3f, {0.5f, 0.4f, -0.2f})),
                               .velocity = {1, 2, 0.5f},
                               .angular_velocity = {2, 3, 5},
                               .mass = 1,
                               .material = {.friction = 0, .elastic = 1}});
        const double before = energy(world);
        double most = 0;
        for (int i = 0; i < 3000; ++i) {
            world.step(k_step, Budget::work(0));
            most = std::max(most, energy(world));
        }
        CHECK(most < 1.005 * before);
    }
}

TEST_CASE("a body that is stuck in a mesh is not thrown out of it") {
    World world({.gravity = {}});
    (void)*world.add_body(
        {.shape = *world.add_shape(SolidMesh{box_mesh({1, 1, 0.1f}), {.levels = 3}})});
    (void)*world.add_body(
        {.shape = *world.add_shape(SolidMesh{box_mesh({0.3f, 0.3f, 0.3f}), {.levels = 3}}),
         .position = {0.1f, 0.05f, 0},
         .orientation = normalized(Quat(1, {0.1f, 0.2f, 0.05f})),
         .mass = 1});
    double most = 0;
    for (int i = 0; i < 1200; ++i) world.step(k_step), most = std::max(most, energy(world));
    CHECK(most < 4.5); // overlaps are pushed apart at most at 3 m/s
}

TEST_CASE("a body of several parts that rests on one contact a pair does not sink") {
    World world;
    auto flat = std::make_shared<HeightField>(HeightField{13, 13, 1.5f, std::vector<float>(169)});
    (void)*world.add_body(
        {.shape = *world.add_shape(HeightSurface{flat}), .position = {-9, 0, -9}});
    auto table = std::make_shared<Compound>();
    for (int i = 0; i < 4; ++i)
        table->parts.push_back({Box{{0.05f, 0.2f, 0.05f}},
                                Transform({i & 1 ? 0.3f : -0.3f, 0, i & 2 ? 0.2f : -0.2f}, {})});
    table->parts.push_back({Box{{0.35f, 0.03f, 0.25f}}, Transform({0, 0.23f, 0}, {})});
    const BodyId body = *world.add_body({.shape = *world.add_shape(CompoundShape{table}),
                                         .position = {0.2f, 0.2f, 0.3f},
                                         .mass = 1});
    for (int i = 0; i < 200; ++i) world.step(k_step);
    const Vec3 before = world.transform(body).position;
    REQUIRE(world.wake(body));
    for (int i = 0; i < 2000; ++i) {
        world.step(k_step, Budget::work(0));
        if (i % 50 == 0) REQUIRE(world.wake(body));
    }
    CHECK(length(world.transform(body).position - before) < 0.02f);
}

TEST_CASE("a huge step leaves every body a turn, by either response") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        World world({.gravity = {}, .response = response});
        (void)*world.add_body(
            {.shape = *world.add_shape(Box{{1, 1, 1}}), .angular_velocity = {1, 2, 3}, .mass = 1});
        world.step(1e20f);
        CHECK(World::from_snapshot(world.snapshot()));
    }
}

TEST_CASE("a cone that lies on its side does not creep on one contact, and falls asleep") {
    World world;
    (void)*world.add_body({.shape = *world.add_shape(HalfSpace{{0, 1, 0}, 0})});
    const BodyId cone = *world.add_body({.shape = *world.add_shape(Cone{0.25f, 0.3f}),
                                         .position = {0, 0.4f, 0},
                                         .orientation = normalized(Quat(1, {0.9f, 0.1f, 0.2f})),
                                         .mass = 1,
                                         .material = {.friction = 0.6f, .rolling = 0.01f}});
    for (int i = 0; i < 300; ++i) world.step(k_step);
    REQUIRE_FALSE(world.is_awake(cone));
    const Vec3 before = world.transform(cone).position;
    REQUIRE(world.wake(cone));
    for (int i = 0; i < 1000; ++i) world.step(k_step, Budget::work(0));
    CHECK(length(world.transform(cone).position - before) < 0.01f);
    CHECK_FALSE(world.is_awake(cone));
}
