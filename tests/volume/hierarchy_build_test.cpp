// The structure of mesh hierarchies, whatever way they are built.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/volume/hierarchy_samples.h"

using namespace fovea;

namespace {

/// Everything that must hold of a hierarchy over `mesh`.
void check_structure(const MeshHierarchy& h, const TriangleMesh& mesh) {
    std::vector<std::uint32_t> faces = h.triangle_order;
    std::sort(faces.begin(), faces.end());
    REQUIRE(faces.size() == mesh.triangles.size());
    for (std::uint32_t i = 0; i < faces.size(); ++i) REQUIRE(faces[i] == i);
    CHECK(h.nodes[0].skip == h.nodes.size());
    CHECK(h.nodes[0].leaves == mesh.triangles.size());

    int bad_degree = 0, bad_range = 0, bad_list = 0, bad_slot = 0, leaves = 0;
    for (std::uint32_t node = 0; node < h.nodes.size(); ++node) {
        std::uint32_t children = 0, next_leaf = h.nodes[node].first_leaf;
        for (std::uint32_t c = node + 1; c < h.nodes[node].skip; c = h.nodes[c].skip) {
            ++children;
            bad_range += h.nodes[c].first_leaf != next_leaf || h.nodes[c].leaves == 0;
            bad_range += h.depth[c] != h.depth[node] + 1;
            next_leaf += h.nodes[c].leaves;
        }
        if (h.is_leaf(node)) {
            ++leaves;
            bad_degree += h.nodes[node].leaves != 1;
        } else {
            bad_degree += children < 2 || children > std::uint32_t(h.settings.branching);
            bad_range += next_leaf != h.nodes[node].first_leaf + h.nodes[node].leaves;
            bad_slot += h.block_node[h.child[h.nodes[node].slot]] != node;
        }
        // Range and border list together are the distinct vertices of the node's triangles.
        std::set<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < h.nodes[node].leaves; ++i) {
            const std::uint32_t face = h.triangle_order[h.nodes[node].first_leaf + i];
            for (const std::uint32_t v : mesh.triangles[face]) expected.insert(v);
        }
        std::set<std::uint32_t> listed;
        const auto& list = h.vertices[node];
        for (std::uint32_t v = list.begin; v < list.end; ++v) listed.insert(h.vertex_order[v]);
        for (const std::uint32_t v : h.border_of(node)) listed.insert(h.vertex_order[v]);
        bad_list += listed != expected || list.count() != expected.size();
    }
    CHECK(leaves == int(mesh.triangles.size()));
    CHECK(bad_degree == 0);
    CHECK(bad_range == 0);
    CHECK(bad_list == 0);
    CHECK(bad_slot == 0);
}

/// Size of the part of a node's faces that is connected to the first.
std::size_t connected_faces(const MeshHierarchy& h, std::uint32_t node,
                            const FaceNeighbours& neighbours) {
    const auto first = h.triangle_order.begin() + h.nodes[node].first_leaf;
    const std::set<std::uint32_t> inside(first, first + h.nodes[node].leaves);
    std::set<std::uint32_t> reached = {*first};
    std::vector<std::uint32_t> queue = {*first};
    while (!queue.empty()) {
        const std::uint32_t face = queue.back();
        queue.pop_back();
        for (const std::uint32_t next : neighbours.of(face)) {
            if (inside.count(next) && reached.insert(next).second) queue.push_back(next);
        }
    }
    return reached.size();
}

} // namespace

TEST_CASE("hierarchies hold every triangle once, for every partition and branching") {
    const TriangleMesh meshes[] = {bumpy_sphere(1280), triangle_soup(300, 1),
                                   make_procedural("torusknot", 1).value()};
    for (const TriangleMesh& mesh : meshes) {
        for (const Partition partition : k_all_partitions) {
            for (const int branching : {2, 4, 8}) {
                const auto h = build_hierarchy(mesh, {branching, partition});
                REQUIRE(h);
                check_structure(*h, mesh);
            }
        }
    }
}

TEST_CASE("connectivity trees have connected nodes of similar size") {
    const TriangleMesh mesh = bumpy_sphere(5120);
    const FaceNeighbours neighbours = face_neighbours(mesh.triangles);
    for (std::uint32_t face = 0; face < mesh.triangles.size(); ++face)
        REQUIRE(neighbours.of(face).size() == 3);
    const auto h = build_hierarchy(mesh, {8, Partition::connectivity}).value();
    int torn = 0;
    for (std::uint32_t node = 0; node < h.nodes.size(); ++node)
        torn += connected_faces(h, node, neighbours) != h.nodes[node].leaves;
    CHECK(torn == 0);
    // Eight equal parts down to single triangles would need log8 5120 = 4.1 levels.
    CHECK(h.height <= 7);
}

TEST_CASE("separate pieces are kept apart by the connectivity partition") {
    TriangleMesh two = bumpy_sphere(320);
    const TriangleMesh other = bumpy_sphere(320, 1, Transform({0.5f, 0, 0}));
    const auto shift = std::uint32_t(two.vertices.size());
    for (const Vec3& v : other.vertices) two.vertices.push_back(v);
    for (const auto& [i, j, k] : other.triangles)
        two.triangles.push_back({i + shift, j + shift, k + shift});
    const auto h = build_hierarchy(two, {8, Partition::connectivity}).value();
    CHECK(h.nodes[1].leaves == 320);
    CHECK(h.nodes[h.nodes[1].skip].leaves == 320);
}

TEST_CASE("coincident and clustered triangles still end in a shallow tree") {
    TriangleMesh heap;
    heap.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    heap.triangles.assign(100000, {0, 1, 2});
    TriangleMesh shrinking; // each triangle half the size of the one before, towards the origin
    for (int i = 0; i < 120; ++i) {
        const float s = std::ldexp(1.0f, -i);
        const auto first = std::uint32_t(shrinking.vertices.size());
        shrinking.vertices.insert(shrinking.vertices.end(), {{s, 0, 0}, {s, s, 0}, {s, 0, s}});
        shrinking.triangles.push_back({first, first + 1, first + 2});
    }
    for (const Partition partition : k_all_partitions) {
        const auto h = build_hierarchy(heap, {8, partition});
        REQUIRE(h);
        CHECK(h->height <= 7); // log8 of 100000 is 5.6
        const auto line = build_hierarchy(shrinking, {2, partition});
        REQUIRE(line);
        CHECK(line->height <= 40);
        check_structure(*line, shrinking);
    }
}

TEST_CASE("a million coincident triangles make a tree") {
    TriangleMesh heap;
    heap.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    heap.triangles.assign(1000000, {0, 1, 2});
    const auto tree = MeshTree::rigid(heap);
    REQUIRE(tree);
    CHECK(tree->hierarchy().height <= 8);
}

TEST_CASE("wrong meshes and settings are refused by name") {
    const TriangleMesh mesh = bumpy_sphere(80);
    CHECK(build_hierarchy(mesh, {3}).error().message ==
          "a hierarchy's branching must be 2, 4 or 8, not 3");
    CHECK(build_hierarchy({}, {}).error().message == "mesh has no triangles");
    TriangleMesh broken = mesh;
    broken.vertices[7].y = std::nanf("");
    CHECK(build_hierarchy(broken, {}).error().message.find("vertex 7") != std::string::npos);
    broken = mesh;
    broken.triangles[3][1] = 1000;
    CHECK(build_hierarchy(broken, {}).error().message.find("vertex 1000") != std::string::npos);
    CHECK_FALSE(make_subdivided_sphere(1000));
}

TEST_CASE("a mesh in the order of its hierarchy keeps that order") {
    const TriangleMesh mesh = bumpy_sphere(1280);
    const auto h = build_hierarchy(mesh, {}).value();
    CHECK_FALSE(h.keeps_vertex_order());
    const auto again = build_hierarchy(reordered(mesh, h), {}).value();
    CHECK(again.keeps_vertex_order());
}

TEST_CASE("rebuilding subtrees keeps the rest and mends what it touches") {
    const TriangleMesh mesh = bumpy_sphere(1280);
    const TriangleMesh later = bumpy_sphere(1280, 2.5f);
    const auto h = build_hierarchy(mesh, {8, Partition::surface_area}).value();
    CHECK(rebuild_subtrees(h, mesh.vertices, {}).structure_hash() == h.structure_hash());
    const std::uint32_t second = h.nodes[1].skip;
    const auto partly = rebuild_subtrees(h, later.vertices, {&second, 1});
    check_structure(partly, mesh);
    CHECK(partly.structure_hash() != h.structure_hash());
    // The first child's leaves come before the rebuilt part and are as they were.
    CHECK(std::equal(h.triangle_order.begin(), h.triangle_order.begin() + h.nodes[1].leaves,
                     partly.triangle_order.begin()));
    const std::uint32_t root = 0;
    const auto anew = rebuild_subtrees(h, later.vertices, {&root, 1});
    check_structure(anew, mesh);
}
