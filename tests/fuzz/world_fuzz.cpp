// Arbitrary bytes as calls to a world, or as damage to a recording or a snapshot, whichever the
// first byte says. Whatever they do, the world must stay sound: it can be stepped, its state is
// finite, its snapshot goes on as it does, budgets that fit are kept, and its recording replays.
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

template <class Enum>
Enum one_of(Source& source, std::uint32_t count) {
    return Enum(source.below(count));
}

WorldSettings some_settings(Source& source) {
    WorldSettings settings;
    settings.response = source.below(4) == 0 ? Response::impulse : Response::soft_step;
    settings.coarse = {.descent = one_of<DescentPolicy>(source, 2),
                       .reduction = one_of<Reduction>(source, 5),
                       .point = one_of<PointFormula>(source, 3),
                       .nodes = one_of<NodePlacing>(source, 2)};
    ScheduleSettings& schedule = settings.schedule;
    schedule.policy = one_of<SchedulePolicy>(source, k_schedule_policies);
    schedule.drop_undecided = source.below(4) == 0;
    schedule.exact = source.below(4) != 0;
    schedule.recursion_cap = source.below(4) == 0;
    schedule.random_spin = source.below(4) == 0 ? 0.5f : 0;
    return settings;
}

/// A step with a budget in units or against the clock, or without any.
void step(World& world, Source& source) {
    constexpr float h = 1.0f / 60;
    switch (source.below(4)) {
    case 0:
        world.step(h);
        break;
    case 1:
        world.step(h, Budget::milliseconds(source.uniform(0.01, 0.5)));
        break;
    default: {
        const std::uint64_t units = source.take(2) * 4;
        const BudgetReport report = world.step(h, Budget::work(units)).budget;
        require(report.used_units <= units || !report.floor_fits);
    }
    }
}

void make_calls(Source source) {
    World world(some_settings(source));
    std::vector<std::byte> recording;
    world.record_to([&](std::span<const std::byte> more) {
        recording.insert(recording.end(), more.begin(), more.end());
    });
    test::RandomCalls<Source> caller(world, source);
    caller.furnish();
    for (int i = 0; i < 200 && !source.empty(); ++i) {
        caller.call();
        if (source.below(4) == 0) step(world, source);
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

/// Its last step had the budget.
World small_world(const Budget& budget) {
    World world;
    Random random(1);
    test::RandomCalls<Random> caller(world, random);
    caller.furnish();
    for (int i = 0; i < 80; ++i) caller.call();
    for (int i = 0; i < 10; ++i) world.step(1.0f / 60, budget);
    return world;
}

/// Where the source says, from `first` on, in as many bytes, there is something else.
void damage(std::vector<std::byte>& bytes, std::size_t first, std::size_t count, Source& source) {
    while (!source.empty()) bytes[first + source.take(3) % count] = std::byte(source.take(1));
}

void damage_recording(Source source) {
    static std::size_t head = 0;
    static const std::vector<std::byte> good = [] {
        std::vector<std::byte> bytes;
        World world = small_world(Budget::unlimited());
        world.record_to([&](std::span<const std::byte> more) {
            bytes.insert(bytes.end(), more.begin(), more.end());
        });
        head = bytes.size();
        Random random(2);
        test::RandomCalls<Random> caller(world, random);
        for (int i = 0; i < 30; ++i) {
            caller.call();
            world.step(1.0f / 60, i % 3 == 0 ? Budget::unlimited() : Budget::work(5000));
        }
        world.record_to({});
        return bytes;
    }();
    std::vector<std::byte> bad = good;
    damage(bad, head, bad.size() - head, source);
    auto replay = Replay::open(bad);
    require(bool(replay)); // its snapshot is sound
    while (replay->advance() == Replay::Outcome::same) {
    }
}

void damage_snapshot(Source source) {
    // What a snapshot remembers of pairs depends on it.
    static const std::vector<std::byte> good[] = {small_world(Budget::unlimited()).snapshot(),
                                                  small_world(Budget::work(5000)).snapshot()};
    std::vector<std::byte> bad = good[source.below(2)];
    damage(bad, test::k_snapshot_head, bad.size() - test::k_snapshot_head - test::k_snapshot_tail,
           source);
    test::sign_snapshot(bad);
    auto world = World::from_snapshot(bad);
    if (!world) return;
    for (int i = 0; i < 6; ++i) world->step(1.0f / 60, i % 2 ? Budget::work(5000) : Budget());
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
        damage_recording(Source(rest));
        break;
    default:
        damage_snapshot(Source(rest));
    }
    return 0;
}
