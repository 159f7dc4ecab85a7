// A sheet that a test waves, in the plane of x and z.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

/// n by n squares, `size` wide, about the origin, facing up.
inline TriangleMesh flat_sheet(std::uint32_t n, float size) {
    TriangleMesh mesh;
    for (std::uint32_t row = 0; row <= n; ++row)
        for (std::uint32_t column = 0; column <= n; ++column)
            mesh.vertices.push_back({(float(column) / float(n) - 0.5f) * size, 0,
                                     (float(row) / float(n) - 0.5f) * size});
    for (std::uint32_t row = 0; row < n; ++row)
        for (std::uint32_t column = 0; column < n; ++column) {
            const std::uint32_t i = row * (n + 1) + column, below = i + n + 1;
            mesh.triangles.push_back({i, below, i + 1});
            mesh.triangles.push_back({i + 1, below, below + 1});
        }
    return mesh;
}

/// A standing wave, deepest in the middle of the sheet.
inline std::vector<Vec3> waved(const TriangleMesh& flat, float time, float height = 0.15f,
                               float length = 3, float period = 1.5f) {
    const float pi = 3.14159265f;
    std::vector<Vec3> vertices = flat.vertices;
    for (Vec3& v : vertices)
        v.y += height * std::sin(2 * pi * time / period) * std::cos(2 * pi * v.x / length) *
               std::cos(2 * pi * v.z / length);
    return vertices;
}

inline std::vector<Vec3> shifted(std::vector<Vec3> vertices, const Vec3& by) {
    for (Vec3& v : vertices) v += by;
    return vertices;
}

} // namespace fovea
