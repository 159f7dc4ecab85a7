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

/// A vertex as one SIMD load; the fourth component is unused.
struct alignas(16) PaddedVertex {
    float x, y, z, unused;
    Vec3 position() const { return {x, y, z}; }
};

/// The box around all vertices, or nothing if one of them is not finite.
std::optional<Aabb> finite_bounds(std::span<const Vec3> vertices);

/// Copies vertices into the tree's order; `order` is empty where it is the same.
void copy_vertices(std::span<const Vec3> from, std::span<const std::uint32_t> order,
                   std::vector<PaddedVertex>& to);

/// The boxes of a block's nodes from the vertices below each. Returns the vertices read.
std::uint64_t boxes_from_vertices(const MeshHierarchy& hierarchy, std::uint32_t block,
                                  const PaddedVertex* vertices, WideBoxes& out);

/// As above, but internal nodes merge the boxes of their children, which must be up to date.
std::uint64_t boxes_from_children(const MeshHierarchy& hierarchy, std::uint32_t block,
                                  const PaddedVertex* vertices, std::span<const WideBoxes> blocks,
                                  WideBoxes& out);

/// All blocks in one reverse sweep. Returns the vertices read.
std::uint64_t sweep_bottom_up(const MeshHierarchy& hierarchy, const PaddedVertex* vertices,
                              std::span<WideBoxes> blocks);

/// The box around all lanes.
Aabb merged(const WideBoxes& boxes);

/// Lane by lane.
WideBoxes merged(const WideBoxes& a, const WideBoxes& b);

} // namespace fovea
