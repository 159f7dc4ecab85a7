// Indexed triangle meshes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/base/vec3.h"
#include "fovea/geometry/aabb.h"

namespace fovea {

/// Triangles are counter-clockwise seen from outside.
struct TriangleMesh {
    using Triangle = std::array<std::uint32_t, 3>;

    std::vector<Vec3> vertices;
    std::vector<Triangle> triangles;
};

/// What a mesh morphs to: its vertices in the second and further reference shapes. The first is the
/// mesh itself.
struct MorphTargets {
    std::vector<std::vector<Vec3>> vertices;
};

/// The three corners of triangle `i`.
inline std::array<Vec3, 3> corners(const TriangleMesh& mesh, std::size_t i) {
    const auto& t = mesh.triangles[i];
    return {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
}

/// Refuses meshes without triangles, indices out of range and vertices that are not finite.
Result<void> check_mesh(const TriangleMesh& mesh);

/// True if every edge is shared by exactly two triangles that run along it in opposite senses:
/// the surface is closed and consistently oriented.
bool is_closed_and_oriented(const TriangleMesh& mesh);

/// Signed volume by the divergence theorem; positive if the triangles face outwards.
double signed_volume(const TriangleMesh& mesh);

double surface_area(const TriangleMesh& mesh);

Aabb bounds(const TriangleMesh& mesh);

} // namespace fovea
