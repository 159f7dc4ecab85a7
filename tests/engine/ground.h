// What the scenes of the full engine share.
#pragma once

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "fovea/world/world.h"

namespace fovea::test {

constexpr float k_frame = 1.0f / 60;

/// A world with a floor at y = 0.
struct Ground {
    World world;
    std::vector<BodyId> bodies;
    std::vector<Vec3> start;

    explicit Ground(const WorldSettings& settings = {.gravity = {0, -9.81f, 0}},
                    const Material& material = {})
        : world(settings) {
        REQUIRE(world.add_body({.shape = shape(HalfSpace{{0, 1, 0}, 0}), .material = material}));
    }
    ShapeId shape(const Shape& s) {
        const auto id = world.add_shape(s);
        REQUIRE(id);
        return *id;
    }
    BodyId add(const BodyDefinition& definition) {
        const auto id = world.add_body(definition);
        REQUIRE(id);
        bodies.push_back(*id);
        start.push_back(definition.position);
        return *id;
    }
    void run(double seconds) {
        for (int i = 0; i < int(std::lround(seconds * 60)); ++i) world.step(k_frame);
    }
    Vec3 position(std::size_t i) const { return world.transform(bodies[i]).position; }
    /// Largest distance of any body from where it started.
    float drift() const {
        float most = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i)
            most = std::max(most, length(position(i) - start[i]));
        return most;
    }
    float deepest() const {
        float most = 0;
        for (const ContactPatch& patch : world.patches())
            for (int i = 0; i < patch.count; ++i)
                most = std::max(most, -patch.points[i].separation);
        return most;
    }
    double energy() const { return world.energy().kinetic + world.energy().potential; }
};

inline Quat turned_about(const Vec3& axis, float angle) {
    return {std::cos(angle / 2), axis * std::sin(angle / 2)};
}

} // namespace fovea::test
