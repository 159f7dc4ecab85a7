// Bodies that are meshes and move.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "fovea/geometry/height_field.h"
#include "fovea/geometry/procedural.h"
#include "fovea/world/world.h"

using namespace fovea;

namespace {

std::shared_ptr<const TriangleMesh> mesh_named(const char* name) {
    return std::make_shared<const TriangleMesh>(make_procedural(name, 1).value());
}

bool mentions(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a solid mesh moves about its centre of mass") {
    World world({.gravity = {}});
    const ShapeId l = *world.add_shape(SolidMesh{mesh_named("lshape")});
    const BodyId body = *world.add_body({.shape = l, .angular_velocity = {0, 0, 2}, .mass = 3});
    for (int i = 0; i < 100; ++i) world.step(0.01f);
    // The origin lies in the middle of the box around the L, off its centre of mass.
    CHECK(length(world.transform(body).position) > 0.05f);
    CHECK(world.transform(body).orientation.vector().z > 0.5f);
}

TEST_CASE("surfaces are told to become solid meshes; open ones to stay where they are") {
    World world;
    const ShapeId surface = *world.add_shape(MeshSurface{mesh_named("lshape")});
    const auto moving = world.add_body({.shape = surface, .mass = 1});
    REQUIRE_FALSE(moving);
    CHECK(mentions(moving.error().message, "SolidMesh"));

    TriangleMesh open = *mesh_named("bowl");
    open.triangles.pop_back();
    const ShapeId bowl = *world.add_shape(SolidMesh{std::make_shared<const TriangleMesh>(open)});
    const auto hollow = world.add_body({.shape = bowl, .mass = 1});
    REQUIRE_FALSE(hollow);
    CHECK(mentions(hollow.error().message, "not closed"));
    CHECK(world.add_body({.shape = bowl}));
    CHECK(world.add_body({.shape = bowl, .kinematic = true}));
}

TEST_CASE("snapshots of moving meshes go on bit for bit") {
    World world;
    auto hills = std::make_shared<HeightField>(HeightField{4, 4, 2, std::vector<float>(16, 0.5f)});
    REQUIRE(world.add_body({.shape = *world.add_shape(HeightSurface{hills})}));
    const ShapeId knot =
        *world.add_shape(SolidMesh{mesh_named("torusknot"), {SphereMethod::octree, 3, 8}});
    for (int i = 0; i < 3; ++i)
        REQUIRE(world.add_body({.shape = knot,
                                .position = {float(2 * i), 5, 3},
                                .velocity = {1, 0, 0},
                                .angular_velocity = {1, 2, 3},
                                .mass = 1}));
    for (int i = 0; i < 10; ++i) world.step(0.01f);
    const auto bytes = world.snapshot();
    World copy = *World::from_snapshot(bytes);
    CHECK(copy.snapshot() == bytes);
    for (int i = 0; i < 50; ++i) {
        world.step(0.01f);
        copy.step(0.01f);
        REQUIRE(copy.hash() == world.hash());
    }
}

TEST_CASE("solids that start inside a mesh are brought out of it, and calmly") {
    struct Start {
        std::string mesh;
        Vec3 at;
    };
    for (const auto& [name, at] : {Start{"jack", {0.2f, 0, 0}}, Start{"bowl", {0, -0.44f, 0}},
                                   Start{"lshape", {-0.3f, 0.2f, 0}}}) {
        for (const float size : {0.02f, 0.05f}) {
            World world({.gravity = {}});
            const BodyId rock = *world.add_body(
                {.shape = *world.add_shape(SolidMesh{mesh_named(name.c_str())}), .mass = 100});
            const BodyId ball = *world.add_body(
                {.shape = *world.add_shape(Sphere{size}), .position = at, .mass = 0.1f});
            const auto within = [&] {
                ClosestPoint ask{.point = world.transform(ball).position, .distance = 0};
                ask.filter.ignore = ball;
                const auto near = *world.queries().find(ask);
                return near && near->inside;
            };
            REQUIRE(within());
            float fastest = 0;
            for (int i = 0; i < 300; ++i) {
                world.step(1.0f / 60);
                fastest = std::max(fastest, length(world.velocity(ball)));
            }
            INFO(name, " ", size);
            CHECK_FALSE(within());
            // What brings it out is no push: a blow of 1 m/s would be seen.
            CHECK(fastest < 1);
            CHECK(length(world.velocity(rock)) < 0.01f);
        }
    }
}

TEST_CASE("what leaves a mesh from inside is not held by the test of fast bodies") {
    // The ball falls along the skin of the rock, which it meets from inside all the way.
    World world;
    REQUIRE(
        world.add_body({.shape = *world.add_shape(SolidMesh{std::make_shared<const TriangleMesh>(
                            make_procedural("icosphere", 3).value())})}));
    const BodyId ball = *world.add_body(
        {.shape = *world.add_shape(Sphere{0.02f}), .position = {0.3f, 0.05f, 0.1f}, .mass = 0.1f});
    for (int i = 0; i < 120; ++i) world.step(1.0f / 60);
    CHECK(world.transform(ball).position.y < -5); // 19 m of free fall, less what the skin held up
}

TEST_CASE("fine meshes that are found deep in each other part, and do not fly apart") {
    // Triangles of 2 cm know nothing of an overlap ten times as deep.
    constexpr float k_radius = 0.3f;
    const auto mesh = std::make_shared<const TriangleMesh>(make_icosphere(k_radius, 4));
    for (const float overlap : {0.03f, 0.1f, 0.2f, 0.3f}) {
        CAPTURE(overlap);
        World world({.gravity = {}});
        const ShapeId ball = *world.add_shape(SolidMesh{mesh, {SphereMethod::octree, 4, 8}});
        const BodyId a = *world.add_body({.shape = ball, .mass = 1});
        const BodyId b = *world.add_body(
            {.shape = ball, .position = {2 * k_radius - overlap, 0.01f, 0.02f}, .mass = 1});
        for (int i = 0; i < 120; ++i) world.step(1.0f / 60);
        const float apart = length(world.transform(b).position - world.transform(a).position);
        // Their faces lie up to 0.4 mm inside the spheres through their corners.
        CHECK(apart > 2 * k_radius - 0.0008f - SoftStepSettings().slop);
        // Pushed at 3 m/s they had 9 J, of which relaxing leaves next to nothing.
        CHECK(world.energy().kinetic < 0.01);
    }
}
