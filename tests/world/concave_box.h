// Concave bodies thrown about in a closed box: the usual scene of tests with a budget.
#pragma once

#include <vector>

#include "fovea/base/random.h"
#include "fovea/geometry/procedural.h"
#include "fovea/world/world.h"

namespace fovea::test {

struct ConcaveBox {
    World world;
    std::vector<BodyId> bodies;

    ConcaveBox(int count, const WorldSettings& settings, float speed = 2, float elastic = 0.3f)
        : world(settings) {
        const auto mesh = [&](TriangleMesh made) {
            return *world.add_shape(
                SolidMesh{std::make_shared<const TriangleMesh>(std::move(made)), {.levels = 3}});
        };
        const ShapeId shapes[] = {
            mesh(make_l_shape(0.5f, 0.2f, 0.2f)), mesh(make_torus(0.3f, 0.1f, 12, 8)),
            *world.add_shape(Box{{0.25f, 0.15f, 0.2f}}), *world.add_shape(Capsule{0.12f, 0.2f})};
        // As many places as bodies, on a grid that fills the box.
        int side = 1;
        while (side * side * side < count) ++side;
        const float half = 0.5f * float(side);
        for (int axis = 0; axis < 3; ++axis)
            for (const float sign : {-1.0f, 1.0f}) {
                Vec3 normal;
                normal[axis] = sign;
                (void)*world.add_body({.shape = *world.add_shape(HalfSpace{normal, -half}),
                                       .material = {.elastic = elastic}});
            }
        Random random(5);
        for (int i = 0; i < count; ++i) {
            const Vec3 cell(float(i % side), float(i / side % side), float(i / side / side));
            bodies.push_back(*world.add_body(
                {.shape = shapes[i % 4],
                 .position = cell - Vec3(half - 0.5f, half - 0.5f, half - 0.5f),
                 .orientation = normalized(Quat(float(random.uniform()), Vec3(random.direction()))),
                 .velocity = Vec3(random.direction() * double(speed)),
                 .angular_velocity = Vec3(random.direction() * double(speed)),
                 .mass = 1,
                 .material = {.elastic = elastic}}));
        }
    }
};

} // namespace fovea::test
