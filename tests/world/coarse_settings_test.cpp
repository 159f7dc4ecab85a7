// The choices of descent, reduction and contact point: each does something, and nothing it must
// not.
#include <doctest/doctest.h>

#include <set>

#include "fovea/world/replay.h"
#include "tests/world/concave_box.h"
#include "tests/world/impact.h"
#include "tests/world/waving_sheet.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_step = 1.0f / 60;

const std::vector<CoarseContactSettings>& choices() {
    static const std::vector<CoarseContactSettings> all = [] {
        std::vector<CoarseContactSettings> list;
        for (std::uint32_t i = 0; i < k_reductions; ++i)
            list.push_back({.reduction = Reduction(i)});
        for (std::uint32_t i = 1; i < k_point_formulas; ++i)
            list.push_back({.point = PointFormula(i)});
        list.push_back({.descent = DescentPolicy::together});
        return list;
    }();
    return all;
}

WorldSettings with(const CoarseContactSettings& coarse, int threads = 1,
                   Response response = Response::soft_step) {
    WorldSettings settings = weightless(response);
    settings.coarse = coarse;
    settings.threads = threads;
    return settings;
}

/// No exact rungs, so that every choice matters.
std::uint64_t hash_of_leaves(WorldSettings settings, const Budget& budget) {
    settings.schedule.exact = false;
    ConcaveBox scene(27, settings, 3);
    for (int i = 0; i < 60; ++i) scene.world.step(k_step, budget);
    return scene.world.hash();
}

} // namespace

TEST_CASE("every reduction, point formula and descent gives answers of its own") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        std::set<std::uint64_t> hashes;
        for (const CoarseContactSettings& coarse : choices())
            hashes.insert(hash_of_leaves(with(coarse, 1, response), Budget::work(200'000)));
        CHECK(hashes.size() == choices().size());
    }
}

TEST_CASE("the same bits for any number of threads, whatever is chosen") {
    for (const CoarseContactSettings& coarse : choices()) {
        CAPTURE(int(coarse.reduction));
        CAPTURE(int(coarse.point));
        CAPTURE(int(coarse.descent));
        const std::uint64_t one = hash_of_leaves(with(coarse), Budget::work(120'000));
        for (const int threads : {2, 3, 4})
            CHECK(hash_of_leaves(with(coarse, threads), Budget::work(120'000)) == one);
    }
}

TEST_CASE("where all is exact, reductions and points change nothing, and descents no contact") {
    // Of nodes nothing is left to see; the descent hands elements on in another order.
    std::set<std::uint64_t> hashes;
    std::set<std::uint64_t> hits;
    for (const CoarseContactSettings& coarse : choices()) {
        ConcaveBox scene(27, with(coarse), 3);
        std::uint64_t exact = 0, of_nodes = 0, touching = 0;
        for (int i = 0; i < 8; ++i) {
            const StepReport report = scene.world.step(k_step, Budget::work(1ull << 40));
            for (const std::uint32_t pairs : report.budget.pairs_at_rung) of_nodes += pairs;
            exact += report.budget.exact_pairs, touching += report.hits;
        }
        REQUIRE(of_nodes == 0);
        REQUIRE(exact > 0);
        hits.insert(touching);
        if (coarse.descent == DescentPolicy::staircase) hashes.insert(scene.world.hash());
    }
    CHECK(hashes.size() == 1);
    CHECK(hits.size() == 1);
}

TEST_CASE("both trees together take half as many rungs") {
    std::uint64_t rungs[2] = {};
    for (const DescentPolicy descent : {DescentPolicy::staircase, DescentPolicy::together}) {
        ConcaveBox scene(27, with({.descent = descent}), 3);
        for (int i = 0; i < 8; ++i)
            rungs[int(descent)] +=
                scene.world.step(k_step, Budget::work(1ull << 40)).budget.rungs_climbed;
    }
    CHECK(rungs[1] < rungs[0]);
    CHECK(2 * rungs[1] >= rungs[0]); // the exact rung is one either way
}

TEST_CASE("a counted budget is kept whatever is chosen") {
    for (const CoarseContactSettings& coarse : choices())
        for (const Response response : {Response::soft_step, Response::impulse})
            for (const std::uint64_t units : {60'000u, 200'000u}) {
                ConcaveBox scene(27, with(coarse, 1, response), 3);
                for (int i = 0; i < 40; ++i) {
                    const BudgetReport report =
                        scene.world.step(k_step, Budget::work(units)).budget;
                    REQUIRE((report.used_units <= units || !report.floor_fits));
                }
            }
}

TEST_CASE("momentum is conserved on every rung, whatever is chosen") {
    for (const Response response : {Response::soft_step, Response::impulse})
        for (const CoarseContactSettings& coarse : choices()) {
            int met = 0;
            std::uint64_t cut = 0;
            for (const std::uint64_t grants : {0u, 1u, 2u, 4u}) {
                Random random(11);
                for (int i = 0; i < 2; ++i) {
                    Impact impact(random, with(coarse, 1, response), 0.5f,
                                  make_l_shape(0.5f, 0.15f, 0.2f));
                    const Vec3d before = impact.momentum();
                    const Vec3 velocity = impact.world.velocity(impact.a);
                    for (int k = 0; k < 40; ++k) {
                        StepCut step;
                        step.limited = true;
                        step.grants = grants;
                        step.plan = {0, 8, 10};
                        cut += impact.world.step(k_step, step).budget.pairs_cut;
                    }
                    met += impact.world.velocity(impact.a) != velocity;
                    // As in "momentum is conserved on every rung": single precision's rounding.
                    CHECK(length(impact.momentum() - before) < 4e-5);
                }
            }
            CHECK(met >= 6);
            CHECK(cut > 0);
        }
}

TEST_CASE("nodes that are turned once a step give the same bits for any number of threads") {
    for (const Response response : {Response::soft_step, Response::impulse}) {
        for (const Budget& budget :
             {Budget::unlimited(), Budget::work(120'000), Budget::work(30'000)}) {
            const CoarseContactSettings turned{.nodes = NodePlacing::turned};
            std::uint64_t one = 0;
            for (const int threads : {1, 2, 4}) {
                ConcaveBox scene(27, with(turned, threads, response), 3);
                std::uint64_t contacts = 0, turned_nodes = 0;
                for (int i = 0; i < 60; ++i) {
                    const StepReport report = scene.world.step(k_step, budget);
                    contacts += report.contacts;
                    turned_nodes += report.siblings_turned;
                }
                CHECK(contacts > 0);
                CHECK(turned_nodes > 0);
                if (threads == 1) one = scene.world.hash();
                CHECK(scene.world.hash() == one);
            }
        }
    }
}

TEST_CASE("it is the same crowd, whether nodes are carried or turned") {
    // Hits are alike but for rounding, which makes motion differ after a while. With a sheet that
    // waves, a landscape, and bodies that take the places of others.
    ConcaveBox carried(27, with({}), 3), turned(27, with({.nodes = NodePlacing::turned}), 3);
    const auto hills = std::make_shared<TriangleMesh>(make_icosphere(6, 3));
    const TriangleMesh flat = flat_sheet(12, 3);
    BodyId sheets[2];
    ConcaveBox* const scenes[] = {&carried, &turned};
    for (const int k : {0, 1}) {
        World& world = scenes[k]->world;
        REQUIRE(world.add_body(
            {.shape = *world.add_shape(MeshSurface{hills}), .position = {0, -6.8f, 0}}));
        sheets[k] = *world.add_body(
            {.shape = *world.add_shape(DeformingMesh{std::make_shared<const TriangleMesh>(flat)}),
             .position = {0, -0.4f, 0}});
    }
    std::uint64_t contacts = 0;
    for (int i = 0; i < 12; ++i) {
        StepReport reports[2];
        for (const int k : {0, 1}) {
            World& world = scenes[k]->world;
            REQUIRE(world.set_vertices(sheets[k], waved(flat, float(i) * k_step)));
            if (i % 4 == 3) {
                const BodyId gone = scenes[k]->bodies[std::size_t(i)];
                const Transform at = world.transform(gone);
                REQUIRE(world.remove_body(gone));
                REQUIRE(world.add_body(
                    {.shape = *world.add_shape(SolidMesh{
                         std::make_shared<const TriangleMesh>(make_torus(0.2f, 0.1f, 10, 6)),
                         {.levels = 2}}),
                     .position = at.position,
                     .mass = 1}));
            }
            reports[k] = world.step(k_step, Budget::work(100'000));
        }
        CHECK(reports[1].budget.pairs_at_rung == reports[0].budget.pairs_at_rung);
        CHECK(reports[1].budget.exact_pairs == reports[0].budget.exact_pairs);
        CHECK(reports[1].contacts == reports[0].contacts);
        CHECK(reports[0].siblings_turned == 0);
        CHECK(reports[1].siblings_turned > 0);
        contacts += reports[0].contacts;
    }
    CHECK(contacts > 0);
}

TEST_CASE("what is chosen is kept in snapshots and recordings") {
    const CoarseContactSettings chosen{DescentPolicy::together, Reduction::probability,
                                       PointFormula::middle, NodePlacing::turned};
    ConcaveBox scene(27, with(chosen), 3);
    std::vector<std::byte> recording;
    scene.world.record_to([&](std::span<const std::byte> more) {
        recording.insert(recording.end(), more.begin(), more.end());
    });
    for (int i = 0; i < 30; ++i) scene.world.step(k_step, Budget::work(60'000));
    World copy = *World::from_snapshot(scene.world.snapshot());
    CHECK(copy.settings().coarse.descent == chosen.descent);
    CHECK(copy.settings().coarse.reduction == chosen.reduction);
    CHECK(copy.settings().coarse.point == chosen.point);
    CHECK(copy.settings().coarse.nodes == chosen.nodes);
    for (int i = 0; i < 20; ++i) {
        copy.step(k_step, Budget::work(60'000));
        scene.world.step(k_step, Budget::work(60'000));
        REQUIRE(copy.hash() == scene.world.hash());
    }
    scene.world.record_to({});
    auto replay = Replay::open(recording);
    REQUIRE(replay);
    while (replay->advance() == Replay::Outcome::same) {
    }
    CHECK_MESSAGE(replay->message().empty(), replay->message());
    CHECK(replay->world().hash() == scene.world.hash());
}

TEST_CASE("choices that do not exist are refused") {
    const auto refused = [](const CoarseContactSettings& coarse, const char* what) {
        World world(with(coarse));
        const StepReport report = world.step(k_step);
        REQUIRE(report.warnings.size() == 1);
        CHECK(report.warnings[0].find(what) != std::string::npos);
        CHECK(world.frame() == 0);
    };
    refused({.reduction = Reduction(5)}, "reduction of coarse contacts must be one of 5");
    refused({.point = PointFormula(3)}, "point formula of coarse contacts must be one of 3");
    refused({.descent = DescentPolicy(2)}, "descent of coarse contacts must be one of 2");
    refused({.nodes = NodePlacing(2)}, "placing of nodes must be one of 2");
}
