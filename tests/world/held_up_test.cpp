// Steps that are held up: contacts are modelled by fewer hits, the response ends after fewer
// sub-steps, and swept tests in time; they say so, and replay alike.
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <optional>
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

/// Threads that begin meanwhile are never held up.
class OthersSpared {
  public:
    OthersSpared() { mask(SIG_BLOCK); }
    ~OthersSpared() { mask(SIG_UNBLOCK); }
    OthersSpared(const OthersSpared&) = delete;
    OthersSpared& operator=(const OthersSpared&) = delete;

  private:
    static void mask(int how) {
        sigset_t alarm;
        sigemptyset(&alarm);
        sigaddset(&alarm, SIGALRM);
        pthread_sigmask(how, &alarm, nullptr);
    }
};

/// Takes the calling thread away for a while, again and again, wherever it is.
class HoldUps {
  public:
    HoldUps(double every, double seconds) {
        s_seconds = seconds;
        std::signal(SIGALRM, [](int) {
            const double end = wall_seconds() + s_seconds;
            while (wall_seconds() < end) {
            }
        });
        const timeval period{time_t(every), suseconds_t((every - double(time_t(every))) * 1e6) + 1};
        const itimerval timer{period, period};
        setitimer(ITIMER_REAL, &timer, nullptr);
    }
    ~HoldUps() {
        const itimerval off{};
        setitimer(ITIMER_REAL, &off, nullptr);
        std::signal(SIGALRM, SIG_IGN);
    }
    HoldUps(const HoldUps&) = delete;
    HoldUps& operator=(const HoldUps&) = delete;

  private:
    static inline double s_seconds = 0;
};

/// Seconds that a step takes on this machine, by the clock, with all the time it wants.
double usual_seconds(World& world) {
    std::vector<double> taken;
    for (int i = 0; i < 70; ++i)
        taken.push_back(world.step(k_step, Budget::milliseconds(1e6)).wall_ms * 1e-3);
    std::ranges::sort(taken);
    return taken[taken.size() / 2];
}

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

TEST_CASE("no step with time to spare is brief or short") {
    for (const float share : {0.0f, 0.9f}) {
        WorldSettings settings;
        settings.schedule.detection_share = share;
        ConcaveBox scene(27, settings, 3);
        for (int i = 0; i < 60; ++i) {
            const BudgetReport report = scene.world.step(k_step, Budget::milliseconds(1e6)).budget;
            CHECK(report.pairs_brief == 0);
            CHECK(report.time_left_out_ms == 0);
        }
    }
}

TEST_CASE("contacts that were modelled briefly still answer their pairs") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        ConcaveBox scene(27, {.gravity = {}, .response = response}, 3);
        std::uint64_t asked = 0, hits = 0, brief_hits = 0;
        int different = 0;
        for (int i = 0; i < 60; ++i) {
            World brief = *World::from_snapshot(scene.world.snapshot());
            const double energy = brief.energy().kinetic;
            hits += scene.world.step(k_step, k_ample).hits;
            StepCut cut = scene.world.cut();
            CHECK(cut.brief.empty());
            for (std::uint32_t pair = 0; pair < 1000; ++pair) cut.brief.push_back(pair);
            const StepReport report = brief.step(k_step, cut);
            asked += report.budget.pairs_brief;
            brief_hits += report.hits;
            CHECK(brief.energy().kinetic <= energy * (1 + 1e-5));
            different += brief.hash() != scene.world.hash();
        }
        CHECK(asked > 0);
        CHECK(different > 10);
        // Few hits may miss where bodies hardly touch, but seldom do.
        CHECK(brief_hits >= hits * 95 / 100);
        CHECK(brief_hits <= hits);
    }
}

TEST_CASE("what holds up a step makes it brief or ends it early, and replays to the same hashes") {
    for (const int threads : {1, 2}) {
        std::optional<ConcaveBox> scene;
        {
            // Crowded, and never at rest.
            const OthersSpared spared;
            scene.emplace(64, WorldSettings{.gravity = {}, .threads = threads}, 2, 1);
        }
        World& world = scene->world;
        const double usual = usual_seconds(world);
        std::vector<std::byte> recording;
        world.record_to([&](std::span<const std::byte> more) {
            recording.insert(recording.end(), more.begin(), more.end());
        });
        // Rare enough for prices to take no notice; each is more than a budget has to spare.
        int ended = 0, brief = 0;
        const double start = wall_seconds();
        {
            const HoldUps hold_ups(40 * usual, 1.5 * usual);
            while ((ended < 3 || brief < 3) && wall_seconds() < start + 60) {
                const Budget budget = Budget::milliseconds(1.6e3 * usual);
                const BudgetReport report = world.step(k_step, budget).budget;
                ended += report.time_left_out_ms > 0;
                brief += report.pairs_brief > 0;
            }
        }
        CHECK(ended >= 3);
        CHECK(brief >= 3);
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

TEST_CASE("counted budgets make no step brief or short, nor do steps without a reservation") {
    WorldSettings settings;
    settings.schedule.reserve_response = false;
    ConcaveBox open(27, settings, 3), counted(27, {}, 3);
    const double usual = usual_seconds(open.world);
    const HoldUps hold_ups(3 * usual, usual);
    for (int i = 0; i < 100; ++i) {
        const Budget time = Budget::milliseconds(1.2e3 * usual);
        for (const BudgetReport& report :
             {open.world.step(k_step, time).budget,
              counted.world.step(k_step, Budget::work(60'000)).budget}) {
            CHECK(report.time_left_out_ms == 0);
            CHECK(report.pairs_brief == 0);
        }
    }
}

TEST_CASE("swept tests that took too long keep no later ones from being made") {
    // A rough surface of 180,000 triangles, and boxes that skim over it.
    constexpr std::uint32_t k_side = 300;
    TriangleMesh mesh;
    for (std::uint32_t j = 0; j <= k_side; ++j)
        for (std::uint32_t i = 0; i <= k_side; ++i)
            mesh.vertices.push_back(
                {0.02f * float(i) - 3, 0.004f * float((i * 7 + j * 13) % 5), 0.02f * float(j) - 3});
    for (std::uint32_t j = 0; j < k_side; ++j)
        for (std::uint32_t i = 0; i < k_side; ++i) {
            const std::uint32_t a = j * (k_side + 1) + i, b = a + k_side + 1;
            mesh.triangles.push_back({a, b, a + 1});
            mesh.triangles.push_back({a + 1, b, b + 1});
        }
    World world;
    const auto add = [&](const Shape& shape, const Vec3& at, float mass) {
        return *world.add_body({.shape = *world.add_shape(shape), .position = at, .mass = mass});
    };
    add(MeshSurface{std::make_shared<const TriangleMesh>(mesh)}, {}, 0);
    add(Box{{0.01f, 5, 5}}, {100, 0, 0}, 0);
    const BodyId ball = add(Sphere{0.1f}, {50, 50, 50}, 1);
    const BodyId box = add(Box{{0.6f, 0.2f, 0.6f}}, {}, 1);
    constexpr double k_budget_ms = 2;
    std::uint32_t late = 0;
    for (int i = 0; i < 80; ++i) {
        (void)world.set_transform(box, {{0, 0.215f, -2}, {}});
        (void)world.set_velocity(box, {0, -1, 200}, {});
        (void)world.set_velocity(ball, {}, {});
        late += world.step(k_step, Budget::milliseconds(k_budget_ms)).budget.sweeps_left_out;
    }
    CHECK(late > 0);
    (void)world.remove_body(box);
    // A ball against a box is cheap.
    late = 0;
    std::uint64_t stopped = 0;
    for (int i = 0; i < 20; ++i) {
        (void)world.set_transform(ball, {{98.5f, 0, 0}, {}});
        (void)world.set_velocity(ball, {120, 0, 0}, {});
        const StepReport report = world.step(k_step, Budget::milliseconds(k_budget_ms / 2));
        late += report.budget.sweeps_left_out;
        stopped += report.stopped_short;
    }
    // All but those that the machine itself held up.
    CHECK(late <= 2);
    CHECK(stopped >= 18);
}
