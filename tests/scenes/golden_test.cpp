// The scene library, 1,000 steps each (250 with a budget in work units), ends in the states it has
// always ended in: on any number of threads, with any instruction set, from any compiler. A change
// of the engine that changes results on purpose changes these hashes: the test prints the new ones.
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "fovea/base/simd.h"
#include "running_scene.h"

using namespace fovea;
using namespace fovea::test;

namespace {

struct Golden {
    const char* scene;
    Response response;
    std::uint64_t hash;
    bool large = false;
    std::uint64_t work = 0; ///< units that a step may take; 0: no limit
};

constexpr Golden k_golden[] = {
    {"brownian", Response::impulse, 0x30c35f6d54f3fc7a, true},
    {"brownian", Response::soft_step, 0x469a753dc4f2ccac, true},
    {"pyramid", Response::impulse, 0xb3315fd35e52efeb, true},
    {"pyramid", Response::soft_step, 0x1d43eb2f7baeec47, true},
    {"pools", Response::impulse, 0xe3366daef2a3d6aa, true},
    {"pools", Response::soft_step, 0x1e7ebfc14cc23f8e, true},
    {"table", Response::soft_step, 0x74ade28e3d44b355},
    {"everything", Response::soft_step, 0xe066c1a445bc3a50},
    {"chain", Response::soft_step, 0xc892fafacf3cc36f},
    {"ragdoll", Response::soft_step, 0x59a5b015a3facf79},
    {"concave", Response::soft_step, 0x9193bdf0fd3169ef, true, 100'000},
    {"concave", Response::impulse, 0x687cd5464bff5842, true, 100'000},
    {"lshapes", Response::soft_step, 0x18ee8154a31b2f23, false, 20'000},
    {"flock", Response::soft_step, 0xafd5b940802905be, true, 50'000},
    {"ragdolls", Response::soft_step, 0x4c67e3c99ea6e856, true, 200'000},
    {"plates", Response::soft_step, 0xc9822b80ab48b3a1, false, 20'000},
};

std::uint64_t end_of(const Golden& golden, int threads) {
    const std::string path = fmt::format("{}/scenes/{}.scene", FOVEA_SOURCE_DIR, golden.scene);
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    REQUIRE_MESSAGE(!text.empty(), path);
    RunningScene run =
        run_scene_text(text, {.gyroscopic = true, .response = golden.response, .threads = threads});
    const Budget budget = golden.work > 0 ? Budget::work(golden.work) : Budget::unlimited();
    std::uint64_t cut = 0;
    const int steps = golden.work > 0 ? 250 : 1000;
    for (int step = 0; step < steps; ++step)
        cut += run.world().step(1.0f / 60, budget).budget.pairs_cut;
    CHECK((cut > 0) == (golden.work > 0));
    return run.world().hash();
}

} // namespace

TEST_CASE("the scene library ends as it always did") {
    for (const Golden& golden : k_golden) {
        CAPTURE(std::string(golden.scene));
#ifdef FOVEA_SANITIZED // the larger scenes would take minutes; other tests run them for less
        if (golden.large) continue;
#endif
        const std::uint64_t found = end_of(golden, 1);
        CHECK_MESSAGE(found == golden.hash, fmt::format("found {:#018x}", found));
#ifndef FOVEA_SANITIZED // other tests run on threads there
        for (const int threads : {2, 3, 4}) CHECK(end_of(golden, threads) == found);
        for (const SimdTarget& target : simd_targets()) {
            use_simd_target(target);
            CHECK_MESSAGE(end_of(golden, 1) == found, target.name);
        }
        use_best_simd_target();
#endif
    }
}
