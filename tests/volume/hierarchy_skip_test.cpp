// Skip trees: the source's worked example, every bound, every policy.
#include <doctest/doctest.h>

#include <cstring>

#include "fovea/volume/skip_tree.h"
#include "tests/volume/hierarchy_samples.h"

using namespace fovea;

namespace {

template <class Bound>
void check_bounds(const TriangleMesh& mesh) {
    const auto h = std::make_shared<const MeshHierarchy>(build_hierarchy(mesh, {}).value());
    for (const RefitSettings& policy :
         {RefitSettings{UpdatePolicy::bottom_up}, RefitSettings{UpdatePolicy::top_down},
          RefitSettings{UpdatePolicy::hybrid}}) {
        SkipTree<Bound> tree(h, policy);
        const TriangleMesh now = bumpy_sphere(1280, 0.9f);
        REQUIRE(tree.set_vertices(now.vertices));
        RefitCounters counters;
        int outside = 0;
        for (std::uint32_t node = 0; node < h->nodes.size(); ++node) {
            const Bound bound = tree.bound(node, counters);
            for (std::uint32_t i = 0; i < h->nodes[node].leaves; ++i) {
                const std::uint32_t face = h->triangle_order[h->nodes[node].first_leaf + i];
                for (const Vec3& p : corners(now, face)) outside += !contains(bound, p);
            }
        }
        CHECK(outside == 0);
        CHECK(counters.nodes_updated + tree.eager_counters().nodes_updated == h->nodes.size());
        auto broken = now.vertices;
        broken[5].x = std::nanf("");
        CHECK_FALSE(tree.set_vertices(broken));
        CHECK_FALSE(tree.set_vertices(std::vector<Vec3>(3)));
    }
}

} // namespace

TEST_CASE("the worked example: a binary tree of 31 nodes updates 7 at once and 4 on the way") {
    // Sixteen triangles in a row; a query reaches one of them.
    TriangleMesh row;
    for (int i = 0; i < 16; ++i) {
        const auto x = float(i);
        const auto first = std::uint32_t(row.vertices.size());
        row.vertices.insert(row.vertices.end(), {{x, 0, 0}, {x + 0.5f, 0, 0}, {x, 0.5f, 0}});
        row.triangles.push_back({first, first + 1, first + 2});
    }
    const auto h =
        std::make_shared<const MeshHierarchy>(build_hierarchy(row, {2, Partition::median}).value());
    REQUIRE(h->nodes.size() == 31);
    REQUIRE(h->height == 4);
    SkipTree<Aabb> tree(h, {UpdatePolicy::hybrid});
    REQUIRE(tree.set_vertices(row.vertices));
    CHECK(tree.eager_counters().nodes_updated == 7);
    std::vector<std::uint32_t> reached;
    const Aabb probe = {{5.1f, 0.1f, -1}, {5.2f, 0.2f, 1}};
    const RefitCounters lazy =
        tree.for_overlapping(probe, [&](std::uint32_t leaf) { reached.push_back(leaf); });
    CHECK(lazy.nodes_updated == 4);
    REQUIRE(reached.size() == 1);
    CHECK(h->triangle_order[reached[0]] == 5);

    // The wide tree's blocks are the same boxes, refitted two siblings at a time.
    auto wide = MeshTree::deforming(row, {2, Partition::median}, {UpdatePolicy::hybrid, 2}).value();
    CHECK(wide.eager_counters().nodes_updated == 7);
}

TEST_CASE("boxes, k-DOPs and spheres contain their triangles under every policy") {
    const TriangleMesh mesh = bumpy_sphere(1280);
    check_bounds<Aabb>(mesh);
    check_bounds<KDop<14>>(mesh);
    check_bounds<KDop<18>>(mesh);
    check_bounds<KDop<26>>(mesh);
    check_bounds<BoundingBall>(mesh);
}

TEST_CASE("boxes and k-DOPs have the same bits whether fitted or merged") {
    const TriangleMesh mesh = bumpy_sphere(1280);
    const auto h = std::make_shared<const MeshHierarchy>(build_hierarchy(mesh, {}).value());
    SkipTree<Aabb> merged_boxes(h, {UpdatePolicy::bottom_up}), boxes(h, {UpdatePolicy::top_down});
    SkipTree<KDop<26>> merged_dops(h, {UpdatePolicy::bottom_up}), dops(h, {UpdatePolicy::top_down});
    auto wide = MeshTree::deforming(mesh, {}, {UpdatePolicy::hybrid, 1}).value();
    RefitCounters c;
    REQUIRE(merged_boxes.set_vertices(mesh.vertices));
    REQUIRE(boxes.set_vertices(mesh.vertices));
    REQUIRE(merged_dops.set_vertices(mesh.vertices));
    REQUIRE(dops.set_vertices(mesh.vertices));
    int different = 0;
    for (std::uint32_t node = 0; node < h->nodes.size(); ++node) {
        different += merged_boxes.bound(node, c) != boxes.bound(node, c);
        different += !(merged_dops.bound(node, c) == dops.bound(node, c));
        const std::uint32_t slot = h->nodes[node].slot;
        different += boxes.bound(node, c) != wide.open(slot / 8, c).lane(slot % 8);
    }
    CHECK(different == 0);
}
