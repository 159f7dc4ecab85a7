// Bodies that are meshes and move.
#include <doctest/doctest.h>

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
