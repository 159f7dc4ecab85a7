// Triangle meshes with the normals that smooth shading needs.
//
//        smooth                 crease
//      \   |   /               |  |            A corner's normal averages the faces around its
//    ___\__|__/___          ___|__|            vertex that are turned from its own face by less
//       .-'''-.                |    .---       than the crease angle.
//      /       \               '----'  ---
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

struct ShadedVertex {
    Vec3 position;
    Vec3 normal; ///< unit
};

struct ShadedMesh {
    std::vector<ShadedVertex> vertices;
    std::vector<std::uint32_t> indices; ///< three per triangle
    float radius = 0;                   ///< of the vertices about the origin
};

constexpr float k_crease_angle = 0.61f; ///< radians, 35 degrees

/// Adds normals to `mesh`, splitting vertices along edges sharper than `crease_angle`. Vertices at
/// the same place count as one. Triangles without area are left out.
ShadedMesh shade_mesh(const TriangleMesh& mesh, float crease_angle = k_crease_angle);

} // namespace fovea
