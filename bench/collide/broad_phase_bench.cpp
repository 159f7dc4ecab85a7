// Broad phases at constant density: how the time of a step grows with the number of bodies.
//
// Spheres of diameter 0.3 m, ten per cubic metre, fly with normally distributed velocities (1 m/s
// per axis) in a cube with reflecting walls; h = 0.01 s. One iteration is one update; moving the
// spheres is not timed. The big-O line fits the growth over all sizes; swaps, tests and pairs are
// means per step.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/collide/sweep_broad_phase.h"

namespace fovea {
namespace {

class Gas {
  public:
    explicit Gas(std::uint32_t count)
        : edge_(std::cbrt(count / 10.0)) {
        Random random(1);
        for (std::uint32_t i = 0; i < count; ++i) {
            positions_.emplace_back(random.uniform(0, edge_), random.uniform(0, edge_),
                                    random.uniform(0, edge_));
            velocities_.emplace_back(random.gaussian(), random.gaussian(), random.gaussian());
        }
        boxes.resize(count);
        advance(0);
    }

    void advance(double h) {
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                double& x = positions_[i][axis];
                double& v = velocities_[i][axis];
                x += h * v;
                if ((x < 0 && v < 0) || (x > edge_ && v > 0)) v = -v;
            }
            constexpr float k_radius = 0.15f;
            boxes[i] = expanded({Vec3(positions_[i]), Vec3(positions_[i])}, k_radius);
        }
    }

    std::vector<Aabb> boxes;

  private:
    double edge_;
    std::vector<Vec3d> positions_, velocities_;
};

void run(benchmark::State& state, std::unique_ptr<BroadPhase> phase) {
    const auto count = std::uint32_t(state.range(0));
    Gas gas(count);
    for (std::uint32_t i = 0; i < count; ++i) phase->add(i, gas.boxes[i], false);
    phase->update(gas.boxes, Jobs()); // the first step sorts; it is measured by `first`
    double swaps = 0, tests = 0, pairs = 0;
    for (auto _ : state) {
        state.PauseTiming();
        gas.advance(0.01);
        state.ResumeTiming();
        phase->update(gas.boxes, Jobs());
        swaps += double(phase->counters().swaps);
        tests += double(phase->counters().tests);
        pairs += double(phase->pairs().size());
    }
    using benchmark::Counter;
    state.counters["swaps"] = Counter(swaps, Counter::kAvgIterations);
    state.counters["tests"] = Counter(tests, Counter::kAvgIterations);
    state.counters["pairs"] = Counter(pairs, Counter::kAvgIterations);
    state.SetComplexityN(state.range(0));
}

void brute(benchmark::State& state) {
    run(state, make_broad_phase(BroadPhaseMethod::brute));
}

void sweep(benchmark::State& state) {
    run(state, make_broad_phase(BroadPhaseMethod::sweep));
}

void plain_sweep(benchmark::State& state) {
    run(state, std::make_unique<SweepBroadPhase>(SweepSettings{.regions = false}));
}

void tree(benchmark::State& state) {
    run(state, make_broad_phase(BroadPhaseMethod::tree));
}

/// The first step, in which everything is new.
void first(benchmark::State& state, const SweepSettings& settings) {
    const auto count = std::uint32_t(state.range(0));
    const Gas gas(count);
    for (auto _ : state) {
        state.PauseTiming();
        SweepBroadPhase phase(settings);
        for (std::uint32_t i = 0; i < count; ++i) phase.add(i, gas.boxes[i], false);
        state.ResumeTiming();
        phase.update(gas.boxes, Jobs());
        state.counters["swaps"] = double(phase.counters().swaps);
    }
    state.SetComplexityN(state.range(0));
}

void sizes(benchmark::internal::Benchmark* benchmark) {
    for (const int n : {1000, 2000, 5000, 10000, 20000}) benchmark->Arg(n);
    benchmark->Unit(benchmark::kMillisecond)->Complexity();
}

BENCHMARK(sweep)->Apply(sizes);
BENCHMARK(plain_sweep)->Apply(sizes);
BENCHMARK(tree)->Apply(sizes);
BENCHMARK(brute)->Apply(sizes);
BENCHMARK_CAPTURE(first, presorted, SweepSettings{})->Apply(sizes);
BENCHMARK_CAPTURE(first, inserted, SweepSettings{.regions = false, .presort = false})->Apply(sizes);

} // namespace
} // namespace fovea

BENCHMARK_MAIN();
