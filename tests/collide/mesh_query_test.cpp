// Mesh queries against brute force, for every mix of bodies.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "fovea/base/simd.h"
#include "fovea/collide/mesh_descent.h"
#include "fovea/geometry/triangle_distance.h"
#include "tests/volume/hierarchy_samples.h"

using namespace fovea;

namespace {

TriangleMesh placed_mesh(TriangleMesh mesh, const Transform& at) {
    if (at == Transform()) return mesh;
    for (Vec3& v : mesh.vertices) v = at * v;
    return mesh;
}

std::vector<TrianglePair> brute_pairs(const TriangleMesh& a, const TriangleMesh& b) {
    std::vector<TrianglePair> pairs;
    for (std::uint32_t i = 0; i < a.triangles.size(); ++i) {
        const TriangleCorners s = corners(a, i);
        const Aabb box = {min(s[0], min(s[1], s[2])), max(s[0], max(s[1], s[2]))};
        for (std::uint32_t j = 0; j < b.triangles.size(); ++j) {
            const TriangleCorners t = corners(b, j);
            if (!overlap(box, {min(t[0], min(t[1], t[2])), max(t[0], max(t[1], t[2]))})) continue;
            if (triangles_overlap_exact(s, t)) pairs.push_back({i, j});
        }
    }
    return pairs;
}

std::vector<TrianglePair> sorted(std::vector<TrianglePair> pairs) {
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

/// One body of each kind, its current shape in its own frame, and where it is.
struct Body {
    MeshTree tree;
    TriangleMesh shape;
    Transform placement;
    TriangleMesh in_world() const { return placed_mesh(shape, placement); }
    PlacedMesh placed() { return {tree, placement}; }
};

std::vector<Body> bodies_of_all_kinds(float shift, const HierarchySettings& settings) {
    std::vector<Body> bodies;
    const Transform turned({shift, 0.1f, -0.2f}, normalized(Quat(0.8f, 0.3f, -0.4f, 0.2f)));
    for (const Transform& at : {Transform(), turned}) {
        const TriangleMesh base = bumpy_sphere(320);
        bodies.push_back({MeshTree::rigid(base, settings).value(), base, at});

        const TriangleMesh later = bumpy_sphere(320, 1.1f);
        auto deforming = MeshTree::deforming(base, settings).value();
        REQUIRE(deforming.set_vertices(later.vertices));
        bodies.push_back({std::move(deforming), later, at});

        const TriangleMesh references[] = {base, bumpy_sphere(320, 2), bumpy_sphere(320, 4)};
        auto morphing = MeshTree::morphing(references, settings).value();
        const std::vector<float> weights = {0, 0.3f, 0.7f};
        REQUIRE(morphing.set_weights(weights));
        TriangleMesh blend = base;
        for (std::size_t i = 0; i < base.vertices.size(); ++i) {
            blend.vertices[i] = {};
            for (int r = 1; r < 3; ++r) blend.vertices[i] += references[r].vertices[i] * weights[r];
        }
        bodies.push_back({std::move(morphing), blend, at});
    }
    return bodies;
}

} // namespace

TEST_CASE("all pairs and first pair equal brute force for every mix of bodies") {
    MeshQuery query;
    int meeting = 0;
    for (const HierarchySettings& settings :
         {HierarchySettings{8, Partition::surface_area}, HierarchySettings{2, Partition::median},
          HierarchySettings{8, Partition::midpoint_centre},
          HierarchySettings{4, Partition::connectivity}}) {
        for (const float shift : {0.4f, 1.7f, 2.3f, 4.0f}) {
            auto first = bodies_of_all_kinds(0, settings);
            auto second = bodies_of_all_kinds(shift, settings);
            for (Body& a : first) {
                for (Body& b : second) {
                    if (settings.branching != 8 && &a - first.data() != 1) continue;
                    const auto expected = brute_pairs(a.in_world(), b.in_world());
                    meeting += !expected.empty();
                    for (const BoxTest test : {BoxTest::sat_lite, BoxTest::sat_full}) {
                        const auto& answer =
                            query.all_pairs(a.placed(), b.placed(), {.box_test = test});
                        CHECK(answer.complete);
                        CHECK(sorted(answer.pairs) == expected);
                    }
                    const FirstPairAnswer found = query.first_pair(a.placed(), b.placed());
                    CHECK((found.meeting == Meeting::found) == !expected.empty());
                    if (found.meeting == Meeting::found) {
                        CHECK(std::binary_search(expected.begin(), expected.end(), found.pair));
                        const auto again =
                            query.first_pair(a.placed(), b.placed(), {}, found.leaves);
                        CHECK(again.pair == found.pair);
                        CHECK(again.counters.box_tests == 0);
                    }
                }
            }
        }
    }
    CHECK(meeting > 30);
}

TEST_CASE("the pair set is the same in every frame of a run, for every policy") {
    const TriangleMesh base = make_subdivided_sphere(1280).value();
    RipplingScene scene = scene_a1();
    const RefitSettings policies[] = {{UpdatePolicy::rebuild},
                                      {UpdatePolicy::bottom_up},
                                      {UpdatePolicy::top_down},
                                      {UpdatePolicy::hybrid},
                                      {UpdatePolicy::hybrid, 2, LazyVariant::subtree}};
    std::vector<std::vector<TrianglePair>> reference;
    for (const RefitSettings& policy : policies) {
        std::vector<MeshTree> trees;
        for (int body = 0; body < 2; ++body) {
            TriangleMesh mesh = base;
            scene.world_vertices(base.vertices, body, 0, mesh.vertices);
            trees.push_back(MeshTree::deforming(mesh, {}, policy).value());
        }
        MeshQuery query;
        std::vector<Vec3> world;
        std::size_t frame = 0;
        for (int step = 0; step < 200; step += 11, ++frame) {
            for (int body = 0; body < 2; ++body) {
                scene.world_vertices(base.vertices, body, step, world);
                REQUIRE(trees[body].set_vertices(world));
            }
            const auto pairs = sorted(query.all_pairs({trees[0]}, {trees[1]}).pairs);
            if (reference.size() <= frame) reference.push_back(pairs);
            CHECK(pairs == reference[frame]);
            if (&policy == policies && frame % 6 == 5) {
                TriangleMesh a = base, b = base;
                scene.world_vertices(base.vertices, 0, step, a.vertices);
                scene.world_vertices(base.vertices, 1, step, b.vertices);
                CHECK(pairs == brute_pairs(a, b));
            }
        }
        CHECK(reference.back().size() > 500);
        CHECK(reference.front().empty());
    }
}

TEST_CASE("a mesh meets itself where it folds over, adjacent faces excepted") {
    MeshQuery query;
    // A sphere pressed flat through itself: its far half turned inside out below its near half.
    TriangleMesh mesh = bumpy_sphere(1280);
    auto tree = MeshTree::deforming(mesh).value();
    const auto brute_self = [](const TriangleMesh& m) {
        std::vector<TrianglePair> pairs;
        for (const TrianglePair& p : brute_pairs(m, m)) {
            const auto &s = m.triangles[p.a], &t = m.triangles[p.b];
            const bool adjacent = std::any_of(s.begin(), s.end(), [&](std::uint32_t v) {
                return std::find(t.begin(), t.end(), v) != t.end();
            });
            if (p.a < p.b && !adjacent) pairs.push_back(p);
        }
        return pairs;
    };
    CHECK(query.self_pairs({tree}).pairs.empty());
    for (Vec3& v : mesh.vertices) v.z = v.z > 0 ? v.z : -0.9f * v.z;
    REQUIRE(tree.set_vertices(mesh.vertices));
    const auto expected = brute_self(mesh);
    CHECK(expected.size() > 50);
    CHECK(sorted(query.self_pairs({tree}).pairs) == expected);
    const PairsAnswer cut = query.self_pairs({tree}, {.budget = Budget::work(200)});
    CHECK_FALSE(cut.complete);
}

TEST_CASE("any number of threads and any instruction set give the same answer in the same order") {
    auto bodies = bodies_of_all_kinds(0.7f, {});
    MeshQuery query;
    std::vector<TrianglePair> reference;
    std::uint64_t updated = 0;
    for (const SimdTarget& target : simd_targets()) {
        use_simd_target(target);
        for (const int threads : {1, 2, 4}) {
            const Jobs jobs(threads);
            auto fresh = bodies_of_all_kinds(0.7f, {});
            const auto& answer =
                query.all_pairs(fresh[1].placed(), fresh[4].placed(), {.jobs = &jobs});
            CHECK(answer.complete);
            if (reference.empty())
                reference = answer.pairs, updated = answer.counters.refits.nodes_updated;
            CHECK(answer.pairs == reference);
            CHECK(answer.counters.refits.nodes_updated == updated);
        }
    }
    use_best_simd_target();
    CHECK(sorted(reference) ==
          sorted(query.all_pairs(bodies[1].placed(), bodies[4].placed()).pairs));
    CHECK(reference.size() > 50);
}

TEST_CASE("several threads query one pair of trees at once and agree") {
    std::vector<TrianglePair> reference;
    for (int round = 0; round < 4; ++round) {
        auto bodies = bodies_of_all_kinds(0.7f, {});
        for (const int other : {4, 5}) {
            constexpr int k_threads = 4;
            std::vector<std::vector<TrianglePair>> found(k_threads);
            std::vector<std::thread> threads;
            for (int t = 0; t < k_threads; ++t) {
                threads.emplace_back([&, t] {
                    MeshQuery query;
                    found[t] = query.all_pairs(bodies[1].placed(), bodies[other].placed()).pairs;
                });
            }
            for (std::thread& thread : threads) thread.join();
            for (int t = 1; t < k_threads; ++t) CHECK(found[t] == found[0]);
            if (other == 4) {
                if (reference.empty()) reference = found[0];
                CHECK(found[0] == reference);
            }
            CHECK(found[0].size() > 50);
        }
    }
}

TEST_CASE("a cut query loses nothing: every pair is found or below an undecided pair of nodes") {
    auto bodies = bodies_of_all_kinds(0.8f, {});
    Body &a = bodies[1], &b = bodies[4];
    MeshQuery query;
    const auto expected = brute_pairs(a.in_world(), b.in_world());
    REQUIRE(expected.size() > 50);
    const auto covers = [](const MeshHierarchy& h, std::uint32_t slot, std::uint32_t face) {
        const std::uint32_t child = h.child[slot];
        std::uint32_t first = MeshHierarchy::leaf_of(child), count = 1;
        if (!MeshHierarchy::is_leaf_child(child)) {
            first = h.nodes[h.block_node[child]].first_leaf;
            count = h.nodes[h.block_node[child]].leaves;
        }
        const auto begin = h.triangle_order.begin() + first;
        return std::find(begin, begin + count, face) != begin + count;
    };
    std::size_t found_before = 0;
    for (const std::uint64_t units : {0, 30, 300, 1500, 4000, 100000}) {
        auto fresh = bodies_of_all_kinds(0.8f, {});
        const PairsAnswer answer =
            query.all_pairs(fresh[1].placed(), fresh[4].placed(), {.budget = Budget::work(units)});
        const auto pairs = sorted(answer.pairs);
        for (const TrianglePair& pair : expected) {
            bool covered = std::binary_search(pairs.begin(), pairs.end(), pair);
            for (const SlotPair& slots : answer.undecided)
                covered = covered || (covers(fresh[1].tree.hierarchy(), slots.a, pair.a) &&
                                      covers(fresh[4].tree.hierarchy(), slots.b, pair.b));
            CHECK(covered);
        }
        CHECK(answer.complete == answer.undecided.empty());
        CHECK(std::includes(expected.begin(), expected.end(), pairs.begin(), pairs.end()));
        CHECK(pairs.size() >= found_before);
        found_before = pairs.size();
        if (units < 300) CHECK_FALSE(answer.complete);
        // The same budget is spent at the same place.
        auto again = bodies_of_all_kinds(0.8f, {});
        const PairsAnswer repeated =
            query.all_pairs(again[1].placed(), again[4].placed(), {.budget = Budget::work(units)});
        CHECK(repeated.pairs == answer.pairs);
        CHECK(repeated.work == answer.work);
    }
    CHECK(found_before == expected.size());
    CHECK(query.first_pair(a.placed(), b.placed(), {.budget = Budget::work(0)}).meeting ==
          Meeting::unknown);
    CHECK_FALSE(
        query.all_pairs(a.placed(), b.placed(), {.budget = Budget::milliseconds(0)}).complete);
}

TEST_CASE("distance equals brute force within its bound, and cut short it is a lower bound") {
    MeshQuery query;
    for (const float shift : {1.0f, 2.4f, 3.1f, 5.0f}) {
        auto first = bodies_of_all_kinds(0, {});
        auto second = bodies_of_all_kinds(shift, {});
        for (const int i : {0, 1, 5}) {
            for (const int j : {3, 4, 5}) {
                Body &a = first[i], &b = second[j];
                const TriangleMesh s = a.in_world(), t = b.in_world();
                double least = 1e9;
                for (std::uint32_t k = 0; k < s.triangles.size(); k += 1) {
                    for (std::uint32_t l = 0; l < t.triangles.size() && least > 0; ++l) {
                        const Aabb p = {
                            min(corners(s, k)[0], min(corners(s, k)[1], corners(s, k)[2])),
                            max(corners(s, k)[0], max(corners(s, k)[1], corners(s, k)[2]))};
                        Aabb q;
                        for (const Vec3& v : corners(t, l)) q = merged(q, v);
                        if (!overlap(expanded(p, float(least) * 1.001f), q)) continue;
                        least =
                            std::min(least, triangle_gap(corners(s, k), corners(t, l)).distance);
                    }
                }
                const DistanceAnswer near = query.distance(a.placed(), b.placed(), 10);
                CHECK(near.complete);
                REQUIRE(near.distance);
                CHECK(*near.distance == least);
                CHECK(near.at_least == least);
                if (least > 0) {
                    CHECK(length(near.on_a - near.on_b) == doctest::Approx(least).epsilon(1e-9));
                    const DistanceAnswer none =
                        query.distance(a.placed(), b.placed(), least * 0.99);
                    CHECK_FALSE(none.distance);
                    CHECK(none.at_least == least * 0.99);
                    for (const std::uint64_t units : {0, 50, 500}) {
                        const DistanceAnswer cut = query.distance(a.placed(), b.placed(), 10,
                                                                  {.budget = Budget::work(units)});
                        CHECK(cut.at_least <= least);
                        if (cut.distance) CHECK(*cut.distance >= least);
                    }
                }
            }
        }
    }
}

TEST_CASE("the swept query finds a passage that both ends of the step miss") {
    const TriangleMesh mesh = bumpy_sphere(320);
    const auto moved_by = [&](Vec3 by) { return placed_mesh(mesh, Transform(by)); };
    auto still = MeshTree::rigid(mesh).value();
    auto fast = MeshTree::deforming(moved_by({-5, 0.1f, 0}), {}, {.keep_previous = true}).value();
    REQUIRE(fast.set_vertices(moved_by({-5, 0.1f, 0}).vertices));
    REQUIRE(fast.set_vertices(moved_by({5, 0.1f, 0}).vertices));
    MeshQuery query;
    CHECK(query.first_pair({still}, {fast}).meeting == Meeting::none);
    const float tolerance = 1e-3f;
    const SweptAnswer hit = query.swept({still}, {fast}, tolerance);
    CHECK(hit.complete);
    REQUIRE(hit.pair);
    // Just before, the meshes are apart; after crossing the tolerance they would be at contact.
    const auto distance_at = [&](double t) {
        auto there = MeshTree::rigid(moved_by({float(-5 + 10 * t), 0.1f, 0})).value();
        return *query.distance({still}, {there}, 100).distance;
    };
    CHECK(distance_at(hit.free_until) > 0);
    // Vertices are floats near 5: their rounding of 5e-7 adds to the tolerance.
    CHECK(distance_at(hit.free_until) <= tolerance + 1e-5);
    // By placement instead of vertices.
    auto rigid = MeshTree::rigid(mesh).value();
    const SweptAnswer same =
        query.swept({still}, {rigid, Transform({5, 0.1f, 0}), Transform({-5, 0.1f, 0})}, tolerance);
    CHECK(same.free_until == doctest::Approx(hit.free_until).epsilon(1e-3));
    // Far away nothing happens; cut short nothing is promised.
    const SweptAnswer miss =
        query.swept({still}, {rigid, Transform({5, 9, 0}), Transform({-5, 9, 0})}, tolerance);
    CHECK(miss.free_until == 1);
    CHECK_FALSE(miss.pair);
    const SweptAnswer cut = query.swept({still}, {fast}, tolerance, {.budget = Budget::work(10)});
    CHECK_FALSE(cut.complete);
    CHECK(cut.free_until == 0);
}

TEST_CASE("a mesh touched at one spot refits a small part of its boxes") {
    const TriangleMesh mesh = bumpy_sphere(20480);
    auto tree = MeshTree::deforming(mesh).value();
    // A small probe at the tip of the mesh's farthest vertex along x.
    const Vec3 tip = *std::max_element(mesh.vertices.begin(), mesh.vertices.end(),
                                       [](const Vec3& a, const Vec3& b) { return a.x < b.x; });
    TriangleMesh probe = make_icosphere(0.02f, 1);
    for (Vec3& v : probe.vertices) v += tip;
    auto spot = MeshTree::rigid(probe).value();
    MeshQuery query;
    std::uint64_t updated = 0;
    for (int frame = 0; frame < 4; ++frame) {
        REQUIRE(tree.set_vertices(mesh.vertices));
        const auto& answer = query.all_pairs({tree}, {spot});
        CHECK(!answer.pairs.empty());
        updated = tree.eager_counters().nodes_updated + answer.counters.refits.nodes_updated;
    }
    CHECK(updated * 20 < tree.hierarchy().nodes.size());
}

TEST_CASE("sat-lite never misses what full sat finds, and full sat is sharper") {
    Random random(5);
    int lite = 0, full = 0;
    for (int i = 0; i < 20000; ++i) {
        const auto box = [&] {
            const Vec3 c(random.direction()),
                h(float(random.uniform(0.05, 0.6)), float(random.uniform(0.05, 0.6)),
                  float(random.uniform(0.05, 0.6)));
            return Aabb{c - h, c + h};
        };
        const Transform at(Vec3(random.direction()),
                           normalized(Quat(float(random.gaussian()), Vec3(random.direction()))));
        const FramePair frames = frame_pair({}, at, 2);
        WideBoxes boxes = WideBoxes::empty();
        for (int lane = 0; lane < 5; ++lane) boxes.set_lane(lane, box());
        const TurnedBox other = turned(frames, box());
        const auto by_lite = overlapping_lanes(boxes, other, frames, BoxTest::sat_lite);
        const auto by_full = overlapping_lanes(boxes, other, frames, BoxTest::sat_full);
        CHECK((by_full & ~by_lite) == 0);
        CHECK(by_lite < 32);
        lite += std::popcount(by_lite), full += std::popcount(by_full);
    }
    CHECK(full < lite);
    MESSAGE("false overlaps of sat-lite: ", 100.0 * (lite - full) / lite, " %");
}
