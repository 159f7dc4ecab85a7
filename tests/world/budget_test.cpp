// Steps with a budget: what is cut, what is not, and that the same cut gives the same bits.
#include <doctest/doctest.h>

#include <cfenv>
#include <map>
#include <set>
#include <tuple>

#include "fovea/world/replay.h"
#include "tests/world/concave_box.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_step = 1.0f / 60;
constexpr int k_bodies = 27;

WorldSettings with_policy(SchedulePolicy policy, int threads = 1,
                          Response response = Response::soft_step) {
    WorldSettings settings;
    settings.response = response;
    settings.schedule.policy = policy;
    settings.threads = threads;
    return settings;
}

std::uint64_t hash_after(ConcaveBox scene, int steps, const Budget& budget) {
    for (int i = 0; i < steps; ++i) scene.world.step(k_step, budget);
    return scene.world.hash();
}

/// A scene in which many pairs are near each other, and the snapshot of it.
const std::vector<std::byte>& crowd(Response response = Response::soft_step) {
    const auto make = [](Response of) {
        ConcaveBox scene(k_bodies, with_policy(SchedulePolicy::sorted, 1, of), 3);
        for (int i = 0; i < 45; ++i) scene.world.step(k_step, Budget::work(60000));
        return scene.world.snapshot();
    };
    static const std::vector<std::byte> soft = make(Response::soft_step);
    static const std::vector<std::byte> blows = make(Response::impulse);
    return response == Response::impulse ? blows : soft;
}

} // namespace

TEST_CASE("an ample budget in work units gives the bits of none at all") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        const auto scene = [&] {
            return ConcaveBox(k_bodies, with_policy(SchedulePolicy::sorted, 1, response), 3);
        };
        ConcaveBox free = scene(), ample = scene();
        for (int i = 0; i < 120; ++i) {
            free.world.step(k_step);
            const StepReport report = ample.world.step(k_step, Budget::work(1ull << 40));
            REQUIRE(report.budget.pairs_cut == 0);
            REQUIRE(ample.world.hash() == free.world.hash());
        }
    }
}

TEST_CASE("the same bits under work budgets for any number of threads and any policy") {
    for (std::uint32_t policy = 0; policy < k_schedule_policies; ++policy) {
        CAPTURE(policy);
        const auto run = [&](int threads) {
            return hash_after(ConcaveBox(64, with_policy(SchedulePolicy(policy), threads), 3), 40,
                              Budget::work(500000));
        };
        const std::uint64_t one = run(1);
        CHECK(run(2) == one);
        CHECK(run(4) == one);
    }
}

TEST_CASE("policies differ in what they refine") {
    std::set<std::uint64_t> hashes;
    for (std::uint32_t policy = 0; policy < k_schedule_policies; ++policy)
        hashes.insert(hash_after(ConcaveBox(125, with_policy(SchedulePolicy(policy)), 3), 25,
                                 Budget::work(200000)));
    CHECK(hashes.size() == k_schedule_policies);
}

TEST_CASE("cut at every unit: the state is that of the rungs completed until then, bit for bit") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        World world(with_policy(SchedulePolicy::sorted, 1, response));
        const ShapeId shape = *world.add_shape(SolidMesh{
            std::make_shared<const TriangleMesh>(make_l_shape(0.5f, 0.2f, 0.2f)), {.levels = 3}});
        const ShapeId box = *world.add_shape(Box{{0.2f, 0.2f, 0.2f}});
        std::vector<BodyId> bodies;
        for (int i = 0; i < 4; ++i)
            bodies.push_back(*world.add_body({.shape = i == 3 ? box : shape, .mass = 1}));
        // From far apart, where all is forgotten, to where all are close, and one step.
        const auto after = [&](const auto& how) {
            for (int i = 0; i < 4; ++i)
                REQUIRE(world.set_transform(bodies[std::size_t(i)], {{9.0f * float(i), 0, 0}, {}}));
            world.step(k_step);
            for (int i = 0; i < 4; ++i) {
                const BodyId body = bodies[std::size_t(i)];
                const Quat turn = normalized(Quat(1, Vec3(0.3f * float(i), 0.2f, 0.5f)));
                REQUIRE(
                    world.set_transform(body, {{0.35f * float(i), 0.1f * float(i % 2), 0}, turn}));
                REQUIRE(world.set_velocity(body, {1.5f - float(i), 0, 0}, {0, 0, 1}));
            }
            return world.step(k_step, how);
        };
        const std::uint64_t all = after(Budget::work(1ull << 40)).budget.used_units;
        REQUIRE(all < 200000);
        std::map<std::tuple<std::vector<std::uint32_t>, int, int, int, std::uint64_t>,
                 std::uint64_t>
            states;
        for (std::uint64_t units = 0; units <= all + 40000; units += units < 20000 ? 1 : 13) {
            const StepReport report = after(Budget::work(units));
            const StepCut cut = world.cut();
            const std::uint64_t hash = world.hash();
            REQUIRE((report.budget.used_units <= units || !report.budget.floor_fits));
            const auto [known, is_new] =
                states.insert({{cut.batches, cut.plan.contacts, cut.plan.sub_steps,
                                cut.plan.iterations, cut.sweeps},
                               hash});
            REQUIRE(known->second == hash);
            if (!is_new) continue;
            // The cut alone, without any budget, leads to the same state.
            after(cut);
            REQUIRE(world.hash() == hash);
        }
        CHECK(states.size() > 15);
    }
}

TEST_CASE("more units, finer answers") {
    std::uint64_t cut_before = ~0ull;
    for (const std::uint64_t units : {20000u, 50000u, 100000u, 1000000u}) {
        World world = *World::from_snapshot(crowd());
        const StepReport report = world.step(k_step, Budget::work(units));
        CHECK(report.budget.pairs_cut <= cut_before);
        cut_before = report.budget.pairs_cut;
    }
    CHECK(cut_before == 0);
}

TEST_CASE("without a reservation the response overruns") {
    for (const bool reserve : {true, false}) {
        WorldSettings settings;
        settings.schedule.reserve_response = reserve;
        ConcaveBox scene(64, settings, 3);
        int over = 0;
        for (int i = 0; i < 60; ++i) {
            const StepReport report = scene.world.step(k_step, Budget::work(260000));
            REQUIRE(report.budget.floor_fits);
            over += report.budget.used_units > 260000;
        }
        if (reserve)
            CHECK(over == 0);
        else
            CHECK(over > 5);
    }
}

TEST_CASE("separate schedules leave time unused that one schedule uses") {
    const auto cut_of = [](float share) {
        WorldSettings settings;
        settings.schedule.detection_share = share;
        ConcaveBox scene(64, settings, 3);
        std::uint64_t lost = 0;
        for (int i = 0; i < 60; ++i) {
            const BudgetReport budget = scene.world.step(k_step, Budget::work(260000)).budget;
            lost += budget.pairs_cut + 8 * budget.sub_steps_left_out;
        }
        return lost;
    };
    const std::uint64_t together = cut_of(0);
    CHECK(cut_of(0.2f) > together);
    CHECK(cut_of(0.9f) > together);
}

TEST_CASE("runs against the clock replay to the same hashes") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        ConcaveBox scene(64, with_policy(SchedulePolicy::two_queues, 2, response), 3);
        if (response == Response::impulse)
            scene.world.set_priority([](std::span<const PairView> pairs, std::span<float> out) {
                for (std::size_t i = 0; i < pairs.size(); ++i) out[i] = -pairs[i].centre.x;
            });
        std::vector<std::byte> recording;
        scene.world.record_to([&](std::span<const std::byte> more) {
            recording.insert(recording.end(), more.begin(), more.end());
        });
        std::uint64_t cut = 0;
        for (int i = 0; i < 60; ++i)
            cut += scene.world.step(k_step, Budget::milliseconds(0.05 + 0.02 * (i % 30)))
                       .budget.pairs_cut;
        CHECK(cut > 0);
        scene.world.record_to({});
        auto replay = Replay::open(recording);
        REQUIRE(replay);
        while (replay->advance() == Replay::Outcome::same) {
        }
        CHECK_MESSAGE(replay->message().empty(), replay->message());
        CHECK(replay->world().hash() == scene.world.hash());
        CHECK(replay->world().frame() == 60);
    }
}

TEST_CASE("a world from a snapshot goes on alike under a budget") {
    World one = *World::from_snapshot(crowd());
    for (int i = 0; i < 10; ++i) one.step(k_step, Budget::work(40000 + 5000 * std::uint64_t(i)));
    World two = *World::from_snapshot(one.snapshot());
    for (int i = 0; i < 30; ++i) {
        one.step(k_step, Budget::work(50000));
        two.step(k_step, Budget::work(50000));
        REQUIRE(one.hash() == two.hash());
    }
}

TEST_CASE("counted budgets are kept, also where fine meshes are deep in each other") {
    std::uint64_t exact = 0, cut = 0;
    for (const Response response : {Response::soft_step, Response::impulse})
        for (const std::uint64_t units : {50'000u, 400'000u, 1'000'000u, 2'000'000u, 4'000'000u}) {
            WorldSettings settings;
            settings.gravity = {};
            settings.response = response;
            World world(settings);
            const ShapeId shape = *world.add_shape(SolidMesh{
                std::make_shared<const TriangleMesh>(make_torus(0.3f, 0.1f, 48, 24)), {}});
            Random random(8);
            for (int i = 0; i < 8; ++i)
                (void)*world.add_body({.shape = shape,
                                       .position = Vec3(random.direction() * 0.2),
                                       .orientation = normalized(
                                           Quat(float(random.uniform()), Vec3(random.direction()))),
                                       .mass = 1});
            for (int i = 0; i < 10; ++i) {
                const BudgetReport report = world.step(1.0f / 60, Budget::work(units)).budget;
                if (report.floor_fits) CHECK(report.used_units <= units);
                exact += report.exact_pairs, cut += report.pairs_cut;
            }
        }
    CHECK(exact > 0);
    CHECK(cut > 0);
}

TEST_CASE("the floating-point mode of the host has no say in a step") {
    for (const int mode : {FE_UPWARD, FE_TOWARDZERO})
        for (const int threads : {1, 3}) {
            World usual = *World::from_snapshot(crowd()),
                  odd = *World::from_snapshot(crowd(), threads);
            for (int i = 0; i < 20; ++i) {
                const Budget budget = i % 2 ? Budget::unlimited() : Budget::work(60'000);
                usual.step(k_step, budget);
                std::fesetround(mode);
                odd.step(k_step, budget);
                CHECK(std::fegetround() == mode);
                std::fesetround(FE_TONEAREST);
                REQUIRE(usual.hash() == odd.hash());
            }
        }
}
