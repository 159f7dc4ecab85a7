// Boxes eight abreast, and the SIMD passes that compute them.
//
// Minimum and maximum are exact, so a box has the same bits whether it was computed from vertices
// or merged from the boxes of children, on every instruction set.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/vec3.h"
#include "fovea/geometry/aabb.h"
#include "fovea/volume/mesh_hierarchy.h"

namespace fovea {

/// The boxes of up to eight siblings, one per lane. Unused lanes are empty boxes.
struct alignas(64) WideBoxes {
    float low[3][MeshHierarchy::k_block_width];
    float high[3][MeshHierarchy::k_block_width];

    Aabb lane(std::uint32_t i) const {
        return {{low[0][i], low[1][i], low[2][i]}, {high[0][i], high[1][i], high[2][i]}};
    }
    void set_lane(std::uint32_t i, const Aabb& box) {
        for (int axis = 0; axis < 3; ++axis)
            low[axis][i] = box.low[axis], high[axis][i] = box.high[axis];
    }
    static WideBoxes empty();
};

/// Of so many vertices in a row the box is known where VertexView has groups.
inline constexpr std::uint32_t k_group_vertices = 64;

/// Not lanes but one box: x, y, z and a number without meaning, for SIMD loads.
struct alignas(32) GroupBox {
    float low[4], high[4];
};

/// Vertices in the tree's order, x y z x y z ..., as a host stores them.
struct VertexView {
    const Vec3* positions = nullptr;
    const GroupBox* groups = nullptr; ///< of whole groups from the first vertex on; may be missing
};

/// The box around all vertices, or nothing if one of them is not finite. `groups` gets the boxes of
/// whole groups on the way, unless it is null.
std::optional<Aabb> finite_bounds(std::span<const Vec3> vertices, std::vector<GroupBox>* groups);

/// Copies vertices into the tree's order.
void copy_vertices(std::span<const Vec3> from, std::span<const std::uint32_t> order,
                   std::vector<Vec3>& to);

/// The boxes of a block's nodes from the vertices below each. Returns the vertices read.
std::uint64_t boxes_from_vertices(const MeshHierarchy& hierarchy, std::uint32_t block,
                                  const VertexView& vertices, WideBoxes& out);

/// As above, but internal nodes merge the boxes of their children, which must be up to date.
std::uint64_t boxes_from_children(const MeshHierarchy& hierarchy, std::uint32_t block,
                                  const VertexView& vertices, std::span<const WideBoxes> blocks,
                                  WideBoxes& out);

/// All blocks in one reverse sweep. Returns the vertices read.
std::uint64_t sweep_bottom_up(const MeshHierarchy& hierarchy, const VertexView& vertices,
                              std::span<WideBoxes> blocks);

/// The box around all lanes.
Aabb merged(const WideBoxes& boxes);

/// Lane by lane.
WideBoxes merged(const WideBoxes& a, const WideBoxes& b);

} // namespace fovea
