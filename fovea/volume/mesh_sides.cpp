#include "fovea/volume/mesh_sides.h"

#include <algorithm>
#include <tuple>

namespace fovea {

std::vector<MeshSide> sorted_sides(std::span<const TriangleMesh::Triangle> triangles,
                                   std::size_t vertices) {
    // Dealt out by their lower vertex, which leaves a handful each to sort.
    std::vector<std::uint32_t> end(vertices + 1, 0);
    const auto for_each = [&](auto&& visit) {
        for (std::uint32_t i = 0; i < triangles.size(); ++i) {
            if (is_collapsed(triangles[i])) continue;
            for (int k = 0; k < 3; ++k) {
                const std::uint32_t from = triangles[i][k], to = triangles[i][(k + 1) % 3];
                visit(MeshSide{std::min(from, to), std::max(from, to), i, from < to});
            }
        }
    };
    for_each([&](const MeshSide& side) { ++end[side.low + 1]; });
    for (std::size_t v = 0; v < vertices; ++v) end[v + 1] += end[v];
    std::vector<MeshSide> sides(end[vertices]);
    // Each entry moves from the first of its vertex's sides to the one past the last.
    for_each([&](const MeshSide& side) { sides[end[side.low]++] = side; });
    std::uint32_t begin = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
        std::sort(sides.begin() + begin, sides.begin() + end[v],
                  [](const MeshSide& a, const MeshSide& b) {
                      return std::tie(a.high, a.triangle) < std::tie(b.high, b.triangle);
                  });
        begin = end[v];
    }
    return sides;
}

} // namespace fovea
