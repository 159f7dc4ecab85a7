// A heap of concave bodies that gets a millisecond a step, spent first near the viewer.
#include <cstdio>
#include <memory>

#include "fovea/geometry/procedural.h"
#include "fovea/world/world.h"

namespace {

/// Jacks over a floor, layer by layer. False if the world refuses any of it.
bool furnish(fovea::World& world) {
    const auto mesh = fovea::make_procedural("jack", 4);
    if (!mesh) return false;
    const auto jack =
        world.add_shape(fovea::SolidMesh{std::make_shared<const fovea::TriangleMesh>(*mesh)});
    const auto floor = world.add_shape(fovea::HalfSpace{{0, 1, 0}, 0});
    if (!jack || !floor || !world.add_body({.shape = *floor})) return false;
    for (int i = 0; i < 147; ++i) {
        const fovea::Vec3 at(float(i % 7), 2 + 2 * float(i / 49), float(i / 7 % 7));
        if (!world.add_body({.shape = *jack, .position = at, .mass = 1})) return false;
    }
    return true;
}

} // namespace

int main() {
    fovea::World world;
    if (!furnish(world)) {
        std::fprintf(stderr, "the scene was refused\n");
        return 1;
    }
    // What is near the viewer is refined first; what there is no time for keeps a coarser answer.
    const fovea::Vec3 eye(3, 2, -4);
    world.set_priority([&](std::span<const fovea::PairView> pairs, std::span<float> importance) {
        for (std::size_t i = 0; i < pairs.size(); ++i)
            importance[i] = pairs[i].radius / length(pairs[i].centre - eye);
    });
    for (int frame = 0; frame < 120; ++frame) {
        const fovea::StepReport report = world.step(1.0f / 60, fovea::Budget::milliseconds(1));
        const fovea::BudgetReport& budget = report.budget;
        if (frame % 15 == 0)
            std::printf(
                "%.2f s  %.2f ms of %.2f  %zu pairs: %u exact, %u apart, %u could climb on\n",
                report.time, report.thread_cpu_ms, budget.asked_ms, std::size_t(report.pairs),
                budget.exact_pairs, budget.pairs_apart, budget.pairs_cut);
    }
}
