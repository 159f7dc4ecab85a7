// The scripted scenes keep the events they were calibrated to.
#include <doctest/doctest.h>

#include "fovea/collide/mesh_query.h"
#include "tests/volume/hierarchy_samples.h"

using namespace fovea;

TEST_CASE("A1 first touches at step 59 of 0 to 199 and ends with about 3,760 pairs") {
    const TriangleMesh sphere = make_subdivided_sphere(20480).value();
    const RipplingScene scene = scene_a1();
    MeshQuery query;
    std::vector<MeshTree> trees;
    TriangleMesh mesh = sphere;
    for (int body = 0; body < 2; ++body) {
        scene.world_vertices(sphere.vertices, body, 0, mesh.vertices);
        trees.push_back(MeshTree::deforming(mesh).value());
    }
    const auto pairs_at = [&](int step) {
        for (int body = 0; body < 2; ++body) {
            scene.world_vertices(sphere.vertices, body, step, mesh.vertices);
            REQUIRE(trees[body].set_vertices(mesh.vertices));
        }
        return query.all_pairs({trees[0]}, {trees[1]}).pairs.size();
    };
    for (const int step : {0, 30, 50, 58}) CHECK(pairs_at(step) == 0);
    CHECK(pairs_at(59) > 0);
    // The source has 3,760; its shapes are not published, so ours only come close.
    CHECK(pairs_at(199) == doctest::Approx(3760).epsilon(0.02));
}

TEST_CASE("B1 touches in steps 41 to 364, and at most two references are active") {
    const MorphingScene scene = scene_b1();
    MeshQuery query;
    std::vector<MeshTree> trees;
    for (int body = 0; body < 2; ++body)
        trees.push_back(MeshTree::morphing(scene.references).value());
    const auto touch_at = [&](int step) {
        for (int body = 0; body < 2; ++body)
            REQUIRE(trees[body].set_weights(scene.weights(body, step)));
        const PlacedMesh a = {trees[0], scene.placement(0, step)};
        const PlacedMesh b = {trees[1], scene.placement(1, step)};
        return query.first_pair(a, b).meeting == Meeting::found;
    };
    for (const int step : {0, 20, 40, 365, 380, 399}) CHECK_FALSE(touch_at(step));
    for (const int step : {41, 120, 200, 300, 364}) CHECK(touch_at(step));
    for (int step = 0; step < 400; ++step) {
        int active = 0;
        for (const float w : scene.weights(1, step)) active += w != 0;
        CHECK(active <= 2);
    }
}

TEST_CASE("bodies of B2 have 564 times a power of four triangles and are closed") {
    for (const int level : {0, 1, 2}) {
        const MorphingScene scene = scene_b2(level);
        REQUIRE(scene.references.size() == 3);
        for (const TriangleMesh& shape : scene.references) {
            CHECK(int(shape.triangles.size()) == 564 << (2 * level));
            CHECK(is_closed_and_oriented(shape));
            CHECK(signed_volume(shape) > 0);
        }
    }
}

TEST_CASE("a morph query far from contact blends no vertex and few boxes") {
    const MorphingScene scene = scene_b1(5120);
    std::vector<MeshTree> trees;
    for (int body = 0; body < 2; ++body) {
        trees.push_back(MeshTree::morphing(scene.references).value());
        REQUIRE(trees[body].set_weights(scene.weights(body, 0)));
    }
    MeshQuery query;
    const auto& apart = query.all_pairs({trees[0]}, {trees[1], Transform({9, 0, 0})});
    CHECK(apart.pairs.empty());
    CHECK(apart.counters.refits.vertices_blended == 0);
    CHECK(apart.counters.refits.nodes_updated == 2);
    const auto touching = query.first_pair({trees[0]}, {trees[1], Transform({1.9f, 0, 0})});
    CHECK(touching.meeting == Meeting::found);
    CHECK(touching.counters.refits.vertices_blended < trees[0].hierarchy().vertex_order.size() / 4);
}
