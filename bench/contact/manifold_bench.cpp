// Time per manifold, single thread, with warm caches: pairs near contact in slow motion.
#include <benchmark/benchmark.h>

#include "bench/contact/coherent_pairs.h"
#include "fovea/contact/collide_convex.h"
#include "fovea/contact/recycle.h"

using namespace fovea;
using namespace fovea::bench;

namespace {

constexpr double k_speed = 1e-3; ///< metres and radians per step

Shape ball(Random& random) {
    return Sphere{float(random.uniform(0.3, 0.6))};
}
Shape cube(Random&) {
    return Box{{0.5f, 0.5f, 0.5f}};
}
Shape brick(Random& random) {
    const auto length = [&] { return float(random.uniform(0.2, 0.6)); };
    return Box{{length(), length(), length()}};
}
template <int points>
Shape rock(Random& random) {
    return ball_hull<points>(random);
}
Shape barrel(Random&) {
    return Cylinder{0.4f, 0.5f};
}
Shape pill(Random&) {
    return Capsule{0.3f, 0.4f};
}
Shape pile(Random&) {
    return Cone{0.5f, 0.5f};
}

void run(benchmark::State& state, std::vector<DriftingPair> pairs, bool warm) {
    std::size_t i = 0;
    std::int64_t points = 0;
    for (auto _ : state) {
        DriftingPair& p = pairs[i++ % k_pairs];
        p.step();
        if (!warm) p.cache = {};
        const Manifold m = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, p.cache);
        benchmark::DoNotOptimize(m);
        points += m.count;
    }
    state.counters["points"] = double(points) / double(state.iterations());
}

template <auto make_a, auto make_b>
void touching(benchmark::State& state) {
    run(state, drifting_pairs(make_a, make_b, -0.02f, 0, k_speed), true);
}
template <auto make_a, auto make_b>
void cold(benchmark::State& state) {
    run(state, drifting_pairs(make_a, make_b, -0.02f, 0, k_speed), false);
}
template <auto make_a, auto make_b>
void just_apart(benchmark::State& state) {
    run(state, drifting_pairs(make_a, make_b, 0, k_margin, k_speed), true);
}
template <auto make_a, auto make_b>
void beyond_margin(benchmark::State& state) {
    run(state, drifting_pairs(make_a, make_b, 0.05f, 0.2f, k_speed), true);
}

void motion_alone(benchmark::State& state) {
    auto pairs = drifting_pairs(cube, cube, -0.02f, 0, k_speed);
    std::size_t i = 0;
    for (auto _ : state) {
        DriftingPair& p = pairs[i++ % k_pairs];
        p.step();
        benchmark::DoNotOptimize(p.at_b);
    }
}

void stack_of_boxes(benchmark::State& state) {
    run(state, stacked_boxes(k_speed), true);
}

/// What a resting pair costs: the check, and the manifold in world space.
void recycled(benchmark::State& state) {
    auto pairs = stacked_boxes(1e-5);
    for (DriftingPair& p : pairs)
        p.manifold = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, p.cache);
    std::size_t i = 0;
    for (auto _ : state) {
        DriftingPair& p = pairs[i++ % k_pairs];
        p.step();
        WorldManifold world;
        if (!recycle(p.manifold, p.cache, p.at_a, p.at_b, RecycleLimits{}, world))
            state.SkipWithError("moved too far");
        benchmark::DoNotOptimize(world);
    }
}

} // namespace

BENCHMARK(motion_alone);
BENCHMARK(touching<ball, ball>);
BENCHMARK(touching<cube, ball>);
BENCHMARK(touching<rock<16>, ball>);
BENCHMARK(touching<pill, pill>);
BENCHMARK(touching<cube, pill>);
BENCHMARK(touching<rock<16>, pill>);
BENCHMARK(stack_of_boxes);
BENCHMARK(recycled);
BENCHMARK(touching<cube, cube>);
BENCHMARK(touching<brick, brick>);
BENCHMARK(cold<cube, cube>);
BENCHMARK(just_apart<cube, cube>);
BENCHMARK(beyond_margin<cube, cube>);
BENCHMARK(touching<rock<16>, rock<16>>);
BENCHMARK(cold<rock<16>, rock<16>>);
BENCHMARK(just_apart<rock<16>, rock<16>>);
BENCHMARK(beyond_margin<rock<16>, rock<16>>);
BENCHMARK(touching<rock<30>, rock<30>>);
BENCHMARK(touching<cube, rock<16>>);
BENCHMARK(touching<barrel, cube>);
BENCHMARK(beyond_margin<barrel, cube>);
BENCHMARK(touching<barrel, barrel>);
BENCHMARK(touching<pile, cube>);
BENCHMARK_MAIN();
