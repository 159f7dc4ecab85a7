// Two bodies thrown at each other in empty space.
#pragma once

#include "fovea/base/random.h"
#include "fovea/geometry/procedural.h"
#include "fovea/world/world.h"

namespace fovea::test {

inline WorldSettings weightless(Response response = Response::soft_step) {
    WorldSettings settings;
    settings.gravity = {};
    settings.response = response;
    settings.sleep.enabled = false;
    return settings;
}

/// Two bodies thrown at each other, each pair of them its own way.
struct Impact {
    World world;
    BodyId a, b;
    float mass_a, mass_b;

    Impact(Random& random, Response response, float elastic, TriangleMesh mesh)
        : Impact(random, weightless(response), elastic, std::move(mesh)) {}

    Impact(Random& random, const WorldSettings& settings, float elastic, TriangleMesh mesh,
           double most_spin = 2)
        : world(settings) {
        const ShapeId shape = *world.add_shape(
            SolidMesh{std::make_shared<const TriangleMesh>(std::move(mesh)), {.levels = 3}});
        mass_a = float(random.uniform(0.5, 2)), mass_b = float(random.uniform(0.5, 2));
        const auto add = [&](float side, float mass) {
            const Vec3 offset(0, float(random.uniform(-0.2, 0.2)),
                              float(random.uniform(-0.2, 0.2)));
            return *world.add_body(
                {.shape = shape,
                 .position = Vec3(side * 0.45f, 0, 0) + offset,
                 .orientation = normalized(Quat(float(random.uniform()), Vec3(random.direction()))),
                 .velocity = Vec3(-side * float(random.uniform(0.5, 3)), 0, 0),
                 .angular_velocity = Vec3(random.direction() * random.uniform(0, most_spin)),
                 .mass = mass,
                 .material = {.elastic = elastic}});
        };
        a = add(-1, mass_a), b = add(1, mass_b);
    }

    Vec3d momentum() const {
        return Vec3d(world.velocity(a)) * double(mass_a) +
               Vec3d(world.velocity(b)) * double(mass_b);
    }
};

} // namespace fovea::test
