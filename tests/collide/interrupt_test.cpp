// Cut at every possible place, a descent leaves the last completed rung behind, bit for bit.
#include <doctest/doctest.h>

#include "tests/collide/ladder_cases.h"

using namespace fovea;
using namespace fovea::test;

namespace {

struct Snapshot {
    std::vector<std::uint32_t> a, b;
    int level_a, level_b, rung;
    bool exact, opens_b_next;
    Enclosed enclosed;

    explicit Snapshot(const PairDescent& pair)
        : a(pair.a, pair.a + pair.count)
        , b(pair.b, pair.b + pair.count)
        , level_a(pair.level_a)
        , level_b(pair.level_b)
        , rung(pair.rung)
        , exact(pair.exact)
        , opens_b_next(pair.opens_b_next)
        , enclosed(pair.enclosed) {}
    bool operator==(const Snapshot&) const = default;
};

struct ScriptedPair {
    const LadderBody &a, &b;
    Transform at_b;
    DescentSettings settings;
};

/// The most that one indivisible piece of work costs: the distances of a batch of triangles.
constexpr std::uint64_t k_largest_piece = 32 * k_triangle_gap_units;

/// Returns the number of cuts tried.
std::uint64_t cut_everywhere(const ScriptedPair& script) {
    Arena arena;
    DescentScratch scratch;
    PairDescent pair;
    WorkMeter whole;
    LadderDescent descent({script.a.ladder, {}}, {script.b.ladder, script.at_b}, script.settings,
                          scratch);
    descent.open(whole, arena, pair);
    std::vector<Snapshot> rungs = {Snapshot(pair)};
    std::vector<std::uint64_t> spent = {whole.spent()};
    while (!pair.finished) {
        descent.advance(whole, arena, pair);
        if (int(rungs.size()) == pair.rung) {
            rungs.emplace_back(pair);
            spent.push_back(whole.spent());
        }
    }
    std::vector<bool> seen(rungs.size());
    int last_rung = 0;
    std::uint64_t cuts = 0;
    for (std::uint64_t units = 0; units <= whole.spent(); ++cuts) {
        arena.reset();
        PairDescent cut;
        WorkMeter work(Budget::work(units));
        descent.open(work, arena, cut);
        const Outcome outcome = descent.finish(work, arena, cut);
        REQUIRE(cut.rung < rungs.size());
        REQUIRE(Snapshot(cut) == rungs[cut.rung]);
        REQUIRE(cut.rung >= last_rung);
        last_rung = cut.rung;
        seen[cut.rung] = true;
        REQUIRE(work.spent() <= std::max(units, spent[0]) + k_largest_piece);
        if (units < whole.spent() && !cut.finished) {
            REQUIRE(outcome == Outcome::interrupted);
            // Undecided is real unless it is to be dropped; leaves that touch are real either way.
            REQUIRE(cut.is_real());
            REQUIRE(cut.is_real(true) == (cut.outcome == Outcome::colliding));
        }
        // A run that stops at s units stops there with any budget up to s.
        units = std::max(units, work.spent()) + 1;
    }
    CHECK(last_rung == int(rungs.size()) - 1);
    for (const bool rung_seen : seen) CHECK(rung_seen);
    return cuts;
}

} // namespace

TEST_CASE("a cut at any node test leaves the last completed rung, bit for bit") {
    const LadderBody l =
        sphere_body("lshape", 1, SphereMethod::octree, 3, 8, Nesting::inside_parent);
    const LadderBody gear = sphere_body("gear", 1, SphereMethod::grid, 3, 8, Nesting::cover_share);
    const LadderBody cubes = cube_body("folded", 3, 2), swept = swept_body("torusknot", 3);
    const LadderBody surface = surface_body("folded");
    const LadderBody box = solid_body("box", Box{{0.4f, 0.2f, 0.1f}});
    const LadderBody floor = solid_body("half-space", HalfSpace{{0, 1, 0}, 0});
    const Transform beside({0.85f, 0.2f, 0.1f}, normalized(Quat(1, 0.3f, 0.5f, -0.2f)));
    const Transform below({0.1f, -0.45f, 0}, normalized(Quat(1, 0.1f, 0, 0.05f)));
    std::uint64_t cuts = 0;
    for (const DescentPolicy policy : {DescentPolicy::staircase, DescentPolicy::together}) {
        const DescentSettings settings = {.policy = policy};
        cuts += cut_everywhere({l, gear, beside, settings});
        cuts += cut_everywhere({gear, l, beside, settings});
        cuts += cut_everywhere({cubes, swept, beside, settings});
        cuts += cut_everywhere({swept, surface, below, settings});
        cuts += cut_everywhere({l, box, beside, settings});
        cuts += cut_everywhere({box, box, Transform({0.3f, 0, 0}), settings});
        cuts += cut_everywhere({gear, floor, below, settings});
        cuts += cut_everywhere({floor, cubes, below, settings});
    }
    cuts += cut_everywhere({l, gear, beside, {.margin = 0.01f}});
    CHECK(cuts > 10000);
}

TEST_CASE("a cut while solids inside each other are looked for leaves the leaves' answer") {
    const auto ball = [](SphereMethod method, int levels, float scale) {
        return sphere_body("icosphere", 3, method, levels, 8, Nesting::inside_parent, scale);
    };
    const LadderBody large = ball(SphereMethod::octree, 3, 1);
    const LadderBody small = ball(SphereMethod::medial, 2, 0.08f);
    const LadderBody box = solid_body("box", Box{{0.02f, 0.02f, 0.02f}});
    const Transform at({0.05f, 0.02f, 0.01f});
    for (const LadderBody* inner : {&small, &box}) {
        Arena arena;
        DescentScratch scratch;
        PairDescent pair;
        WorkMeter work;
        LadderDescent descent({large.ladder, {}}, {inner->ladder, at}, {}, scratch);
        descent.open(work, arena, pair);
        REQUIRE(descent.finish(work, arena, pair) == Outcome::colliding);
        REQUIRE(pair.enclosed == Enclosed::b);
        CHECK(cut_everywhere({large, *inner, at, {}}) > 10);
    }
}

TEST_CASE("what a rung will take is known beforehand: exactly for spheres, at most for others") {
    const LadderBody l =
        sphere_body("lshape", 1, SphereMethod::octree, 4, 8, Nesting::inside_parent);
    const LadderBody gear = sphere_body("gear", 1, SphereMethod::grid, 3, 12, Nesting::cover_share);
    const LadderBody cubes = cube_body("folded", 3, 2);
    const LadderBody box = solid_body("box", Box{{0.4f, 0.2f, 0.1f}});
    const LadderBody floor = solid_body("half-space", HalfSpace{{0, 1, 0}, 0});
    const std::pair<const LadderBody*, const LadderBody*> pairs[] = {
        {&l, &gear}, {&gear, &l}, {&l, &floor}, {&floor, &gear}, {&l, &cubes}, {&box, &l}};
    for (const auto& [a, b] : pairs) {
        const bool spheres = b != &cubes && a != &box;
        for (const DescentPolicy policy : {DescentPolicy::staircase, DescentPolicy::together}) {
            Arena arena;
            DescentScratch scratch;
            PairDescent pair;
            WorkMeter work;
            LadderDescent descent({a->ladder, {}}, {b->ladder, Transform({0.5f, -0.2f, 0.1f})},
                                  {.policy = policy, .exact = false}, scratch);
            descent.open(work, arena, pair);
            REQUIRE(!pair.finished);
            while (!pair.finished) {
                const std::uint64_t expected = next_units(a->ladder, b->ladder, policy, pair),
                                    before = work.spent();
                descent.advance(work, arena, pair);
                if (spheres) CHECK(work.spent() - before == expected);
                CHECK(work.spent() - before <= expected);
            }
            CHECK(next_units(a->ladder, b->ladder, policy, pair) == 0);
        }
    }
}

TEST_CASE("without any budget every overlap of roots is still answered") {
    const LadderBody l = sphere_body("lshape", 1, SphereMethod::grid, 3, 8, Nesting::cover_share);
    Random random(3);
    int overlaps = 0;
    for (int i = 0; i < 500; ++i) {
        const Transform at_b = random_pose(random, 2.5);
        Arena arena;
        DescentScratch scratch;
        PairDescent pair;
        WorkMeter work(Budget::work(0));
        LadderDescent descent({l.ladder, {}}, {l.ladder, at_b}, {}, scratch);
        descent.open(work, arena, pair);
        const BoundingBall root = l.ladder.ball(k_root_slot);
        const double gap =
            length(Transformd(at_b) * Vec3d(root.centre) - Vec3d(root.centre)) - 2 * root.radius;
        if (std::abs(gap) < 1e-5) continue;
        CHECK(pair.is_real() == (gap < 0));
        overlaps += gap < 0;
        if (gap > 0) {
            CHECK(pair.outcome == Outcome::apart);
        } else {
            CHECK(descent.advance(work, arena, pair) == Outcome::interrupted);
            CHECK(pair.count == 1);
            CHECK(pair.is_real());
            CHECK(!pair.is_real(true));
        }
    }
    CHECK(overlaps > 100);
}

TEST_CASE("a timed budget that is over cuts at once") {
    const LadderBody l = sphere_body("lshape", 1, SphereMethod::grid, 3, 8, Nesting::cover_share);
    Arena arena;
    DescentScratch scratch;
    PairDescent pair;
    WorkMeter work(Budget::milliseconds(0));
    LadderDescent descent({l.ladder, {}}, {l.ladder, Transform({0.3f, 0, 0})}, {}, scratch);
    descent.open(work, arena, pair);
    CHECK(descent.finish(work, arena, pair) == Outcome::interrupted);
    CHECK(pair.rung == 0);
    CHECK(pair.is_real());
}
