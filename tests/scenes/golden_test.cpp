// The scene library, 1,000 steps each, ends in the states it has always ended in: on any number of
// threads, with any instruction set, from any compiler. A change of the engine that changes results
// on purpose changes these hashes: the test prints the new ones.
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
};

constexpr Golden k_golden[] = {
    {"brownian", Response::impulse, 0x30c35f6d54f3fc7a, true},
    {"brownian", Response::soft_step, 0x870cb57141b68d73, true},
    {"pyramid", Response::impulse, 0xb3315fd35e52efeb, true},
    {"pyramid", Response::soft_step, 0x50687686d1c31bcb, true},
    {"pools", Response::impulse, 0xe3366daef2a3d6aa, true},
    {"pools", Response::soft_step, 0x5b83b0f6102cd94a, true},
    {"table", Response::soft_step, 0x9899d0f0f669c645},
    {"everything", Response::soft_step, 0x8d2566c09c68d63f},
    {"chain", Response::soft_step, 0xc892fafacf3cc36f},
    {"ragdoll", Response::soft_step, 0x5ea5e9bbabf1b5e9},
};

std::uint64_t end_of(const Golden& golden, int threads) {
    const std::string path = fmt::format("{}/scenes/{}.scene", FOVEA_SOURCE_DIR, golden.scene);
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    REQUIRE_MESSAGE(!text.empty(), path);
    RunningScene run =
        run_scene_text(text, {.gyroscopic = true, .response = golden.response, .threads = threads});
    for (int step = 0; step < 1000; ++step) run.world().step(1.0f / 60);
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
