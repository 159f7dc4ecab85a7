#include "fovea/volume/mesh_hierarchy.h"

#include <algorithm>
#include <string>

#include "fovea/base/assert.h"
#include "fovea/base/hash.h"

namespace fovea {

namespace {

constexpr std::size_t k_most_triangles = std::size_t(1) << 30;

/// Makes the nodes depth first while it cuts `order` into parts, parts of parts, and so on.
class NodeMaker {
  public:
    NodeMaker(MeshHierarchy& hierarchy, MeshPartitioner& partitioner)
        : hierarchy_(hierarchy)
        , partitioner_(partitioner) {}

    void cut(std::uint32_t begin, std::uint32_t end, int depth) {
        const std::size_t node = open(begin, end, depth);
        if (end - begin > 1) {
            std::vector<std::uint32_t> ends;
            auto& order = hierarchy_.triangle_order;
            partitioner_.split({order.data() + begin, order.data() + end}, depth, ends);
            std::uint32_t part_begin = begin;
            for (const std::uint32_t part_end : ends) {
                cut(part_begin, begin + part_end, depth + 1);
                part_begin = begin + part_end;
            }
        }
        close(node);
    }

    /// Copies the subtree of `old_node`, but cuts those below stale nodes anew.
    void copy(const MeshHierarchy& old, std::uint32_t old_node, const std::vector<bool>& stale) {
        const MeshHierarchy::Node& source = old.nodes[old_node];
        const std::uint32_t begin = source.first_leaf, end = begin + source.leaves;
        if (stale[old_node]) return cut(begin, end, old.depth[old_node]);
        const std::size_t node = open(begin, end, old.depth[old_node]);
        for (std::uint32_t c = old_node + 1; c < source.skip; c = old.nodes[c].skip)
            copy(old, c, stale);
        close(node);
    }

  private:
    std::size_t open(std::uint32_t begin, std::uint32_t end, int depth) {
        hierarchy_.nodes.push_back({0, begin, end - begin, 0});
        hierarchy_.depth.push_back(std::uint8_t(depth));
        hierarchy_.height = std::max(hierarchy_.height, depth);
        return hierarchy_.nodes.size() - 1;
    }
    void close(std::size_t node) {
        hierarchy_.nodes[node].skip = std::uint32_t(hierarchy_.nodes.size());
    }

    MeshHierarchy& hierarchy_;
    MeshPartitioner& partitioner_;
};

/// Renumbers vertices by the first leaf that uses them and lists those of every node.
void make_vertex_lists(MeshHierarchy& h, std::span<const TriangleMesh::Triangle> mesh_triangles) {
    constexpr std::uint32_t k_new = 0xffffffffu;
    std::vector<std::uint32_t> number(h.mesh_vertices, k_new);
    std::vector<std::uint32_t> seen_before; // vertices numbered before each leaf
    h.vertex_order.clear();
    for (const std::uint32_t face : h.triangle_order) {
        seen_before.push_back(std::uint32_t(h.vertex_order.size()));
        TriangleMesh::Triangle renumbered;
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t vertex = mesh_triangles[face][i];
            if (number[vertex] == k_new) {
                number[vertex] = std::uint32_t(h.vertex_order.size());
                h.vertex_order.push_back(vertex);
            }
            renumbered[i] = number[vertex];
        }
        h.triangles.push_back(renumbered);
    }
    seen_before.push_back(std::uint32_t(h.vertex_order.size()));

    std::vector<std::uint32_t> listed(h.vertex_order.size(), k_new); // last node that listed it
    for (std::uint32_t node = 0; node < h.nodes.size(); ++node) {
        const auto& [skip, first, leaves, slot] = h.nodes[node];
        MeshHierarchy::VertexList list;
        list.begin = seen_before[first];
        list.end = seen_before[first + leaves];
        list.border_begin = std::uint32_t(h.border.size());
        for (std::uint32_t leaf = first; leaf < first + leaves; ++leaf) {
            for (const std::uint32_t vertex : h.triangles[leaf]) {
                if (vertex >= list.begin || listed[vertex] == node) continue;
                listed[vertex] = node;
                h.border.push_back(vertex);
            }
        }
        list.border_end = std::uint32_t(h.border.size());
        h.vertices.push_back(list);
    }
}

void make_blocks(MeshHierarchy& h) {
    constexpr std::uint32_t width = MeshHierarchy::k_block_width;
    std::vector<std::uint32_t> block_of(h.nodes.size(), 0);
    h.block_node.assign(1, 0);
    h.parent_slot.assign(1, 0);
    for (std::uint32_t node = 0; node < h.nodes.size(); ++node) {
        if (h.is_leaf(node)) continue;
        block_of[node] = std::uint32_t(h.block_node.size());
        h.block_node.push_back(node);
    }
    h.parent_slot.resize(h.block_count());
    h.child.assign(h.block_count() * width, MeshHierarchy::k_no_child);
    const auto place = [&](std::uint32_t node, std::uint32_t slot) {
        h.nodes[node].slot = slot;
        if (h.is_leaf(node)) {
            h.child[slot] = h.nodes[node].first_leaf | MeshHierarchy::k_leaf_bit;
        } else {
            h.child[slot] = block_of[node];
            h.parent_slot[block_of[node]] = slot;
        }
    };
    h.child_count.assign(h.block_count(), 1);
    place(0, 0);
    for (std::uint32_t block = 1; block < h.block_count(); ++block) {
        const std::uint32_t node = h.block_node[block];
        std::uint32_t slot = block * width;
        for (std::uint32_t c = node + 1; c < h.nodes[node].skip; c = h.nodes[c].skip)
            place(c, slot++);
        h.child_count[block] = std::uint8_t(slot - block * width);
    }
}

} // namespace

Result<MeshHierarchy> build_hierarchy(const TriangleMesh& mesh, const HierarchySettings& settings) {
    if (settings.branching != 2 && settings.branching != 4 && settings.branching != 8) {
        return failure("a hierarchy's branching must be 2, 4 or 8, not " +
                       std::to_string(settings.branching));
    }
    if (const Result<void> checked = check_mesh(mesh); !checked)
        return tl::unexpected(checked.error());
    if (mesh.triangles.size() > k_most_triangles) {
        return failure("mesh has " + std::to_string(mesh.triangles.size()) +
                       " triangles; a hierarchy takes at most " + std::to_string(k_most_triangles));
    }
    MeshHierarchy h;
    h.settings = settings;
    h.mesh_vertices = mesh.vertices.size();
    h.triangle_order.resize(mesh.triangles.size());
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) h.triangle_order[i] = i;
    MeshPartitioner partitioner(mesh.triangles, mesh.vertices, settings.partition,
                                settings.branching);
    NodeMaker(h, partitioner).cut(0, std::uint32_t(mesh.triangles.size()), 0);
    make_vertex_lists(h, mesh.triangles);
    make_blocks(h);
    return h;
}

MeshHierarchy rebuild_subtrees(const MeshHierarchy& old, std::span<const Vec3> vertices,
                               std::span<const std::uint32_t> stale) {
    FOVEA_ASSERT(vertices.size() == old.mesh_vertices);
    std::vector<TriangleMesh::Triangle> mesh_triangles(old.triangles.size());
    for (std::uint32_t leaf = 0; leaf < old.triangles.size(); ++leaf) {
        for (int i = 0; i < 3; ++i) {
            mesh_triangles[old.triangle_order[leaf]][i] = old.vertex_order[old.triangles[leaf][i]];
        }
    }
    MeshHierarchy h;
    h.settings = old.settings;
    h.mesh_vertices = old.mesh_vertices;
    h.triangle_order = old.triangle_order;
    std::vector<bool> is_stale(old.nodes.size(), false);
    for (const std::uint32_t node : stale) is_stale[node] = true;
    MeshPartitioner partitioner(mesh_triangles, vertices, old.settings.partition,
                                old.settings.branching);
    NodeMaker(h, partitioner).copy(old, 0, is_stale);
    make_vertex_lists(h, mesh_triangles);
    make_blocks(h);
    return h;
}

TriangleMesh reordered(const TriangleMesh& mesh, const MeshHierarchy& hierarchy) {
    TriangleMesh result;
    for (const std::uint32_t vertex : hierarchy.vertex_order)
        result.vertices.push_back(mesh.vertices[vertex]);
    result.triangles = hierarchy.triangles;
    return result;
}

bool MeshHierarchy::keeps_vertex_order() const {
    if (vertex_order.size() != mesh_vertices) return false;
    for (std::uint32_t i = 0; i < vertex_order.size(); ++i) {
        if (vertex_order[i] != i) return false;
    }
    return true;
}

std::uint64_t MeshHierarchy::structure_hash() const {
    Hasher hasher;
    for (const Node& node : nodes) hasher.add(std::uint64_t(node.skip) << 32 | node.first_leaf);
    for (const std::uint32_t face : triangle_order) hasher.add(std::uint64_t(face));
    for (const std::uint32_t slot : child) hasher.add(std::uint64_t(slot));
    return hasher.value();
}

} // namespace fovea
