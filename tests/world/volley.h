// Bullets and a thin wall: for tests of what happens to fast bodies.
#pragma once

#include <algorithm>
#include <vector>

#include "fovea/world/world.h"

namespace fovea::test {

/// Bullets that fly at a thin wall at x = 0, from x = -4.
struct Volley {
    World world;
    std::vector<BodyId> bullets;

    explicit Volley(int threads)
        : world(settings(threads)) {
        const ShapeId wall = *world.add_shape(Box{{0.01f, 5, 5}});
        (void)*world.add_body({.shape = wall});
        const ShapeId ball = *world.add_shape(Sphere{0.05f});
        for (int i = 0; i < 64; ++i)
            bullets.push_back(
                *world.add_body({.shape = ball,
                                 .position = {-4, 0.5f * float(i % 8), 0.5f * float(i / 8)},
                                 .velocity = {60 + float(i), 0, 0},
                                 .mass = 1}));
    }
    static WorldSettings settings(int threads) {
        WorldSettings settings;
        settings.gravity = {};
        settings.threads = threads;
        return settings;
    }
    float foremost() const {
        float x = -4;
        for (const BodyId bullet : bullets) x = std::max(x, world.transform(bullet).position.x);
        return x;
    }
};

} // namespace fovea::test
