// Checks and sums over all triangles of a mesh.
#include "fovea/geometry/triangle_mesh.h"

#include <algorithm>
#include <string>

#include "fovea/geometry/number_text.h"

namespace fovea {

Result<void> check_mesh(const TriangleMesh& mesh) {
    if (mesh.triangles.empty()) return failure("mesh has no triangles");
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        if (!is_finite(mesh.vertices[i])) {
            return failure("mesh vertex " + std::to_string(i) + " is " +
                           vector_text(mesh.vertices[i]) + ", which is not finite");
        }
    }
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        for (const std::uint32_t vertex : mesh.triangles[i]) {
            if (vertex < mesh.vertices.size()) continue;
            return failure("mesh triangle " + std::to_string(i) + " uses vertex " +
                           std::to_string(vertex) + ", but the mesh has only " +
                           std::to_string(mesh.vertices.size()));
        }
    }
    return {};
}

bool is_closed_and_oriented(const TriangleMesh& mesh) {
    // Directed edges, packed as from * 2^32 + to. The surface is closed and oriented exactly if no
    // directed edge occurs twice and the set of them equals the set of their reverses.
    std::vector<std::uint64_t> forward, backward;
    forward.reserve(3 * mesh.triangles.size());
    backward.reserve(3 * mesh.triangles.size());
    for (const auto& triangle : mesh.triangles) {
        for (int i = 0; i < 3; ++i) {
            const std::uint64_t from = triangle[i], to = triangle[(i + 1) % 3];
            if (from == to) return false;
            forward.push_back(from << 32 | to);
            backward.push_back(to << 32 | from);
        }
    }
    std::sort(forward.begin(), forward.end());
    if (std::adjacent_find(forward.begin(), forward.end()) != forward.end()) return false;
    std::sort(backward.begin(), backward.end());
    return !forward.empty() && forward == backward;
}

double signed_volume(const TriangleMesh& mesh) {
    if (mesh.triangles.empty()) return 0;
    // The sum of signed tetrahedra from any apex to every triangle; an apex near the surface keeps
    // the terms, and with them the rounding, small.
    const Vec3d apex(mesh.vertices[mesh.triangles[0][0]]);
    double six_volumes = 0;
    for (const auto& [i, j, k] : mesh.triangles) {
        const Vec3d a = Vec3d(mesh.vertices[i]) - apex;
        const Vec3d b = Vec3d(mesh.vertices[j]) - apex;
        const Vec3d c = Vec3d(mesh.vertices[k]) - apex;
        six_volumes += dot(a, cross(b, c));
    }
    return six_volumes / 6;
}

double surface_area(const TriangleMesh& mesh) {
    double twice = 0;
    for (const auto& [i, j, k] : mesh.triangles) {
        const Vec3d a(mesh.vertices[i]);
        twice += length(cross(Vec3d(mesh.vertices[j]) - a, Vec3d(mesh.vertices[k]) - a));
    }
    return twice / 2;
}

Aabb bounds(const TriangleMesh& mesh) {
    Aabb box;
    for (const Vec3& vertex : mesh.vertices) box = merged(box, vertex);
    return box;
}

} // namespace fovea
