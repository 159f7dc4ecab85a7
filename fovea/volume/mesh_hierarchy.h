// The fixed structure of a bounding volume hierarchy over a triangle mesh.
//
// Built once; it never changes while the mesh deforms. It holds no bounds: those belong to the
// trees that use it (MeshTree for boxes in the wide layout, SkipTree for any bound). Two layouts
// of the same nodes:
//
//   skip array   nodes depth first; the first child of i is i + 1, the sibling of c is skip[c] and
//                the subtree of i ends at skip[i] (Smits; Larsson 2.4)
//   blocks       the children of one internal node side by side in up to 8 slots, so that one SIMD
//                operation tests them all. Block 0 holds the root alone, in its first slot:
//
//                block 0: [root]    block 1: [c0 c1 .. c7]    block 2: [children of c0] ...
//
// Leaves are single triangles, numbered in depth-first order; vertices are renumbered by the first
// leaf that uses them. So a node's vertices are a range, first touched inside it, and a short list
// of those on its border that an earlier leaf touched first:
//
//   vertices of node i = [range begin, range end) + border list
//
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/geometry/triangle_mesh.h"
#include "fovea/volume/mesh_partition.h"

namespace fovea {

struct HierarchySettings {
    int branching = 8; ///< most children of a node: 2, 4 or 8
    Partition partition = Partition::surface_area;
};

struct MeshHierarchy {
    static constexpr std::uint32_t k_block_width = 8;
    static constexpr std::uint32_t k_leaf_bit = 0x80000000u;
    static constexpr std::uint32_t k_no_child = 0xffffffffu;

    struct Node {
        std::uint32_t skip;       ///< end of the subtree
        std::uint32_t first_leaf; ///< the leaves below are first_leaf ... first_leaf + leaves - 1
        std::uint32_t leaves;
        std::uint32_t slot; ///< where its bounds are in the blocks
    };
    struct VertexList {
        std::uint32_t begin, end;               ///< range of vertices
        std::uint32_t border_begin, border_end; ///< into `border`
        std::uint32_t count() const { return end - begin + border_end - border_begin; }
    };

    HierarchySettings settings;
    std::vector<Node> nodes;           ///< depth first; a node with one leaf is that leaf
    std::vector<std::uint8_t> depth;   ///< per node; the root has 0
    std::vector<VertexList> vertices;  ///< per node
    std::vector<std::uint32_t> border; ///< vertex numbers, of all border lists
    std::vector<TriangleMesh::Triangle> triangles; ///< per leaf, in the tree's vertex numbers
    std::vector<std::uint32_t> triangle_order;     ///< per leaf: the mesh's triangle number
    std::vector<std::uint32_t> vertex_order;       ///< per tree vertex: the mesh's vertex number
    std::size_t mesh_vertices = 0;                 ///< in the mesh, used or not

    std::vector<std::uint32_t> child;       ///< per slot: block, or leaf with k_leaf_bit
    std::vector<std::uint8_t> child_count;  ///< per block: slots in use, the first ones
    std::vector<std::uint32_t> block_node;  ///< per block: the node whose children it holds
    std::vector<std::uint32_t> parent_slot; ///< per block: the slot of that node; 0 for block 0
    int height = 0;                         ///< greatest depth

    std::size_t block_count() const { return block_node.size(); }
    bool is_leaf(std::uint32_t node) const { return nodes[node].skip == node + 1; }
    static bool is_leaf_child(std::uint32_t child) { return (child & k_leaf_bit) != 0; }
    static std::uint32_t leaf_of(std::uint32_t child) { return child & ~k_leaf_bit; }
    std::span<const std::uint32_t> border_of(std::uint32_t node) const {
        const VertexList& list = vertices[node];
        return {border.data() + list.border_begin, list.border_end - list.border_begin};
    }
    /// True if the mesh's vertices already are in the tree's order.
    bool keeps_vertex_order() const;
    /// Equal for equal structures.
    std::uint64_t structure_hash() const;
};

/// Refuses what check_mesh refuses, more than 2^30 triangles, and a branching that is not 2, 4, 8.
Result<MeshHierarchy> build_hierarchy(const TriangleMesh& mesh, const HierarchySettings& settings);

/// The structure of `old` with the subtrees below `stale` (nodes, none above another) built anew
/// for the given vertices, which are in the mesh's order.
MeshHierarchy rebuild_subtrees(const MeshHierarchy& old, std::span<const Vec3> vertices,
                               std::span<const std::uint32_t> stale);

/// `mesh` with triangles and vertices in the order of the hierarchy built over it: a host that
/// keeps its vertices so saves the trees a reordering in every frame.
TriangleMesh reordered(const TriangleMesh& mesh, const MeshHierarchy& hierarchy);

} // namespace fovea
