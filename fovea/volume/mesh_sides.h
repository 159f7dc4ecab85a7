// The sides of triangles, sorted so that those along one edge come together.
#pragma once

#include <span>
#include <vector>

#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

/// One side of a triangle, from its vertex `low` to `high` or back.
struct MeshSide {
    std::uint32_t low, high, triangle;
    bool forward; ///< walked from `low` to `high`

    bool same_edge(const MeshSide& other) const { return low == other.low && high == other.high; }
};

/// True if corners coincide.
inline bool is_collapsed(const TriangleMesh::Triangle& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/// The sides of all triangles that have not collapsed, ascending by edge, then by triangle.
/// Vertices are numbered below `vertices`.
std::vector<MeshSide> sorted_sides(std::span<const TriangleMesh::Triangle> triangles,
                                   std::size_t vertices);

} // namespace fovea
