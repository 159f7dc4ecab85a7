// The smallest complete program: a ball falls on a floor and bounces.
#include <cstdio>

#include "fovea/world/world.h"

int main() {
    fovea::World world({.gravity = {0, -9.81f, 0}});
    const auto floor = world.add_shape(fovea::HalfSpace{{0, 1, 0}, 0});
    const auto ball = world.add_shape(fovea::Sphere{0.5f});
    if (!floor || !ball) return 1;

    // The more elastic of two bodies decides: the ball rebounds from this floor at 0.6 of its
    // speed.
    if (!world.add_body({.shape = *floor, .material = {.elastic = 0.6f}})) return 1;
    const auto body = world.add_body({.shape = *ball, .position = {0, 5, 0}, .mass = 1});
    if (!body) {
        std::fprintf(stderr, "%s\n", body.error().message.c_str());
        return 1;
    }

    for (int frame = 0; frame < 180; ++frame) {
        const fovea::StepReport report = world.step(1.0f / 60);
        if (frame % 15 == 0)
            std::printf("%.2f s  height %.2f m  %s\n", report.time,
                        double(world.transform(*body).position.y), report.hits ? "contact" : "");
    }
}
