// Arbitrary bytes as calls to a world, as a recording, or as damage to a snapshot, whichever the
// first byte says. Whatever they do, the world must stay sound: it can be stepped, its state is
// finite, its snapshot goes on as it does, and its recording replays.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "fovea/world/replay.h"
#include "tests/world/random_calls.h"
#include "tests/world/signed_snapshot.h"

using namespace fovea;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

/// Numbers from bytes; 0 after their end.
class Source {
  public:
    explicit Source(std::span<const std::uint8_t> bytes)
        : bytes_(bytes) {}
    bool empty() const { return bytes_.empty(); }
    std::uint32_t take(int count) {
        std::uint32_t value = 0;
        for (int i = 0; i < count && !bytes_.empty(); ++i) {
            value = value << 8 | bytes_.front();
            bytes_ = bytes_.subspan(1);
        }
        return value;
    }
    std::uint32_t below(std::uint32_t count) { return take(count > 256 ? 4 : 1) % count; }
    double uniform(double low, double high) { return low + (high - low) * take(2) / 65535.0; }

  private:
    std::span<const std::uint8_t> bytes_;
};

void check_sound(World& world) {
    for (int i = 0; i < 2; ++i) world.step(1.0f / 60);
    const Energy energy = world.energy();
    require(!std::isnan(energy.kinetic) && !std::isnan(energy.potential));
    auto copy = World::from_snapshot(world.snapshot());
    require(bool(copy));
    require(copy->hash() == world.hash());
    copy->step(1.0f / 60);
    world.step(1.0f / 60);
    require(copy->hash() == world.hash());
}

void make_calls(Source source) {
    World world({.response = source.below(4) == 0 ? Response::impulse : Response::soft_step});
    std::vector<std::byte> recording;
    world.record_to([&](std::span<const std::byte> more) {
        recording.insert(recording.end(), more.begin(), more.end());
    });
    test::RandomCalls<Source> caller(world, source);
    caller.furnish();
    for (int i = 0; i < 200 && !source.empty(); ++i) {
        caller.call();
        if (source.below(4) == 0) world.step(1.0f / 60);
    }
    world.record_to({});
    auto replay = Replay::open(recording);
    require(bool(replay));
    while (replay->advance() == Replay::Outcome::same) {
    }
    require(replay->advance() == Replay::Outcome::finished);
    require(replay->world().hash() == world.hash());
    check_sound(world);
}

World small_world() {
    World world;
    Random random(1);
    test::RandomCalls<Random> caller(world, random);
    caller.furnish();
    for (int i = 0; i < 80; ++i) caller.call();
    for (int i = 0; i < 10; ++i) world.step(1.0f / 60);
    return world;
}

void play(std::span<const std::uint8_t> entries) {
    static const std::vector<std::byte> start = [] {
        std::vector<std::byte> bytes;
        World world = small_world();
        world.record_to([&](std::span<const std::byte> more) {
            bytes.insert(bytes.end(), more.begin(), more.end());
        });
        return bytes;
    }();
    std::vector<std::byte> recording = start;
    const auto more = std::as_bytes(entries);
    recording.insert(recording.end(), more.begin(), more.end());
    auto replay = Replay::open(recording);
    require(bool(replay));
    for (int i = 0; i < 50 && replay->advance() == Replay::Outcome::same; ++i) {
    }
}

void damage(Source source) {
    static const std::vector<std::byte> good = small_world().snapshot();
    std::vector<std::byte> bad = good;
    const std::size_t content = bad.size() - test::k_snapshot_head - test::k_snapshot_tail;
    while (!source.empty())
        bad[test::k_snapshot_head + source.take(3) % content] = std::byte(source.take(1));
    test::sign_snapshot(bad);
    auto world = World::from_snapshot(bad);
    if (!world) return;
    for (int i = 0; i < 3; ++i) world->step(1.0f / 60);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0 || size > 4096) return 0;
    const std::span<const std::uint8_t> rest(data + 1, size - 1);
    switch (data[0] % 3) {
    case 0:
        make_calls(Source(rest));
        break;
    case 1:
        play(rest);
        break;
    default:
        damage(Source(rest));
    }
    return 0;
}
