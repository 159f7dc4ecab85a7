// Solids on a sheet that a test waves.
#pragma once

#include <doctest/doctest.h>

#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/procedural.h"
#include "fovea/world/world.h"
#include "waving_sheet.h"

namespace fovea {

constexpr float k_h = 1.0f / 60;

inline std::shared_ptr<const TriangleMesh> shared(TriangleMesh mesh) {
    return std::make_shared<const TriangleMesh>(std::move(mesh));
}

inline BodyId add_sheet(World& world, const TriangleMesh& mesh) {
    const ShapeId shape = *world.add_shape(DeformingMesh{shared(mesh)});
    return *world.add_body({.shape = shape, .material = {.friction = 0.8f}});
}

inline BodyId add_solid(World& world, const Shape& shape, const Vec3& at, float mass = 1) {
    return *world.add_body({.shape = *world.add_shape(shape),
                            .position = at,
                            .mass = mass,
                            .material = {.friction = 0.8f}});
}

/// One of each kind of solid, about half a metre across.
inline std::vector<Shape> all_solids() {
    std::vector<Shape> solids = {Sphere{0.25f}, Box{{0.25f, 0.2f, 0.25f}}, Capsule{0.2f, 0.15f},
                                 Cylinder{0.25f, 0.2f}, Cone{0.3f, 0.25f}};
    const Vec3 corners[] = {{0.3f, -0.2f, 0},
                            {-0.2f, -0.2f, 0.3f},
                            {-0.2f, -0.2f, -0.3f},
                            {0.2f, 0.2f, 0.1f},
                            {-0.2f, 0.2f, 0}};
    solids.push_back(Hull{std::make_shared<const ConvexHull>(*make_convex_hull(corners))});
    auto dumbbell = std::make_shared<Compound>();
    dumbbell->parts = {{Sphere{0.2f}, Transform(Vec3(-0.25f, 0, 0))},
                       {Box{{0.2f, 0.2f, 0.2f}}, Transform(Vec3(0.25f, 0, 0))}};
    solids.push_back(CompoundShape{std::move(dumbbell)});
    solids.push_back(
        SolidMesh{shared(make_l_shape(0.7f, 0.3f, 0.4f)), {SphereMethod::octree, 3, 8}});
    return solids;
}

/// A world of solids over a waving sheet.
struct Wave {
    World world;
    TriangleMesh flat = flat_sheet(24, 12);
    BodyId sheet;
    std::vector<BodyId> bodies;
    int steps = 0;

    explicit Wave(const WorldSettings& settings = {})
        : world(settings) {
        sheet = add_sheet(world, flat);
        int i = 0;
        for (const Shape& solid : all_solids()) {
            bodies.push_back(
                add_solid(world, solid, {float(i % 3) * 2 - 2, 0.8f, float(i / 3) * 2 - 2}));
            ++i;
        }
    }
    StepReport step(const Budget& budget = Budget::unlimited()) {
        ++steps;
        REQUIRE(world.set_vertices(sheet, waved(flat, float(steps) * k_h)));
        return world.step(k_h, budget);
    }
};

} // namespace fovea
