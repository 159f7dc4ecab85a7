// Completed descents against brute force over leaves, triangles and solids.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "fovea/base/jobs.h"
#include "fovea/base/simd.h"
#include "fovea/collide/node_shapes.h"
#include "fovea/geometry/height_field.h"
#include "fovea/geometry/proximity.h"
#include "tests/collide/ladder_cases.h"
#include "tests/oracles/allocation_counter.h"
#include "tests/oracles/fcl_mesh_oracle.h"
#include "tests/oracles/triangle_oracle.h"

using namespace fovea;
using namespace fovea::test;

namespace {

#ifdef FOVEA_SANITIZED
constexpr int k_share = 8; ///< sanitizers make everything some ten times slower
#else
constexpr int k_share = 1;
#endif

const std::vector<LadderBody>& bodies() {
    static const std::vector<LadderBody> all = [] {
        std::vector<LadderBody> list;
        list.push_back(
            sphere_body("lshape", 1, SphereMethod::octree, 4, 8, Nesting::inside_parent));
        list.push_back(sphere_body("gear", 1, SphereMethod::grid, 3, 12, Nesting::inside_parent));
        list.push_back(sphere_body("folded", 1, SphereMethod::grid, 5, 4, Nesting::cover_share));
        list.push_back(
            sphere_body("torusknot", 2, SphereMethod::medial, 3, 8, Nesting::cover_share));
        list.push_back(sphere_body("spiky", 1, SphereMethod::octree, 1, 8, Nesting::inside_parent));
        list.push_back(cube_body("lshape", 4, 2));
        list.push_back(cube_body("gear", 3, 3));
        list.push_back(swept_body("torusknot", 4));
        list.push_back(surface_body("folded"));
        return list;
    }();
    return all;
}

const std::vector<LadderBody>& solids() {
    static const std::vector<LadderBody> all = [] {
        std::vector<LadderBody> list;
        list.push_back(solid_body("sphere", Sphere{0.4f}));
        list.push_back(solid_body("box", Box{{0.5f, 0.1f, 0.3f}}));
        list.push_back(solid_body("capsule", Capsule{0.1f, 0.4f}));
        list.push_back(solid_body("cone", Cone{0.3f, 0.4f}));
        list.push_back(solid_body("compound", compound_shape()));
        return list;
    }();
    return all;
}

struct Run {
    PairDescent pair;
    Arena arena;
    DescentScratch scratch;

    Run(const Ladder& a, const Transform& at_a, const Ladder& b, const Transform& at_b,
        const DescentSettings& settings) {
        WorkMeter work;
        LadderDescent descent({a, at_a}, {b, at_b}, settings, scratch);
        descent.open(work, arena, pair);
        descent.finish(work, arena, pair);
        CHECK(work.spent() > 0);
    }
};

constexpr DescentPolicy k_policies[] = {DescentPolicy::staircase, DescentPolicy::together};

/// How far apart two nodes are; below zero they overlap. Spheres alone.
double gap(const Ladder& a, std::uint32_t slot_a, const Ladder& b, std::uint32_t slot_b,
           const Transformd& pose) {
    const BoundingBall x = a.ball(slot_a), y = b.ball(slot_b);
    return length(pose * Vec3d(y.centre) - Vec3d(x.centre)) - x.radius - y.radius;
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

    void descend() { visit(0, 0, 0, 0, false, true); }

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
        const bool inside = run.pair.count > 0 && !run.pair.exact; // no surfaces near, but within
        if (!inside) CHECK((run.pair.count > 0) == (distance < margin));
        if (distance > 0 && distance < margin) ++near;
        if (distance > margin) ++far;
    }
    CHECK(near * k_share > 5);
    CHECK(far * k_share > 20);
}

TEST_CASE("solids: leaves, elements and compounds agree with proximity()") {
    Random random(16);
    int meet = 0, miss = 0;
    std::vector<const LadderBody*> all;
    for (const LadderBody& body : bodies()) all.push_back(&body);
    for (const LadderBody& body : solids()) all.push_back(&body);
    for (const LadderBody& solid : solids()) {
        for (const LadderBody* other : all) {
            for (const bool swapped : {false, true}) {
                for (int i = 0; i < 12 / k_share + 1; ++i) {
                    const LadderBody& a = swapped ? *other : solid;
                    const LadderBody& b = swapped ? solid : *other;
                    const Transform at_a, at_b = random_pose(random, 1.4);
                    const DescentPolicy policy = k_policies[i % 2];
                    const Run run(a.ladder, at_a, b.ladder, at_b, {.policy = policy});
                    // Everything in A's frame, all parts against all parts.
                    SlotSet expected;
                    bool close = false;
                    const Transformd pose = b_in_a(at_a, at_b);
                    const auto judge = [&](float separation, std::uint32_t x, std::uint32_t y) {
                        close |= std::abs(separation) < 1e-5f;
                        if (separation <= 0) expected.push_back({x, y});
                    };
                    if (a.mesh.triangles.empty() && b.mesh.triangles.empty()) {
                        for (std::uint32_t x = 0; x < a.ladder.solids.size(); ++x)
                            for (std::uint32_t y = 0; y < b.ladder.solids.size(); ++y)
                                judge(
                                    proximity(
                                        a.ladder.solids[x].shape, a.ladder.solids[x].placement,
                                        b.ladder.solids[y].shape,
                                        Transform(pose * Transformd(b.ladder.solids[y].placement)))
                                        .separation,
                                    x, y);
                    } else if (b.mesh.triangles.empty()) {
                        for (std::uint32_t x = 0; x < a.mesh.triangles.size(); ++x)
                            for (std::uint32_t y = 0; y < b.ladder.solids.size(); ++y)
                                judge(proximity(b.ladder.solids[y].shape,
                                                Transform(pose *
                                                          Transformd(b.ladder.solids[y].placement)),
                                                corners(a.mesh, x))
                                          .separation,
                                      x, y);
                    } else {
                        for (std::uint32_t x = 0; x < a.ladder.solids.size(); ++x)
                            for (std::uint32_t y = 0; y < b.mesh.triangles.size(); ++y)
                                judge(proximity(a.ladder.solids[x].shape,
                                                a.ladder.solids[x].placement,
                                                corners_in(b.mesh, y, pose))
                                          .separation,
                                      x, y);
                    }
                    if (close) continue;
                    INFO(a.name, " with ", b.name);
                    if (expected.empty()) {
                        ++miss;
                        CHECK((run.pair.count == 0 || !run.pair.exact));
                    } else {
                        ++meet;
                        CHECK(sorted_pairs(run.pair) == expected);
                    }
                }
            }
        }
    }
    CHECK(meet * k_share > 300);
    CHECK(miss * k_share > 150);
}

TEST_CASE("half-spaces from either side") {
    Random random(17);
    std::vector<const LadderBody*> all;
    for (const LadderBody& body : bodies()) all.push_back(&body);
    for (const LadderBody& body : solids()) all.push_back(&body);
    int meet = 0, miss = 0;
    for (const LadderBody* body : all) {
        for (int i = 0; i < 40; ++i) {
            const Vec3 normal = Vec3(random.direction());
            const LadderBody plane = solid_body("half-space", HalfSpace{normal, 0.3f});
            const Transform at_plane = random_pose(random, 2);
            const Vec3d n = rotate(normalized(Quatd(at_plane.orientation)), Vec3d(normal));
            const double level = 0.3f + dot(n, Vec3d(at_plane.position));
            const Transform at = {Vec3(n * (level + random.uniform(-0.2, 0.9))),
                                  random_turn(random)};
            const bool swapped = i % 2 == 1;
            const Run run(swapped ? plane.ladder : body->ladder, swapped ? at_plane : at,
                          swapped ? body->ladder : plane.ladder, swapped ? at : at_plane, {});
            std::vector<std::uint32_t> expected, maybe;
            const auto judge = [&](double height, std::uint32_t number) {
                if (height < -1e-5) expected.push_back(number);
                if (height < 1e-5) maybe.push_back(number);
            };
            const Transformd pose(Vec3d(at.position), normalized(Quatd(at.orientation)));
            for (std::uint32_t t = 0; t < body->mesh.triangles.size(); ++t) {
                double least = 1e9;
                for (const Vec3& p : corners(body->mesh, t))
                    least = std::min(least, dot(n, pose * Vec3d(p)) - level);
                judge(least, t);
            }
            for (std::uint32_t s = 0; s < body->ladder.solids.size(); ++s) {
                const auto& [shape, placement] = body->ladder.solids[s];
                judge(proximity(shape, Transform(pose * Transformd(placement)),
                                HalfSpace{normal, 0.3f}, at_plane)
                          .separation,
                      s);
            }
            std::vector<std::uint32_t> found;
            if (run.pair.exact)
                for (std::uint32_t k = 0; k < run.pair.count; ++k)
                    found.push_back(swapped ? run.pair.b[k] : run.pair.a[k]);
            std::sort(found.begin(), found.end());
            INFO(body->name);
            CHECK(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
            CHECK(std::includes(maybe.begin(), maybe.end(), found.begin(), found.end()));
            (expected.empty() ? miss : meet) += 1;
        }
    }
    CHECK(meet > 200);
    CHECK(miss > 60);
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

TEST_CASE("a body inside another is a collision though the surfaces do not meet") {
    const LadderBody ball =
        sphere_body("icosphere", 2, SphereMethod::octree, 4, 8, Nesting::inside_parent);
    TriangleMesh small = ball.mesh;
    for (Vec3& v : small.vertices) v *= 0.3f;
    SphereTreeSettings settings;
    settings.method = SphereMethod::octree;
    settings.levels = 4;
    const Ladder inner = *make_ladder(*SphereTree::build(small, settings), small);
    const Run run(ball.ladder, {}, inner, Transform({0.05f, 0, 0}), {});
    CHECK(run.pair.outcome == Outcome::colliding);
    CHECK(run.pair.finished);
    CHECK(!run.pair.exact);
    CHECK(run.pair.count > 0);
    const Run outside(ball.ladder, {}, inner, Transform({0.8f, 0, 0}), {});
    CHECK(outside.pair.outcome == Outcome::apart);
    const LadderBody pill = solid_body("capsule", Capsule{0.05f, 0.1f});
    CHECK(Run(ball.ladder, {}, pill.ladder, {}, {}).pair.outcome == Outcome::colliding);
    CHECK(Run(pill.ladder, {}, ball.ladder, {}, {}).pair.outcome == Outcome::colliding);
    CHECK(Run(ball.ladder, {}, pill.ladder, Transform({0, 0.8f, 0}), {}).pair.outcome ==
          Outcome::apart);
}

TEST_CASE("bodies just apart are apart on the exact rung, however full their leaves") {
    // The leaves of a ring are balls that fill its tube and stick out by a hair.
    const LadderBody ring =
        sphere_body("torus", 2, SphereMethod::medial, 4, 8, Nesting::cover_share);
    const FclMesh fcl(ring.mesh);
    Random random(20);
    int near = 0;
    while (near * k_share < 40) {
        Transform at_b({}, random_turn(random));
        const Vec3d direction = random.direction();
        const auto move_to = [&](double distance) { at_b.position = Vec3(direction * distance); };
        double touching = 0.1, parted = 1.2;
        for (int i = 0; i < 16; ++i) {
            const double middle = 0.5 * (touching + parted);
            move_to(middle);
            (fcl.collides({}, fcl, at_b) ? touching : parted) = middle;
        }
        move_to(parted + 0.002);
        if (fcl.distance({}, fcl, at_b) < 1e-4) continue;
        ++near;
        CHECK(Run(ring.ladder, {}, ring.ladder, at_b, {}).pair.outcome == Outcome::apart);
    }
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
