// What was recorded happens again; what differs is found at its step.
#include <string>

#include <doctest/doctest.h>

#include "fovea/world/replay.h"
#include "tests/world/random_calls.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_step = 1.0f / 60;
using Bytes = std::vector<std::byte>;
/// Of the entry that ends a recording: its kind, and that no arguments follow.
constexpr std::size_t k_end_size = 2 * sizeof(std::uint32_t);

/// Of 60 steps amid random calls, starting amid a run.
Bytes recorded(std::uint64_t seed, int steps = 60) {
    World world;
    Random random(seed);
    RandomCalls<Random> caller(world, random);
    caller.furnish();
    for (int i = 0; i < 100; ++i) caller.call();
    for (int i = 0; i < 30; ++i) world.step(k_step);
    Bytes recording;
    world.record_to([&](std::span<const std::byte> more) {
        recording.insert(recording.end(), more.begin(), more.end());
    });
    for (int i = 0; i < steps; ++i) {
        for (int k = 0; k < 5; ++k) caller.call();
        world.step(i % 7 == 0 ? 0.5f * k_step : k_step);
    }
    world.record_to({});
    world.step(k_step);
    return recording;
}

struct End {
    Replay::Outcome outcome;
    int steps;
    std::string message;
};

End replayed(std::span<const std::byte> recording, int threads = 1) {
    auto replay = Replay::open(recording, threads);
    if (!replay) return {Replay::Outcome::damaged, 0, replay.error().message};
    int steps = 0;
    while (true) {
        const Replay::Outcome outcome = replay->advance();
        if (outcome != Replay::Outcome::same) return {outcome, steps, replay->message()};
        ++steps;
    }
}

} // namespace

TEST_CASE("a recording replays to the same hashes, on any number of threads") {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const End end = replayed(recorded(seed), int(seed % 4) + 1);
        CHECK_MESSAGE(end.outcome == Replay::Outcome::finished, end.message);
        CHECK(end.steps == 60);
    }
}

TEST_CASE("a replay stops at the first step that differs") {
    const Bytes good = recorded(2);
    // A shorter recording of the same is its beginning, but for the entry that ends it: before
    // that is the hash of its 20th step.
    const std::size_t end_of_20 = recorded(2, 20).size() - k_end_size;
    REQUIRE(std::equal(good.begin(), good.begin() + std::ptrdiff_t(end_of_20),
                       recorded(2, 20).begin()));
    Bytes bad = good;
    bad[end_of_20 - 1] ^= std::byte{1};
    const End end = replayed(bad);
    CHECK(end.outcome == Replay::Outcome::different);
    CHECK(end.steps == 19);
    CHECK(end.message.find("hash") != std::string::npos);
}

TEST_CASE("a recording that is cut short replays up to there") {
    const Bytes good = recorded(4, 20);
    // Within a step, within the end, between the two, and behind it.
    const auto damaged = [](std::span<const std::byte> bytes, int steps, const char* why) {
        const End end = replayed(bytes);
        CHECK(end.outcome == Replay::Outcome::damaged);
        CHECK(end.steps == steps);
        CHECK_MESSAGE(end.message.find(why) != std::string::npos, end.message);
    };
    damaged(std::span(good).first(good.size() - k_end_size - 3), 19, "within an entry");
    damaged(std::span(good).first(good.size() - 3), 20, "within an entry");
    damaged(std::span(good).first(good.size() - k_end_size), 20, "it has no end");
    Bytes longer = good;
    longer.insert(longer.end(), good.end() - std::ptrdiff_t(k_end_size), good.end());
    damaged(longer, 20, "follows the end");
    for (std::size_t size = 0; size < 40; ++size)
        CHECK_FALSE(Replay::open(std::span(good).first(size)));
    Bytes newer = good;
    newer[8] = std::byte{200};
    CHECK(Replay::open(newer).error().message.find("version 200") != std::string::npos);
}

TEST_CASE("altered recordings do no harm") {
    const Bytes good = recorded(6, 6);
    const std::size_t calls = good.size() / 2; // the first half is mostly the snapshot
    Random random(5);
    int different = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        Bytes bad = good;
        bad[calls + random.below(std::uint32_t(good.size() - calls))] =
            std::byte(random.below(256));
        different += replayed(bad).outcome != Replay::Outcome::finished;
    }
    CHECK(different > 100);
}
