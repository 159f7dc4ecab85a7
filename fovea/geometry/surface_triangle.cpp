// Neighbours are found by sorting the sides of all triangles: those of one edge come together.
#include "fovea/geometry/surface_triangle.h"

#include <algorithm>

namespace fovea {

namespace {

struct Side {
    std::uint32_t low, high; ///< the edge's vertices
    std::uint32_t triangle;
    std::uint32_t edge; ///< of the triangle
    bool upwards;       ///< runs from low to high

    bool same_edge(const Side& b) const { return low == b.low && high == b.high; }
};

} // namespace

MeshNeighbours find_neighbours(const TriangleMesh& mesh) {
    std::vector<Side> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::uint32_t e = 0; e < 3; ++e) {
            const std::uint32_t from = mesh.triangles[t][e], to = mesh.triangles[t][(e + 1) % 3];
            sides.push_back({std::min(from, to), std::max(from, to), t, e, from < to});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        if (a.low != b.low) return a.low < b.low;
        if (a.high != b.high) return a.high < b.high;
        return a.triangle < b.triangle;
    });
    MeshNeighbours result;
    constexpr std::uint32_t none = MeshNeighbours::k_none;
    result.across.assign(mesh.triangles.size(), {none, none, none});
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i + 1;
        while (end < sides.size() && sides[end].same_edge(sides[i])) ++end;
        if (end - i == 2 && sides[i].upwards != sides[i + 1].upwards) {
            for (const auto& [mine, other] : {std::pair{i, i + 1}, std::pair{i + 1, i}}) {
                const Side& s = sides[other];
                result.across[sides[mine].triangle][sides[mine].edge] =
                    mesh.triangles[s.triangle][(s.edge + 2) % 3];
            }
        }
        i = end;
    }
    return result;
}

SurfaceTriangle surface_triangle(const TriangleMesh& mesh, const MeshNeighbours& neighbours,
                                 std::uint32_t number) {
    SurfaceTriangle result{corners(mesh, number), {}, {}, number};
    for (std::size_t e = 0; e < 3; ++e) {
        const std::uint32_t far_corner = neighbours.across[number][e];
        result.open[e] = far_corner == MeshNeighbours::k_none;
        if (!result.open[e]) result.across[e] = mesh.vertices[far_corner];
    }
    return result;
}

} // namespace fovea
