// Steps whose response is held up: they end after fewer sub-steps, say so, and replay alike.
#include <doctest/doctest.h>

#include <csignal>
#include <sys/time.h>

#include "fovea/base/clock.h"
#include "fovea/world/replay.h"
#include "tests/world/concave_box.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_step = 1.0f / 64; // eight sub-steps of exactly 1/512 s
const Budget k_ample = Budget::work(1ull << 40);

/// A ball in free flight, beside a crowd.
struct Scene {
    ConcaveBox crowd;
    BodyId ball;

    explicit Scene(int threads = 1)
        : crowd(27, {.threads = threads}, 3)
        , ball(*crowd.world.add_body({.shape = *crowd.world.add_shape(Sphere{0.1f}),
                                      .position = {0, 100, 0},
                                      .velocity = {2, 0, 0},
                                      .mass = 1,
                                      .filter = {.categories = 2, .mask = 2}})) {}
};

/// Takes the stepping thread away for a while, again and again, wherever it is.
class HoldUps {
  public:
    HoldUps(int every_us, double seconds) {
        s_seconds = seconds;
        std::signal(SIGALRM, [](int) {
            const double end = wall_seconds() + s_seconds;
            while (wall_seconds() < end) {
            }
        });
        const itimerval timer{{0, every_us}, {0, every_us}};
        setitimer(ITIMER_REAL, &timer, nullptr);
    }
    ~HoldUps() {
        const itimerval off{};
        setitimer(ITIMER_REAL, &off, nullptr);
        std::signal(SIGALRM, SIG_DFL);
    }
    HoldUps(const HoldUps&) = delete;
    HoldUps& operator=(const HoldUps&) = delete;

  private:
    static inline double s_seconds = 0;
};

} // namespace

TEST_CASE("a world whose step was ended early went on for the sub-steps that were done") {
    for (const int threads : {1, 3}) {
        Scene whole(threads), ended(threads);
        World& world = ended.crowd.world;
        whole.crowd.world.step(k_step, k_ample);
        StepCut cut = whole.crowd.world.cut();
        cut.solved = 3;
        const StepReport report = world.step(k_step, cut);
        CHECK(report.budget.time_left_out_ms == doctest::Approx(k_step * 1e3 * 5 / 8));
        CHECK(report.time == double(k_step) * 3 / 8);
        CHECK(world.time() == report.time);
        CHECK(world.transform(ended.ball).position.x == doctest::Approx(2 * k_step * 3 / 8));
        CHECK(world.velocity(ended.ball).y == doctest::Approx(-9.8 * k_step * 3 / 8));
        CHECK(world.cut().solved == 3);
        // The next step has all its time again.
        CHECK(world.step(k_step, k_ample).budget.time_left_out_ms == 0);
        CHECK(world.cut().solved == StepCut::k_all_sub_steps);
    }
}

TEST_CASE("a cut that makes no sense still does one sub-step") {
    for (const bool limited : {false, true}) {
        Scene scene;
        StepCut cut;
        cut.limited = limited;
        cut.plan = {0, 8, 4};
        cut.solved = 0;
        const StepReport report = scene.crowd.world.step(k_step, cut);
        CHECK(report.time == (limited ? double(k_step) / 8 : double(k_step)));
    }
}

TEST_CASE("what holds up the response ends it early, and replays to the same hashes") {
    for (const int threads : {1, 2}) {
        Scene scene(threads);
        World& world = scene.crowd.world;
        // The machine teaches its prices first.
        for (int i = 0; i < 80; ++i) world.step(k_step, Budget::milliseconds(20));
        std::vector<std::byte> recording;
        world.record_to([&](std::span<const std::byte> more) {
            recording.insert(recording.end(), more.begin(), more.end());
        });
        int ended = 0, steps = 0;
        {
            const HoldUps hold_ups(3'000, 0.002);
            for (; ended < 3 && steps < 20'000; ++steps) {
                const BudgetReport report =
                    world.step(k_step, Budget::milliseconds(0.5 + 0.1 * (steps % 10))).budget;
                if (report.time_left_out_ms > 0) ++ended;
            }
        }
        CHECK(ended == 3);
        world.record_to({});
        auto replay = Replay::open(recording, 3 - threads);
        REQUIRE(replay);
        while (replay->advance() == Replay::Outcome::same) {
        }
        CHECK_MESSAGE(replay->advance() == Replay::Outcome::finished, replay->message());
        CHECK(replay->world().hash() == world.hash());
        CHECK(replay->world().time() == world.time());
    }
}

TEST_CASE("counted budgets end no step early, nor do steps without a reservation") {
    WorldSettings settings;
    settings.schedule.reserve_response = false;
    ConcaveBox open(27, settings, 3), counted(27, {}, 3);
    const HoldUps hold_ups(3'000, 0.002);
    for (int i = 0; i < 200; ++i) {
        CHECK(open.world.step(k_step, Budget::milliseconds(0.5)).budget.time_left_out_ms == 0);
        CHECK(counted.world.step(k_step, Budget::work(60'000)).budget.time_left_out_ms == 0);
    }
}
