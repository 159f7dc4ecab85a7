// Surfaces that deform: searches, spheres and ways against looking at every triangle.
#include <doctest/doctest.h>

#include <atomic>

#include "fovea/base/jobs.h"
#include "fovea/base/random.h"
#include "fovea/collide/deforming_surface.h"
#include "fovea/geometry/deforming_scenes.h"
#include "fovea/geometry/point_distance.h"

using namespace fovea;

namespace {

struct Bent {
    std::shared_ptr<const TriangleMesh> flat =
        std::make_shared<const TriangleMesh>(make_sheet(10, 30));
    std::shared_ptr<MorphTargets> targets = std::make_shared<MorphTargets>();
    Random random{11};

    float any(double reach) { return float(random.uniform(-reach, reach)); }
    std::vector<Vec3> vertices(double reach) {
        std::vector<Vec3> bent = flat->vertices;
        for (Vec3& v : bent) v += Vec3(any(reach), any(3 * reach), any(reach));
        return bent;
    }
    std::shared_ptr<DeformingSurface> deforming() {
        return *DeformingSurface::make(DeformingMesh{flat});
    }
    std::shared_ptr<DeformingSurface> morphing() {
        targets->vertices = {vertices(0.3), vertices(0.3)};
        return *DeformingSurface::make(DeformingMesh{flat, targets});
    }
};

TriangleMesh now(const DeformingSurface& surface, const TriangleMesh& first) {
    return {surface.all_vertices(), first.triangles};
}

/// All triangles below a node.
void collect(const Ladder& ladder, std::uint32_t slot, int level,
             std::vector<std::uint32_t>& triangles) {
    const auto [block, count] = ladder.children[slot];
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t child = block * LadderBlock::k_width + i;
        if (level == ladder.levels()) // a group: its children are elements
            triangles.push_back(ladder.element(child));
        else
            collect(ladder, child, level + 1, triangles);
    }
}

} // namespace

TEST_CASE("a search finds the triangles that looking at all of them does") {
    Bent bent;
    for (const bool morphs : {false, true}) {
        const auto surface = morphs ? bent.morphing() : bent.deforming();
        for (int frame = 0; frame < 20; ++frame) {
            const float a = float(bent.random.uniform(0, 1));
            if (morphs)
                REQUIRE(surface->set_weights(std::vector<float>{1 - a, a * 0.5f, a * 0.5f}));
            else
                REQUIRE(surface->set_vertices(bent.vertices(0.3)));
            const TriangleMesh mesh = now(*surface, *bent.flat);
            const MeshNeighbours neighbours = find_neighbours(mesh);
            for (int i = 0; i < 20; ++i) {
                const Vec3 at(bent.any(5), bent.any(1), bent.any(5));
                const Aabb box = expanded({at, at}, float(bent.random.uniform(0, 1)));
                std::vector<SurfaceTriangle> found;
                surface->gather(box, found);
                std::size_t next = 0;
                for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
                    Aabb around;
                    for (const Vec3& corner : corners(mesh, t)) around = merged(around, corner);
                    const bool listed = next < found.size() && found[next].number == t;
                    // Blended boxes are a little wider.
                    if (overlap(around, box)) REQUIRE(listed);
                    if (!morphs && listed) REQUIRE(overlap(around, box));
                    if (!listed) continue;
                    const SurfaceTriangle expected = surface_triangle(mesh, neighbours, t);
                    CHECK(found[next].corners == expected.corners);
                    CHECK(found[next].across == expected.across);
                    CHECK(found[next].open == expected.open);
                    ++next;
                }
                CHECK(next == found.size());
            }
        }
        CHECK(surface->take_refits() > 0);
        CHECK(surface->take_refits() == 0);
    }
}

TEST_CASE("a search that touches one spot refits a small part of the boxes") {
    const auto mesh = std::make_shared<const TriangleMesh>(make_sheet(10, 100));
    const auto surface = *DeformingSurface::make(DeformingMesh{mesh});
    std::vector<Vec3> vertices;
    std::uint64_t refits = 0;
    for (int frame = 1; frame <= 20; ++frame) {
        StandingWave{0.2f, 3, 1}.vertices(mesh->vertices, frame * 0.01, vertices);
        REQUIRE(surface->set_vertices(vertices));
        std::vector<SurfaceTriangle> found;
        surface->gather({{1, -1, 1}, {1.2f, 1, 1.2f}}, found);
        CHECK(!found.empty());
        const std::uint64_t now = surface->take_refits();
        if (frame > 10) refits += now; // by then it has chosen its depth
    }
    CHECK(refits / 10 < mesh->triangles.size() / 20); // 5 %
}

TEST_CASE("refitted spheres hold all that lies below them") {
    Bent bent;
    for (const bool morphs : {false, true}) {
        const auto surface = morphs ? bent.morphing() : bent.deforming();
        for (int frame = 0; frame < 5; ++frame) {
            CHECK(surface->ladder_is_old() == false);
            if (morphs)
                REQUIRE(surface->set_weights(std::vector<float>{0.2f, 0.5f, 0.3f}));
            else
                REQUIRE(surface->set_vertices(bent.vertices(0.5)));
            REQUIRE(surface->ladder_is_old());
            surface->refit_ladder();
            const TriangleMesh mesh = now(*surface, *bent.flat);
            const Ladder& ladder = surface->ladder();
            for (int level = 0; level < ladder.levels(); ++level) {
                std::size_t triangles = 0;
                const std::uint32_t begin = ladder.level_block[std::size_t(level)] * 8,
                                    end = ladder.level_block[std::size_t(level) + 1] * 8;
                for (std::uint32_t slot = begin; slot < end; ++slot) {
                    if (ladder.children[slot].count == 0) continue;
                    const BoundingBall ball = ladder.ball(slot);
                    CHECK(ball.radius <= ladder.largest_radius[std::size_t(level)]);
                    std::vector<std::uint32_t> below;
                    collect(ladder, slot, level, below);
                    triangles += below.size();
                    for (const std::uint32_t t : below)
                        for (const Vec3& corner : corners(mesh, t))
                            REQUIRE(length(Vec3d(corner) - Vec3d(ball.centre)) <=
                                    double(ball.radius));
                }
                CHECK(triangles == mesh.triangles.size());
            }
            for (const Vec3& v : mesh.vertices) CHECK(length(v) <= ladder.reach * (1 + 1e-6f));
        }
    }
}

TEST_CASE("the way of the nearest point is that of looking at all triangles") {
    Bent bent;
    const auto surface = bent.deforming();
    std::vector<Vec3> before = bent.vertices(0.1);
    REQUIRE(surface->set_vertices(before));
    surface->settle();
    CHECK(surface->farthest_way() == 0);
    std::vector<Vec3> after = before;
    float farthest = 0;
    for (Vec3& v : after) {
        // Linear in the place, so that the way at any point is known; and uneven.
        v += Vec3(0.1f * v.z, 0.05f * v.x, 0.02f);
    }
    for (std::size_t i = 0; i < after.size(); ++i)
        farthest = std::max(farthest, length(after[i] - before[i]));
    REQUIRE(surface->set_vertices(after));
    CHECK(surface->farthest_way() == doctest::Approx(farthest).epsilon(1e-5));
    const TriangleMesh mesh{after, bent.flat->triangles};
    for (int i = 0; i < 300; ++i) {
        const Vec3 point(bent.any(7), bent.any(2), bent.any(7));
        double best = INFINITY;
        Vec3d nearest;
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            const auto c = corners(mesh, t);
            const PointDistance d =
                point_to_triangle({Vec3d(c[0]), Vec3d(c[1]), Vec3d(c[2])}, Vec3d(point));
            if (d.distance < best) best = d.distance, nearest = d.surface;
        }
        // Where the nearest point was before: x' = x + 0.1 z, z' = z + 0.02.
        const double z = nearest.z - 0.02, x = nearest.x - 0.1 * z;
        const Vec3 way = surface->way_near(point, 0.01f);
        CHECK(length(Vec3d(way) - Vec3d(0.1 * z, 0.05 * x, 0.02)) < 1e-4);
    }
    surface->settle();
    CHECK(surface->way_near({}, 1) == Vec3());
}

TEST_CASE("several threads open the same boxes") {
    Bent bent;
    const auto surface = bent.deforming();
    const Jobs jobs(4);
    for (int frame = 0; frame < 50; ++frame) {
        REQUIRE(surface->set_vertices(bent.vertices(0.2)));
        std::atomic<std::uint64_t> sum = 0;
        jobs.for_blocks(64, 1, [&](std::size_t begin, std::size_t) {
            std::vector<SurfaceTriangle> found;
            surface->gather({{-2, -1, -2}, {2, 1, float(begin % 4)}}, found);
            for (const SurfaceTriangle& t : found) sum += t.number * (1 + begin % 4);
        });
        std::uint64_t expected = 0;
        for (std::size_t i = 0; i < 64; ++i) {
            std::vector<SurfaceTriangle> found;
            surface->gather({{-2, -1, -2}, {2, 1, float(i % 4)}}, found);
            for (const SurfaceTriangle& t : found) expected += t.number * (1 + i % 4);
        }
        REQUIRE(sum == expected);
    }
}

TEST_CASE("a state is restored, or refused") {
    Bent bent;
    for (const bool morphs : {false, true}) {
        const auto surface = morphs ? bent.morphing() : bent.deforming();
        const auto other = morphs ? *DeformingSurface::make(DeformingMesh{bent.flat, bent.targets})
                                  : bent.deforming();
        for (int i = 0; i < 2; ++i) {
            if (morphs)
                REQUIRE(surface->set_weights(
                    std::vector<float>{0.5f, 0.5f - 0.1f * float(i), 0.1f * float(i)}));
            else
                REQUIRE(surface->set_vertices(bent.vertices(0.2)));
            if (i == 0) surface->settle();
        }
        REQUIRE(other->restore(surface->state()));
        CHECK(other->all_vertices() == surface->all_vertices());
        CHECK(other->farthest_way() == surface->farthest_way());
        CHECK(other->extent() == surface->extent());
        CHECK(other->way_near({1, 0, 1}, 1) == surface->way_near({1, 0, 1}, 1));
        SurfaceState wrong = surface->state();
        wrong.vertices.push_back({});
        wrong.weights.push_back(0);
        CHECK(!other->restore(wrong));
    }
}
