// Trees of cubes, swept volumes and mixtures: they enclose, they choose what fits, and a descent
// over trees of any types finds what all pairs of leaves find.
#include <doctest/doctest.h>

#include "fovea/geometry/triangle_overlap.h"
#include "fovea/volume/volume_pairs.h"
#include "fovea/volume/volume_tree.h"
#include "tests/volume/random_meshes.h"
#include "tests/volume/tree_oracle.h"

using namespace fovea;
using namespace fovea::testing;

namespace {

bool has_path(const VolumeTree& tree, std::uint32_t node, const Vec3d& p) {
    if (!holds(placed(tree.node(node), {}), p)) return false;
    const VolumeTree::Range children = tree.children(node);
    if (children.count == 0) return true;
    for (std::uint32_t c = children.first; c < children.first + children.count; ++c) {
        if (has_path(tree, c, p)) return true;
    }
    return false;
}

/// Random points of the surface that no path from the root to a leaf holds.
int points_left_out(const VolumeTree& tree, const TriangleMesh& mesh, std::uint64_t seed) {
    Random random(seed);
    int missed = 0;
    for (int i = 0; i < 2000; ++i) {
        missed += !has_path(tree, 0, surface_sample(mesh, i, random));
    }
    return missed;
}

int count_of(const VolumeTree& tree, int level, VolumeType type) {
    const VolumeTree::Range range = tree.level(level);
    int count = 0;
    for (std::uint32_t i = 0; i < range.count; ++i) {
        count += tree.node(range.first + i).type == type;
    }
    return count;
}

/// Pairs of leaves that touch, by descending the wider node of a pair that touches.
void descend(const VolumeTree& a, std::uint32_t i, const VolumeTree& b, std::uint32_t k,
             const Transformd& pose, std::vector<std::pair<std::uint32_t, std::uint32_t>>& hits) {
    const NodeVolumed va = placed(a.node(i), {}), vb = placed(b.node(k), pose);
    if (!pair_model(va.type, vb.type).touch(va, vb)) return;
    if (a.is_leaf(i) && b.is_leaf(k)) return hits.emplace_back(i, k), void();
    const VolumeTree::Range into_a = a.children(i), into_b = b.children(k);
    if (b.is_leaf(k) || (!a.is_leaf(i) && cubic_size(va) > cubic_size(vb))) {
        for (std::uint32_t c = 0; c < into_a.count; ++c) {
            descend(a, into_a.first + c, b, k, pose, hits);
        }
    } else {
        for (std::uint32_t c = 0; c < into_b.count; ++c) {
            descend(a, i, b, into_b.first + c, pose, hits);
        }
    }
}

/// Two surfaces have a point in common: all pairs of triangles.
bool surfaces_meet(const TriangleMesh& a, const TriangleMesh& b, const Transformd& pose) {
    for (std::size_t i = 0; i < b.triangles.size(); ++i) {
        auto t = corners(b, i);
        for (Vec3& corner : t) corner = Vec3(pose * Vec3d(corner));
        for (std::size_t k = 0; k < a.triangles.size(); ++k) {
            if (triangles_overlap(corners(a, k), t)) return true;
        }
    }
    return false;
}

TriangleMesh stretched(TriangleMesh mesh, const Vec3& by) {
    for (Vec3& v : mesh.vertices) v = {v.x * by.x, v.y * by.y, v.z * by.z};
    return mesh;
}

} // namespace

TEST_CASE("cube trees enclose surface and solid, siblings alike in size") {
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        CAPTURE(seed);
        const TriangleMesh mesh = random_mesh(seed);
        const int divisions = 2 + int(seed % 3);
        const auto tree = VolumeTree::build_cubes(
            mesh, {.levels = divisions == 2 ? 4 : 3, .divisions = divisions, .threads = 1});
        REQUIRE(tree.has_value());
        CHECK(points_left_out(*tree, mesh, seed) == 0);
        CHECK(tree->structure().branching() <= std::uint32_t(divisions * divisions * divisions));
        for (std::uint32_t n = 1; n < tree->size(); ++n) {
            const VolumeTree::Range siblings = tree->children(tree->parent(n));
            CHECK(tree->node(n).u.x ==
                  doctest::Approx(tree->node(siblings.first).u.x).epsilon(1e-5));
        }
        Random random(seed);
        const Aabb box = bounds(mesh);
        const Vec3d low(box.low), extent = Vec3d(box.high) - low;
        for (int i = 0; i < 200; ++i) {
            const Vec3d p =
                low + scale(extent, Vec3d(random.uniform(), random.uniform(), random.uniform()));
            if (inside_by_parity(mesh, p, random)) CHECK(has_path(*tree, 0, p));
        }
    }
}

TEST_CASE("a cube tree of the surface alone is hollow") {
    const TriangleMesh ball = make_icosphere(1, 3);
    const auto tree = VolumeTree::build_cubes(ball, {.levels = 5, .enclosure = Enclosure::surface});
    REQUIRE(tree.has_value());
    CHECK_FALSE(has_path(*tree, 0, {0.1, 0.1, 0.1}));
    const auto solid = VolumeTree::build_cubes(ball, {.levels = 5});
    CHECK(has_path(*solid, 0, {0.1, 0.1, 0.1}));
}

TEST_CASE("swept trees enclose random and broken meshes") {
    const auto check = [](const TriangleMesh& mesh, std::uint64_t seed) {
        SweptTreeSettings settings;
        settings.levels = 2 + int(seed % 3);
        settings.branching = 2 + int(seed % 7);
        settings.points = seed % 5 != 1;
        settings.segments = seed % 5 != 2;
        settings.rectangles = seed % 5 != 3;
        settings.threads = 1;
        const auto tree = VolumeTree::build_swept(mesh, settings);
        REQUIRE(tree.has_value());
        CHECK(points_left_out(*tree, mesh, seed) == 0);
        CHECK(tree->levels() == settings.levels);
        CHECK(tree->structure().branching() <= std::uint32_t(settings.branching));
        if (!settings.points) CHECK(count_of(*tree, 1, VolumeType::point) == 0);
        if (!settings.segments) CHECK(count_of(*tree, 1, VolumeType::segment) == 0);
        if (!settings.rectangles) CHECK(count_of(*tree, 1, VolumeType::rectangle) == 0);
    };
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        check(random_mesh(seed), seed);
    }
    std::uint64_t seed = 0;
    for (const auto& [name, mesh] : broken_meshes()) {
        CAPTURE(name);
        check(mesh, seed++);
    }
}

TEST_CASE("corners that cleaning welds together are enclosed where they were") {
    // Corners of one vertex lie up to half a millionth apart, so that welding moves them.
    TriangleMesh mesh = unwelded(make_gear(1, 0.2f, 0.4f, 7));
    Random random(9);
    for (Vec3& v : mesh.vertices) v = Vec3(Vec3d(v) + random.direction() * 5e-7);
    for (const int levels : {2, 4}) {
        const auto swept = VolumeTree::build_swept(mesh, {.levels = levels});
        const auto cubes = VolumeTree::build_cubes(mesh, {.levels = levels});
        REQUIRE(swept.has_value());
        REQUIRE(cubes.has_value());
        CHECK(points_left_out(*swept, mesh, 1) == 0);
        CHECK(points_left_out(*cubes, mesh, 1) == 0);
    }
}

TEST_CASE("the builder picks what fits") {
    const auto root_type = [](const TriangleMesh& mesh) {
        const auto tree = VolumeTree::build_swept(mesh, {.levels = 1});
        REQUIRE(tree.has_value());
        CHECK(tree->is_leaf(0));
        return tree->node(0).type;
    };
    const TriangleMesh ball = make_icosphere(1, 3);
    CHECK(root_type(ball) == VolumeType::point);
    CHECK(root_type(stretched(ball, {5, 1, 1})) == VolumeType::segment);
    CHECK(root_type(stretched(ball, {4, 3, 0.3f})) == VolumeType::rectangle);
    CHECK(root_type(make_sheet(8, 0)) == VolumeType::rectangle);
    // Of a torus knot's pieces most are lengths of tube.
    const auto knot =
        VolumeTree::build_swept(make_torus_knot(1, 0.08f, 2, 3, 96, 8), {.levels = 3});
    REQUIRE(knot.has_value());
    CHECK(count_of(*knot, 2, VolumeType::segment) > int(knot->level(2).count) / 2);
}

TEST_CASE("a mixed tree is tighter than one of spheres alone") {
    for (const std::string name : {"gear", "folded", "lshape", "torusknot"}) {
        CAPTURE(name);
        const TriangleMesh mesh = *make_procedural(name, 1);
        const auto mixed = VolumeTree::build_swept(mesh, {});
        const auto spheres =
            VolumeTree::build_swept(mesh, {.segments = false, .rectangles = false});
        for (int level = 0; level < mixed->levels(); ++level) {
            CHECK(cubic_size(*mixed, level) <= cubic_size(*spheres, level));
        }
        // Leaves by a fifth at least, even where the shape has no long or flat parts.
        CHECK(cubic_size(*mixed, 3) < 0.8 * cubic_size(*spheres, 3));
        CHECK(cubic_size(*mixed, 3) < cubic_size(*mixed, 0));
    }
}

TEST_CASE("volume trees are the same for any number of threads") {
    const TriangleMesh mesh = make_spiky(1, 0.6f, 7, 2);
    const auto cubes = VolumeTree::build_cubes(mesh, {.threads = 1});
    const auto swept = VolumeTree::build_swept(mesh, {.threads = 1});
    for (const int threads : {2, 4}) {
        CHECK(*VolumeTree::build_cubes(mesh, {.threads = threads}) == *cubes);
        CHECK(*VolumeTree::build_swept(mesh, {.threads = threads}) == *swept);
    }
}

TEST_CASE("trees of all types meet in one descent") {
    const TriangleMesh mesh = make_gear(1, 0.2f, 0.4f, 7);
    const auto spheres = SphereTree::build(
        mesh, {.method = SphereMethod::octree, .nesting = Nesting::inside_parent});
    const auto cubes = VolumeTree::build_cubes(mesh, {.levels = 3});
    const auto swept = VolumeTree::build_swept(mesh, {.levels = 3});
    REQUIRE(spheres.has_value());
    const VolumeTree trees[] = {VolumeTree(*spheres), *cubes, *swept};
    Random random(9);
    int touching = 0, apart = 0;
    for (int i = 0; i < 90; ++i) {
        const VolumeTree &a = trees[i % 3], &b = trees[i / 3 % 3];
        const Transformd pose{random.direction() * random.uniform(0.5, 3.2),
                              from_axis_angle(random.direction(), random.uniform(0, 6))};
        std::vector<std::pair<std::uint32_t, std::uint32_t>> hits;
        descend(a, 0, b, 0, pose, hits);
        // Every hit is one that the leaves have, each once.
        std::sort(hits.begin(), hits.end());
        CHECK(std::adjacent_find(hits.begin(), hits.end()) == hits.end());
        // What the surfaces have in common the descent has found: nodes bound what is beneath.
        if (surfaces_meet(mesh, mesh, pose)) CHECK_FALSE(hits.empty());
        ++(hits.empty() ? apart : touching);
        // Spheres inside their parents, and cubes likewise: all pairs of leaves that touch.
        if (i % 3 == 2 || i / 3 % 3 == 2) continue;
        std::size_t all = 0;
        const VolumeTree::Range leaves_a = a.level(a.levels() - 1),
                                leaves_b = b.level(b.levels() - 1);
        for (std::uint32_t x = 0; x < leaves_a.count; ++x) {
            const NodeVolumed va = placed(a.node(leaves_a.first + x), {});
            for (std::uint32_t y = 0; y < leaves_b.count; ++y) {
                const NodeVolumed vb = placed(b.node(leaves_b.first + y), pose);
                all += pair_model(va.type, vb.type).touch(va, vb);
            }
        }
        CHECK(hits.size() == all);
    }
    CHECK(touching > 20);
    CHECK(apart > 10);
}

TEST_CASE("impossible settings of volume trees are refused with the value") {
    const TriangleMesh mesh = make_icosphere(1, 1);
    const auto cubes = [&](const CubeTreeSettings& settings) {
        const auto tree = VolumeTree::build_cubes(mesh, settings);
        return tree ? std::string() : tree.error().message;
    };
    const auto swept = [&](const SweptTreeSettings& settings) {
        const auto tree = VolumeTree::build_swept(mesh, settings);
        return tree ? std::string() : tree.error().message;
    };
    CHECK(cubes({.levels = 0}).find("levels is 0") == 0);
    CHECK(cubes({.divisions = 5}).find("divisions is 5") == 0);
    CHECK(swept({.levels = 9}).find("levels is 9") == 0);
    CHECK(swept({.branching = 1}).find("branching is 1") == 0);
    CHECK(swept({.worth = NAN}).find("worth is nan") == 0);
    CHECK(swept({.points = false, .segments = false, .rectangles = false}).find("no type") == 0);
    CHECK_FALSE(VolumeTree::build_swept({}).has_value());
    CHECK_FALSE(VolumeTree::build_cubes({}).has_value());
}
