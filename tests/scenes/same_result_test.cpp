// The same scene gives the same pairs and the same bits whatever does the work.
#include <algorithm>

#include "fovea/base/simd.h"
#include "running_scene.h"

using namespace fovea;
using namespace fovea::test;

namespace {

struct Example {
    const char* name;
    int count;
};

constexpr Example k_examples[] = {{"pool", 0},     {"brownian", 300},        {"pyramid", 300},
                                  {"table", 0},    {"spinning-cylinder", 0}, {"pools", 200},
                                  {"density", 300}};

} // namespace

TEST_CASE("three broad phases: equal pairs, hits and states for 1,000 frames of every example") {
    for (const Example& example : k_examples) {
        CAPTURE(example.name);
        std::vector<RunningScene> runs;
        for (const auto method :
             {BroadPhaseMethod::brute, BroadPhaseMethod::sweep, BroadPhaseMethod::tree})
            runs.push_back(run_generated(example.name, example.count, 3,
                                         {.broad_phase = method, .response = Response::impulse}));
        std::size_t pairs_seen = 0;
        for (int frame = 0; frame < 1000; ++frame) {
            CAPTURE(frame);
            StepReport reference;
            for (RunningScene& run : runs) {
                const StepReport report = run.world().step(0.01f);
                if (&run == &runs[0]) reference = report;
                REQUIRE(report.hits == reference.hits);
                REQUIRE(std::ranges::equal(run.world().pairs(), runs[0].world().pairs()));
            }
            pairs_seen += reference.pairs;
            REQUIRE(runs[1].world().hash() == runs[0].world().hash());
            REQUIRE(runs[2].world().hash() == runs[0].world().hash());
        }
        CHECK(pairs_seen > 0);
    }
}

TEST_CASE("sweep and prune: swaps are few after the first frame, none when nothing moves") {
    RunningScene run = run_generated("density", 1000);
    run.world().step(0.01f);
    const StepReport later = run.world().step(0.01f);
    CHECK(later.swaps > 0);
    // Sorting 6,000 endpoints from nothing by insertion takes 3 (2n)^2 / 4 = 3 million swaps.
    CHECK(later.swaps < 100'000);

    RunningScene still = run_scene_text("gravity { accel 0,0,0 }"
                                        "sphere { radius 1 mass 1 centre 0,0,0 }"
                                        "sphere { radius 1 mass 1 centre 3,0,0 }"
                                        "sphere { radius 1 mass 1 centre 1,3,0 }");
    still.world().step(0.01f);
    for (int i = 0; i < 10; ++i) CHECK(still.world().step(0.01f).swaps == 0);
}

namespace {
std::uint64_t final_hash(const Example& example, Response response, int threads) {
    RunningScene run =
        run_generated(example.name, example.count, 5, {.response = response, .threads = threads});
#ifdef FOVEA_SANITIZED
    constexpr int k_frames = 40; // what threads share they share in every frame
#else
    constexpr int k_frames = 200;
#endif
    for (int frame = 0; frame < k_frames; ++frame) run.world().step(0.01f);
    return run.world().hash();
}
} // namespace

TEST_CASE("threads do not change a bit") {
    for (const Response response : {Response::impulse, Response::soft_step}) {
        for (const Example& example : k_examples) {
            CAPTURE(example.name);
            const std::uint64_t expected = final_hash(example, response, 1);
            for (const int threads : {2, 3, 4})
                CHECK(final_hash(example, response, threads) == expected);
        }
    }
}

TEST_CASE("instruction sets do not change a bit") {
    for (const Response response : {Response::impulse, Response::soft_step}) {
        for (const Example& example : k_examples) {
            CAPTURE(example.name);
            const std::uint64_t expected = final_hash(example, response, 1);
            for (const SimdTarget& target : simd_targets()) {
                use_simd_target(target);
                CHECK_MESSAGE(final_hash(example, response, 1) == expected, target.name);
            }
            use_best_simd_target();
        }
    }
}
