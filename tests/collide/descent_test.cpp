// Completed descents against brute force over leaves and triangles.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "fovea/base/jobs.h"
#include "fovea/base/simd.h"
#include "fovea/collide/node_shapes.h"
#include "fovea/geometry/height_field.h"
#include "fovea/geometry/proximity.h"
#include "tests/collide/descent_cases.h"
#include "tests/oracles/allocation_counter.h"
#include "tests/oracles/fcl_mesh_oracle.h"
#include "tests/oracles/triangle_oracle.h"

using namespace fovea;
using namespace fovea::test;

namespace {

/// How far apart two nodes are; below zero they overlap. Spheres alone.
double gap(const Ladder& a, std::uint32_t slot_a, const Ladder& b, std::uint32_t slot_b,
           const Transformd& pose) {
    const BoundingBall x = a.ball(slot_a), y = b.ball(slot_b);
    return length(pose * Vec3d(y.centre) - Vec3d(x.centre)) - x.radius - y.radius;
}

/// By how much the largest sphere shrinks when the root opens; negative: it has no children.
float first_gain(const Ladder& ladder) {
    if (ladder.levels() < 2) return -1;
    float largest = 0;
    const auto [first, count] = ladder.children[k_root_slot];
    for (std::uint32_t i = 0; i < count; ++i)
        largest = std::max(largest, ladder.ball(first * LadderBlock::k_width + i).radius);
    return ladder.ball(k_root_slot).radius - largest;
}

} // namespace

TEST_CASE("leaf pairs of a completed descent are those of brute force over all leaves") {
    Random random(11);
    int hits = 0;
    for (const LadderBody& a : bodies()) {
        for (const LadderBody& b : bodies()) {
            const bool spheres = a.ladder.kinds.back() == LevelKind::spheres &&
                                 b.ladder.kinds.back() == LevelKind::spheres;
            for (const DescentPolicy policy : k_policies) {
                for (int i = 0; i < 6; ++i) {
                    const Transform at_a = random_pose(random, 3);
                    const Transform at_b = {at_a.position +
                                                Vec3(random.direction() * random.uniform(0.3, 1)),
                                            random_turn(random)};
                    const Run run(a.ladder, at_a, b.ladder, at_b,
                                  {.policy = policy, .exact = false});
                    const Transformd pose = b_in_a(at_a, at_b);
                    const SlotSet found = sorted_pairs(run.pair);
                    const auto leaves_a = slots_of(a.ladder, a.ladder.levels() - 1);
                    const auto leaves_b = slots_of(b.ladder, b.ladder.levels() - 1);
                    CHECK(std::adjacent_find(found.begin(), found.end()) == found.end());
                    // Twice the slack with which nodes are tested.
                    const double band = 0x1p-19 * (length(pose.position) + 4);
                    for (const std::uint32_t la : leaves_a) {
                        for (const std::uint32_t lb : leaves_b) {
                            const bool hit =
                                std::binary_search(found.begin(), found.end(), std::pair(la, lb));
                            hits += hit;
                            if (spheres) {
                                const double g = gap(a.ladder, la, b.ladder, lb, pose);
                                if (hit) CHECK(g <= band);
                                if (a.nested && b.nested && g < -band) CHECK(hit);
                            } else if (hit) {
                                const auto va =
                                    node_volume(a.ladder, a.ladder.levels() - 1, la, Transformd());
                                auto vb = node_volume(b.ladder, b.ladder.levels() - 1, lb, pose);
                                CHECK(length(va.centre - vb.centre) <
                                      length(va.u) + length(va.v) + length(vb.u) + length(vb.v) +
                                          va.radius + vb.radius + length(va.u) + length(vb.u) +
                                          band);
                            }
                        }
                    }
                }
            }
        }
    }
    CHECK(hits > 10000);
}

namespace {

/// The staircase written as a recursion (Dingliana, appendix B, with its defects mended), in double
/// and with the volumes' own tests.
class RecursiveStaircase {
  public:
    RecursiveStaircase(const LadderBody& a, const LadderBody& b, const Transformd& pose)
        : a_(a.ladder)
        , b_(b.ladder)
        , pose_(pose)
        , band_(0x1p-19 * (length(pose.position) + 4)) {}

    SlotSet certain, possible; ///< touching without doubt; touching within rounding

    void descend() { visit(0, 0, 0, 0, first_gain(b_) > first_gain(a_), true); }

  private:
    /// -1 apart, 0 within rounding, 1 touching.
    int touch(std::uint32_t a, int level_a, std::uint32_t b, int level_b) const {
        NodeVolumed x = node_volume(a_, level_a, a, Transformd());
        const NodeVolumed y = node_volume(b_, level_b, b, pose_);
        const double g = gap(a_, a, b_, b, pose_);
        if (g > band_) return -1;
        const auto with = [&](double swell) {
            NodeVolumed v = x;
            if (v.type == VolumeType::cube) {
                const double half = length(v.u);
                v.u *= (half + swell) / half;
                v.v *= (half + swell) / half;
            } else {
                v.radius = std::max(0.0, v.radius + swell);
            }
            return pair_model(v.type, y.type).touch(v, y);
        };
        if (!with(band_)) return -1;
        return g < -band_ && with(-band_) ? 1 : 0;
    }
    void visit(std::uint32_t a, int level_a, std::uint32_t b, int level_b, bool opens_b,
               bool sure) {
        const int touching = touch(a, level_a, b, level_b);
        if (touching < 0) return;
        sure = sure && touching > 0;
        const bool leaf_a = level_a + 1 == a_.levels(), leaf_b = level_b + 1 == b_.levels();
        if (leaf_a && leaf_b) {
            possible.push_back({a, b});
            if (sure) certain.push_back({a, b});
            return;
        }
        const bool open_b = !leaf_b && (leaf_a || opens_b);
        const auto [first, count] = open_b ? b_.children[b] : a_.children[a];
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t child = first * LadderBlock::k_width + i;
            if (open_b)
                visit(a, level_a, child, level_b + 1, false, sure);
            else
                visit(child, level_a + 1, b, level_b, true, sure);
        }
    }

    const Ladder &a_, &b_;
    Transformd pose_;
    double band_;
};

} // namespace

TEST_CASE("the staircase finds what its recursive form finds, for every pair of tree types") {
    Random random(12);
    std::size_t hits = 0, unsure = 0;
    for (const LadderBody& a : bodies()) {
        for (const LadderBody& b : bodies()) {
            if (a.ladder.fixed_surface || b.ladder.fixed_surface) continue; // opened out of turn
            for (int i = 0; i < 10; ++i) {
                const Transform at_a, at_b = random_pose(random);
                const Run run(a.ladder, at_a, b.ladder, at_b, {.exact = false});
                RecursiveStaircase oracle(a, b, b_in_a(at_a, at_b));
                oracle.descend();
                std::sort(oracle.certain.begin(), oracle.certain.end());
                std::sort(oracle.possible.begin(), oracle.possible.end());
                const SlotSet found = sorted_pairs(run.pair);
                INFO(a.name, " with ", b.name);
                CHECK(std::includes(found.begin(), found.end(), oracle.certain.begin(),
                                    oracle.certain.end()));
                CHECK(std::includes(oracle.possible.begin(), oracle.possible.end(), found.begin(),
                                    found.end()));
                hits += found.size();
                unsure += oracle.possible.size() - oracle.certain.size();
            }
        }
    }
    CHECK(hits > 10000);
    CHECK(unsure * 100 < hits); // the oracle is sharp
}

TEST_CASE("the tree whose spheres shrink more opens first, whichever is called A") {
    int pairs = 0;
    for (const LadderBody& a : bodies()) {
        for (const LadderBody& b : bodies()) {
            if (a.ladder.fixed_surface || b.ladder.fixed_surface) continue; // opened out of turn
            const float gain_a = first_gain(a.ladder), gain_b = first_gain(b.ladder);
            if (std::max(gain_a, gain_b) < 0) continue;
            WorkMeter work;
            Arena arena;
            DescentScratch scratch;
            PairDescent pair;
            // One in the other: something touches on every rung.
            LadderDescent descent({a.ladder, {}}, {b.ladder, {}}, {}, scratch);
            descent.open(work, arena, pair);
            descent.advance(work, arena, pair);
            INFO(a.name, " with ", b.name);
            CHECK(int(pair.level_b) == int(gain_b > gain_a));
            CHECK(int(pair.level_a) == int(gain_b <= gain_a));
            ++pairs;
        }
    }
    CHECK(pairs > 50);
}

TEST_CASE("triangle pairs of the exact rung are those of brute force, and no rung misses them") {
    Random random(13);
    int colliding = 0, apart = 0;
    for (const LadderBody& a : bodies()) {
        for (const LadderBody& b : bodies()) {
            for (const DescentPolicy policy : k_policies) {
                for (int i = 0; i < 8 / k_share; ++i) {
                    const Transform at_a = random_pose(random, 2);
                    const Transform at_b = {at_a.position +
                                                Vec3(random.direction() * random.uniform(0.5, 1.1)),
                                            random_turn(random)};
                    const SlotSet expected = meeting_triangles(a.mesh, b.mesh, b_in_a(at_a, at_b));
                    WorkMeter work;
                    Arena arena;
                    DescentScratch scratch;
                    PairDescent pair;
                    LadderDescent descent({a.ladder, at_a}, {b.ladder, at_b}, {.policy = policy},
                                          scratch);
                    descent.open(work, arena, pair);
                    INFO(a.name, " with ", b.name);
                    while (!pair.finished) {
                        if (!expected.empty()) CHECK(pair.is_real());
                        descent.advance(work, arena, pair);
                    }
                    if (expected.empty()) {
                        ++apart;
                        CHECK((pair.count == 0 || !pair.exact));
                    } else {
                        ++colliding;
                        CHECK(pair.exact);
                        CHECK(pair.outcome == Outcome::colliding);
                        CHECK(sorted_pairs(pair) == expected);
                    }
                }
            }
        }
    }
    CHECK(colliding * k_share > 200);
    CHECK(apart * k_share > 200);
}

TEST_CASE("FCL agrees about meshes") {
    const LadderBody a =
        sphere_body("torusknot", 2, SphereMethod::medial, 4, 8, Nesting::cover_share);
    const LadderBody b = sphere_body("lshape", 2, SphereMethod::grid, 4, 8, Nesting::cover_share);
    const FclMesh fcl_a(a.mesh), fcl_b(b.mesh);
    Random random(14);
    int colliding = 0, apart = 0;
    for (int i = 0; i < 3000 / k_share; ++i) {
        const Transform at_a = random_pose(random, 5);
        const Transform at_b = {at_a.position + Vec3(random.direction() * random.uniform(0.4, 0.9)),
                                random_turn(random)};
        const Run run(a.ladder, at_a, b.ladder, at_b, {});
        const bool meet = run.pair.exact && run.pair.count > 0;
        const bool theirs = fcl_a.collides(at_a, fcl_b, at_b);
        (theirs ? colliding : apart) += 1;
        // Positions of some metres are floats: what is nearer than this is not decided by them.
        if (meet != theirs) CHECK(fcl_a.distance(at_a, fcl_b, at_b) < 2e-6);
    }
    CHECK(colliding * k_share > 1000);
    CHECK(apart * k_share > 500);
}

TEST_CASE("triangles within the margin are found, none farther away") {
    const LadderBody a = sphere_body("gear", 1, SphereMethod::grid, 3, 8, Nesting::cover_share);
    const LadderBody b = swept_body("lshape", 3);
    const FclMesh fcl_a(a.mesh), fcl_b(b.mesh);
    Random random(15);
    const float margin = 0.03f;
    int near = 0, far = 0;
    for (int i = 0; i < 400 / k_share; ++i) {
        const Transform at_a, at_b = random_pose(random, 1.1);
        const double distance = fcl_a.distance(at_a, fcl_b, at_b);
        if (std::abs(distance - margin) < 1e-5) continue;
        const Run run(a.ladder, at_a, b.ladder, at_b, {.margin = margin});
        if (run.pair.enclosed == Enclosed::none) CHECK((run.pair.count > 0) == (distance < margin));
        if (distance > 0 && distance < margin) ++near;
        if (distance > margin) ++far;
    }
    CHECK(near * k_share > 5);
    CHECK(far * k_share > 20);
}

TEST_CASE("every instruction set finds the same pairs in the same order") {
    Random random(18);
    for (int i = 0; i < 40; ++i) {
        const LadderBody& a = bodies()[random.below(std::uint32_t(bodies().size()))];
        const LadderBody& b = bodies()[random.below(std::uint32_t(bodies().size()))];
        const Transform at_b = random_pose(random, 0.9);
        const bool exact = i % 2 == 0;
        std::vector<std::vector<std::uint32_t>> lists;
        for (const SimdTarget& target : simd_targets()) {
            use_simd_target(target);
            const Run run(a.ladder, {}, b.ladder, at_b, {.exact = exact});
            std::vector<std::uint32_t> list(run.pair.a, run.pair.a + run.pair.count);
            list.insert(list.end(), run.pair.b, run.pair.b + run.pair.count);
            list.push_back(std::uint32_t(run.scratch.counters.node_tests));
            lists.push_back(list);
        }
        use_best_simd_target();
        for (const auto& list : lists) CHECK(list == lists.front());
    }
    CHECK(simd_targets().size() >= 2);
}

TEST_CASE("any number of threads climbs pairs to the same lists, by the same work") {
    Random random(21);
    struct Climb {
        std::size_t a, b;
        Transform at_b;
        std::vector<std::uint32_t> list;
        DescentCounters counters;
    };
    std::vector<Climb> first;
    for (int i = 0; i < 200; ++i)
        first.push_back({random.below(8), random.below(8), random_pose(random, 0.9), {}, {}});
    const auto climb_all = [](std::vector<Climb> climbs, int threads) {
        const Jobs jobs(threads);
        jobs.for_blocks(climbs.size(), 8, [&](std::size_t begin, std::size_t end) {
            DescentScratch scratch;
            Arena arena;
            for (std::size_t i = begin; i < end; ++i) {
                Climb& climb = climbs[i];
                WorkMeter work(Budget::work(20000));
                PairDescent pair;
                LadderDescent descent({bodies()[climb.a].ladder, {}},
                                      {bodies()[climb.b].ladder, climb.at_b}, {}, scratch);
                descent.open(work, arena, pair);
                descent.finish(work, arena, pair);
                climb.list.assign(pair.a, pair.a + pair.count);
                climb.list.insert(climb.list.end(), pair.b, pair.b + pair.count);
                climb.list.push_back(std::uint32_t(work.spent()));
                climb.counters = scratch.counters;
            }
        });
        return climbs;
    };
    const auto single = climb_all(first, 1);
    std::size_t total = 0;
    for (const int threads : {2, 4}) {
        const auto several = climb_all(first, threads);
        for (std::size_t i = 0; i < single.size(); ++i) {
            CHECK(several[i].list == single[i].list);
            CHECK(several[i].counters == single[i].counters);
            total += single[i].list.size();
        }
    }
    CHECK(total > 1000);
}

TEST_CASE("ladders refuse trees that do not enclose the mesh") {
    const TriangleMesh mesh = *make_procedural("lshape", 1);
    SphereLevel level;
    level.centres = {{0, 0, 0}};
    level.radii = {0.3f};
    const auto tree = SphereTree::from_levels(std::span(&level, 1));
    const auto refused = make_ladder(*tree, mesh);
    REQUIRE(!refused);
    CHECK(refused.error().message.find("outside the tree") != std::string::npos);
    CHECK(!make_surface_ladder(TriangleMesh()));
    CHECK(!make_ladder(Shape(Sphere{-1})));
}

TEST_CASE("a warmed-up descent leaves the heap alone") {
    std::vector<Transform> poses;
    Random random(19);
    for (int i = 0; i < 30; ++i) poses.push_back(random_pose(random, 0.9));
    Arena arena;
    DescentScratch scratch;
    const auto run = [&] {
        for (std::size_t i = 0; i < poses.size(); ++i) {
            arena.reset();
            PairDescent pair;
            WorkMeter work;
            const LadderBody& a = bodies()[i % 5];
            const LadderBody& b = bodies()[(i + i / 5) % 5];
            LadderDescent descent({a.ladder, {}}, {b.ladder, poses[i]}, {}, scratch);
            descent.open(work, arena, pair);
            descent.finish(work, arena, pair);
        }
    };
    run();
    run();
    const long before = allocations();
    run();
    CHECK(allocations() == before);
}

TEST_CASE("a height field has the ladder of its triangles") {
    auto field = std::make_shared<HeightField>();
    field->columns = 9, field->rows = 7, field->spacing = 0.5f;
    for (int i = 0; i < 63; ++i) field->heights.push_back(0.1f * float(i % 5));
    const auto heights = make_ladder(Shape(HeightSurface{field}));
    const auto mesh = make_surface_ladder(to_mesh(*field));
    REQUIRE((heights && mesh));
    CHECK(heights->top == LadderTop::triangles);
    CHECK(heights->triangles.size() == field->triangles());
    CHECK(heights->elements == mesh->elements);
}
