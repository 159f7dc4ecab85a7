// Update policies of the box tree: the same boxes, bit for bit, at different cost.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <thread>

#include "fovea/base/simd.h"
#include "tests/volume/hierarchy_samples.h"

using namespace fovea;

namespace {

struct NamedPolicy {
    const char* name;
    RefitSettings settings;
};

const NamedPolicy k_policies[] = {
    {"bottom up", {UpdatePolicy::bottom_up}},
    {"top down", {UpdatePolicy::top_down}},
    {"top down, subtree", {UpdatePolicy::top_down, -1, LazyVariant::subtree}},
    {"top down, 2 levels", {UpdatePolicy::top_down, -1, LazyVariant::levels, 2}},
    {"hybrid, chosen depth", {UpdatePolicy::hybrid}},
    {"hybrid 0", {UpdatePolicy::hybrid, 0}},
    {"hybrid 2", {UpdatePolicy::hybrid, 2}},
    {"hybrid 3, subtree", {UpdatePolicy::hybrid, 3, LazyVariant::subtree}},
    {"hybrid 99", {UpdatePolicy::hybrid, 99}},
};

bool same_bits(const WideBoxes& a, const WideBoxes& b) {
    return std::memcmp(&a, &b, sizeof(WideBoxes)) == 0;
}

/// Opens a random half of the blocks, parents before children, as queries do.
std::vector<std::uint32_t> some_blocks(const MeshHierarchy& h, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::uint32_t> opened = {0};
    std::vector<bool> is_open(h.block_count(), false);
    is_open[0] = true;
    for (std::uint32_t block = 1; block < h.block_count(); ++block) {
        const std::uint32_t parent = h.parent_slot[block] / MeshHierarchy::k_block_width;
        if (!is_open[parent] || (block > 1 && random.uniform() < 0.3)) continue;
        is_open[block] = true;
        opened.push_back(block);
    }
    return opened;
}

} // namespace

TEST_CASE("boxes of all update policies have the same bits at visited nodes") {
    for (const Partition partition : {Partition::midpoint_centre, Partition::surface_area}) {
        for (const int branching : {2, 8}) {
            const TriangleMesh mesh = bumpy_sphere(1280);
            const HierarchySettings settings = {branching, partition};
            for (const NamedPolicy& policy : k_policies) {
                CAPTURE(policy.name);
                auto tree = MeshTree::deforming(mesh, settings, policy.settings).value();
                const std::uint64_t structure = tree.hierarchy().structure_hash();
                for (int frame = 1; frame <= 5; ++frame) {
                    const TriangleMesh now = bumpy_sphere(1280, 0.4f * float(frame));
                    REQUIRE(tree.set_vertices(now.vertices));
                    const MeshHierarchy& h = tree.hierarchy();
                    int wrong = 0;
                    RefitCounters counters;
                    for (const std::uint32_t block : some_blocks(h, frame)) {
                        const WideBoxes& boxes = tree.open(block, counters);
                        WideBoxes expected = WideBoxes::empty();
                        const std::uint32_t node = h.block_node[block];
                        std::uint32_t lane = 0;
                        if (block == 0) {
                            expected.set_lane(0, brute_box(h, 0, now));
                        } else {
                            for (std::uint32_t c = node + 1; c < h.nodes[node].skip;
                                 c = h.nodes[c].skip)
                                expected.set_lane(lane++, brute_box(h, c, now));
                        }
                        wrong += !same_bits(boxes, expected);
                    }
                    CHECK(wrong == 0);
                    // No node is refitted twice in a frame.
                    CHECK(tree.eager_counters().nodes_updated + counters.nodes_updated <=
                          h.nodes.size());
                }
                CHECK(tree.hierarchy().structure_hash() == structure);
            }
        }
    }
}

TEST_CASE("each policy's work is what it promises") {
    const TriangleMesh mesh = bumpy_sphere(5120);
    const HierarchySettings settings = {8, Partition::midpoint_centre};
    RefitCounters lazy;
    auto bottom_up = MeshTree::deforming(mesh, settings, {UpdatePolicy::bottom_up}).value();
    REQUIRE(bottom_up.set_vertices(mesh.vertices));
    const MeshHierarchy& h = bottom_up.hierarchy();
    CHECK(bottom_up.eager_counters().nodes_updated == h.nodes.size());
    CHECK(bottom_up.eager_counters().vertices_read == 3 * mesh.triangles.size());

    auto top_down = MeshTree::deforming(mesh, settings, {UpdatePolicy::top_down}).value();
    REQUIRE(top_down.set_vertices(mesh.vertices));
    CHECK(top_down.eager_counters() == RefitCounters());
    top_down.open(0, lazy);
    CHECK(lazy.nodes_updated == 1);
    CHECK(lazy.vertices_read == mesh.vertices.size());

    for (int depth = 0; depth <= h.height; ++depth) {
        auto hybrid = MeshTree::deforming(mesh, settings, {UpdatePolicy::hybrid, depth}).value();
        REQUIRE(hybrid.set_vertices(mesh.vertices));
        const auto above = std::count_if(h.depth.begin(), h.depth.end(),
                                         [&](std::uint8_t d) { return d <= depth; });
        CHECK(hybrid.eager_counters().nodes_updated == std::uint64_t(above));
        // Shared vertices are read once per node of the frontier: far fewer than 3 per triangle.
        if (depth == h.height / 2)
            CHECK(hybrid.eager_counters().vertices_read < mesh.triangles.size());
    }
    const TriangleMesh soup = triangle_soup(2000, 3);
    auto torn = MeshTree::deforming(soup, settings, {UpdatePolicy::hybrid, 2}).value();
    CHECK(torn.eager_counters().vertices_read == 3 * soup.triangles.size());
}

TEST_CASE("the eager depth settles where counted cost is least") {
    const TriangleMesh mesh = bumpy_sphere(5120);
    auto tree = MeshTree::deforming(mesh, {}, {UpdatePolicy::hybrid}).value();
    CHECK(tree.eager_depth() == tree.hierarchy().height / 2);
    // Nobody asks: after a frame nothing is computed at once any more.
    REQUIRE(tree.set_vertices(mesh.vertices));
    CHECK(tree.eager_depth() == -1);
    CHECK(tree.eager_counters().nodes_updated == 0);
    // Everything is opened: all of it is computed at once before long.
    RefitCounters counters;
    for (int frame = 0; frame < 20; ++frame) {
        for (std::uint32_t b = 0; b < tree.hierarchy().block_count(); ++b) tree.open(b, counters);
        REQUIRE(tree.set_vertices(mesh.vertices));
    }
    CHECK(tree.eager_depth() >= tree.hierarchy().height - 1);
}

TEST_CASE("moving a few vertices refits only the boxes above them") {
    const TriangleMesh mesh = bumpy_sphere(5120);
    for (const bool all_fresh : {true, false}) {
        const RefitSettings policy = {all_fresh ? UpdatePolicy::bottom_up : UpdatePolicy::hybrid,
                                      2};
        auto tree = MeshTree::deforming(mesh, {}, policy).value();
        const MeshHierarchy& h = tree.hierarchy();
        TriangleMesh moved = mesh;
        Random random(4);
        for (int round = 0; round < 30; ++round) {
            // The corners of a triangle: clustered.
            const auto& face = moved.triangles[random.below(5120)];
            std::vector<std::uint32_t> which(face.begin(), face.end());
            std::vector<Vec3> to;
            for (const std::uint32_t v : which)
                to.push_back(moved.vertices[v] *= float(random.uniform(0.8, 1.2)));
            REQUIRE(tree.move_vertices(which, to));
            // A vertex has up to 6 triangles, so at most 13 leaves touch three of them, and each
            // path to the root has one node per level.
            CHECK(tree.eager_counters().nodes_updated <= 13u * std::uint32_t(h.height + 1));
            if (all_fresh) CHECK(tree.eager_counters().nodes_updated > 0);
        }
        int wrong = 0;
        RefitCounters counters;
        for (std::uint32_t node = 0; node < h.nodes.size(); ++node) {
            const std::uint32_t slot = h.nodes[node].slot;
            const Aabb box = tree.open(slot / 8, counters).lane(slot % 8);
            wrong += box != brute_box(h, node, moved);
        }
        CHECK(wrong == 0);
        if (all_fresh) CHECK(counters.nodes_updated == 0);
    }
}

TEST_CASE("vertices that a mesh cannot take are refused and change nothing") {
    const TriangleMesh mesh = bumpy_sphere(320);
    auto tree = MeshTree::deforming(mesh, {}, {UpdatePolicy::bottom_up}).value();
    const WideBoxes before = tree.boxes_as_they_are(1);
    std::vector<Vec3> fewer(mesh.vertices.begin(), mesh.vertices.end() - 1);
    CHECK(tree.set_vertices(fewer).error().message == "161 vertices given for a mesh of 162");
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        for (const std::size_t place : {std::size_t(0), std::size_t(77), std::size_t(161)}) {
            for (int axis = 0; axis < 3; ++axis) {
                std::vector<Vec3> broken = mesh.vertices;
                broken[place][axis] = bad;
                const auto refused = tree.set_vertices(broken);
                REQUIRE_FALSE(refused);
                CHECK(refused.error().message.find("vertex " + std::to_string(place) + " ") !=
                      std::string::npos);
            }
        }
    }
    const std::uint32_t beyond = 162;
    const Vec3 somewhere(1, 2, 3);
    CHECK_FALSE(tree.move_vertices({&beyond, 1}, {&somewhere, 1}));
    CHECK_FALSE(tree.set_weights(std::vector<float>{1}));
    CHECK(tree.frame() == 1);
    CHECK(same_bits(before, tree.boxes_as_they_are(1)));
    CHECK(tree.mesh_vertices() == mesh.vertices);
    CHECK_FALSE(MeshTree::rigid(mesh).value().set_vertices(mesh.vertices));
}

TEST_CASE("what is refused leaves no trace in boxes that are opened later") {
    // In the tree's own order, in which vertices are checked, grouped and copied as they come.
    const TriangleMesh any = bumpy_sphere(1280);
    const TriangleMesh mesh = reordered(any, build_hierarchy(any, {}).value());
    for (const std::size_t place : {0, 63, 64, 639, 640, 641}) {
        auto tree = MeshTree::deforming(mesh, {}, {UpdatePolicy::top_down}).value();
        const MeshHierarchy& h = tree.hierarchy();
        REQUIRE(h.keeps_vertex_order());
        std::vector<Vec3> broken = mesh.vertices;
        for (Vec3& v : broken) v = v * 3;
        broken[place].y = std::numeric_limits<float>::quiet_NaN();
        REQUIRE_FALSE(tree.set_vertices(broken));
        RefitCounters counters;
        int wrong = 0;
        for (std::uint32_t block = 1; block < h.block_count(); ++block) {
            const WideBoxes& boxes = tree.open(block, counters);
            std::uint32_t lane = 0;
            const std::uint32_t node = h.block_node[block];
            for (std::uint32_t c = node + 1; c < h.nodes[node].skip; c = h.nodes[c].skip)
                wrong += boxes.lane(lane++) != brute_box(h, c, mesh);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("every instruction set refits to the same bits") {
    const TriangleMesh mesh = bumpy_sphere(1280);
    std::vector<WideBoxes> reference;
    for (const SimdTarget& target : simd_targets()) {
        use_simd_target(target);
        for (const UpdatePolicy policy : {UpdatePolicy::bottom_up, UpdatePolicy::top_down}) {
            auto tree = MeshTree::deforming(mesh, {}, {policy}).value();
            RefitCounters counters;
            std::vector<WideBoxes> boxes;
            for (std::uint32_t b = 0; b < tree.hierarchy().block_count(); ++b)
                boxes.push_back(tree.open(b, counters));
            if (reference.empty()) reference = boxes;
            int different = 0;
            for (std::size_t i = 0; i < boxes.size(); ++i)
                different += !same_bits(boxes[i], reference[i]);
            CHECK(different == 0);
        }
    }
    use_best_simd_target();
}

TEST_CASE("threads that open the same blocks get the same boxes and count each once") {
    // Plain threads, whose start and end the thread sanitizer understands.
    const TriangleMesh mesh = bumpy_sphere(1280);
    for (const LazyVariant lazy : {LazyVariant::node, LazyVariant::subtree, LazyVariant::levels}) {
        for (const int depth : {-1, 1}) {
            auto tree = MeshTree::deforming(mesh, {}, {UpdatePolicy::hybrid, depth, lazy}).value();
            const MeshHierarchy& h = tree.hierarchy();
            const auto count = std::uint32_t(h.block_count());
            for (int frame = 0; frame < 4; ++frame) {
                const TriangleMesh now = bumpy_sphere(1280, float(frame));
                REQUIRE(tree.set_vertices(now.vertices));
                constexpr int k_threads = 4;
                std::vector<RefitCounters> counters(k_threads);
                std::vector<std::vector<Aabb>> seen(k_threads, std::vector<Aabb>(count));
                std::vector<std::thread> threads;
                for (int t = 0; t < k_threads; ++t) {
                    threads.emplace_back([&, t] {
                        // Each opens every block, the root first and then from another place on.
                        tree.open(0, counters[t]);
                        for (std::uint32_t k = 0; k < count; ++k) {
                            const std::uint32_t block = (k + t * count / k_threads) % count;
                            seen[t][block] = merged(tree.open(block, counters[t]));
                        }
                    });
                }
                for (std::thread& thread : threads) thread.join();
                RefitCounters total = tree.eager_counters();
                int wrong = 0;
                for (int t = 0; t < k_threads; ++t) {
                    total += counters[t];
                    for (std::uint32_t block = 0; block < count; ++block) {
                        if (t == 0)
                            wrong += seen[0][block] != brute_box(h, h.block_node[block], now);
                        wrong += seen[t][block] != seen[0][block];
                    }
                }
                CHECK(wrong == 0);
                CHECK(total.nodes_updated == h.nodes.size());
            }
        }
    }
}

TEST_CASE("instances share the structure and nothing else") {
    const TriangleMesh mesh = bumpy_sphere(320), later = bumpy_sphere(320, 1);
    auto first = MeshTree::deforming(mesh).value();
    auto second = first.instance();
    CHECK(&first.hierarchy() == &second.hierarchy());
    REQUIRE(second.set_vertices(later.vertices));
    RefitCounters c;
    CHECK(first.root_box(c) == bounds(mesh));
    CHECK(second.root_box(c) == bounds(later));

    const TriangleMesh shapes[] = {mesh, later};
    auto morph = MeshTree::morphing(shapes).value();
    auto other = morph.instance();
    REQUIRE(other.set_weights(std::vector<float>{0, 1}));
    CHECK(morph.root_box(c) == bounds(mesh));
    CHECK(other.root_box(c) == bounds(later));
    auto rigid = MeshTree::rigid(mesh).value();
    CHECK(rigid.instance().root_box(c) == bounds(mesh));
}
