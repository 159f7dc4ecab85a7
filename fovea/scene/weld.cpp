#include "fovea/scene/weld.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace fovea {

void weld(TriangleMesh& mesh) {
    constexpr std::uint32_t k_unused = 0xffffffffu;
    const auto& vertices = mesh.vertices;
    const auto key = [&](std::uint32_t i) {
        return std::tuple(vertices[i].x, vertices[i].y, vertices[i].z);
    };
    std::vector<std::uint32_t> order(vertices.size()), representative(vertices.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
        representative[order[i]] = same ? representative[order[i - 1]] : order[i];
    }

    TriangleMesh result;
    std::vector<std::uint32_t> renumbered(vertices.size(), k_unused);
    for (TriangleMesh::Triangle triangle : mesh.triangles) {
        for (std::uint32_t& corner : triangle) corner = representative[corner];
        if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0])
            continue;
        for (std::uint32_t& corner : triangle) {
            std::uint32_t& number = renumbered[corner];
            if (number == k_unused) {
                number = std::uint32_t(result.vertices.size());
                result.vertices.push_back(vertices[corner]);
            }
            corner = number;
        }
        result.triangles.push_back(triangle);
    }
    mesh = std::move(result);
}

} // namespace fovea
