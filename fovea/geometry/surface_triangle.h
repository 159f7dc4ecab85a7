// A triangle of a surface together with what lies across its edges, which collision needs to tell
// real edges from those that only part two triangles of one smooth piece.
//
//              2                 across[1]: the far corner of the neighbour over the edge 1 -> 2
//             / \                                                                              .
//            /   \ . . across[1]
//           0-----1
//              .
//           across[0]
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

struct SurfaceTriangle {
    std::array<Vec3, 3> corners; ///< counter-clockwise seen from the front
    std::array<Vec3, 3> across;  ///< of the neighbour over the edge from corner i to i + 1
    std::array<bool, 3> open;    ///< true: the edge has no single neighbour, `across` is unused
    std::uint32_t number;        ///< in the surface
};

/// For each edge of each triangle the vertex of the neighbour that is not on the edge.
struct MeshNeighbours {
    static constexpr std::uint32_t k_none = 0xffffffffu;

    std::vector<std::array<std::uint32_t, 3>> across;
};

/// Edges with one triangle alone, with more than two, or with two that run along it in the same
/// sense count as open.
MeshNeighbours find_neighbours(const TriangleMesh& mesh);

SurfaceTriangle surface_triangle(const TriangleMesh& mesh, const MeshNeighbours& neighbours,
                                 std::uint32_t number);

} // namespace fovea
