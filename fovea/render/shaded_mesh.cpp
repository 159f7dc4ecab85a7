#include "fovea/render/shaded_mesh.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>

namespace fovea {

namespace {

struct Corner {
    std::uint32_t place; ///< welded vertex
    Vec3 face_normal;
    float angle; ///< of the triangle at this corner: its weight (Thuermer and Wuthrich, 1998)
};

/// For every vertex the number of its place; equal positions share one.
std::vector<std::uint32_t> weld(const std::vector<Vec3>& vertices) {
    std::vector<std::uint32_t> order(vertices.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](std::uint32_t i) {
        return std::tuple(vertices[i].x, vertices[i].y, vertices[i].z, i);
    };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    std::vector<std::uint32_t> place(vertices.size());
    std::uint32_t count = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (k > 0 && vertices[order[k]] != vertices[order[k - 1]]) ++count;
        place[order[k]] = count;
    }
    return place;
}

float angle_between(const Vec3& a, const Vec3& b) {
    return std::atan2(length(cross(a, b)), dot(a, b));
}

std::vector<Corner> corners_of(const TriangleMesh& mesh, std::span<const std::uint32_t> place) {
    std::vector<Corner> result;
    result.reserve(mesh.triangles.size() * 3);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto p = corners(mesh, t);
        const Vec3 normal = normalized_or(cross(p[1] - p[0], p[2] - p[0]), Vec3());
        if (normal == Vec3()) continue;
        for (std::size_t k = 0; k < 3; ++k)
            result.push_back({place[mesh.triangles[t][k]], normal,
                              angle_between(p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k])});
    }
    return result;
}

} // namespace

ShadedMesh shade_mesh(const TriangleMesh& mesh, float crease_angle) {
    const std::vector<std::uint32_t> place = weld(mesh.vertices);
    std::vector<Vec3> position(mesh.vertices.size());
    for (std::size_t i = 0; i < place.size(); ++i) position[place[i]] = mesh.vertices[i];

    const std::vector<Corner> corner = corners_of(mesh, place);
    std::vector<std::uint32_t> by_place(corner.size());
    std::iota(by_place.begin(), by_place.end(), 0u);
    std::stable_sort(by_place.begin(), by_place.end(),
                     [&](auto a, auto b) { return corner[a].place < corner[b].place; });

    ShadedMesh shaded;
    shaded.indices.resize(corner.size());
    const float cosine = std::cos(crease_angle);
    for (std::size_t begin = 0; begin < by_place.size();) {
        std::size_t end = begin;
        const std::uint32_t here = corner[by_place[begin]].place;
        while (end < by_place.size() && corner[by_place[end]].place == here) ++end;
        const std::span around(by_place.data() + begin, end - begin);
        const std::size_t first_vertex = shaded.vertices.size();
        for (const std::uint32_t c : around) {
            Vec3 sum;
            for (const std::uint32_t other : around)
                if (dot(corner[other].face_normal, corner[c].face_normal) > cosine)
                    sum += corner[other].face_normal * corner[other].angle;
            const Vec3 normal = normalized_or(sum, corner[c].face_normal);
            std::size_t v = first_vertex;
            while (v < shaded.vertices.size() && shaded.vertices[v].normal != normal) ++v;
            if (v == shaded.vertices.size()) shaded.vertices.push_back({position[here], normal});
            shaded.indices[c] = std::uint32_t(v);
        }
        shaded.radius = std::max(shaded.radius, length(position[here]));
        begin = end;
    }
    return shaded;
}

} // namespace fovea
