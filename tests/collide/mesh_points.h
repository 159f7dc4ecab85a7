// Points and closed meshes, by going through all triangles.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/geometry/proximity.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea::test {

/// Sum of the signed solid angles of all triangles over 4 pi: 1 inside, 0 outside (Van Oosterom and
/// Strackee, "The Solid Angle of a Plane Triangle", 1983).
inline double winding(const TriangleMesh& mesh, const Vec3d& point) {
    double sum = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto t = corners(mesh, i);
        const Vec3d a = Vec3d(t[0]) - point, b = Vec3d(t[1]) - point, c = Vec3d(t[2]) - point;
        const double la = length(a), lb = length(b), lc = length(c);
        sum += std::atan2(dot(a, cross(b, c)),
                          la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return sum / (2 * std::numbers::pi);
}

/// To the nearest triangle, one by one.
inline double distance_to(const TriangleMesh& mesh, const Vec3& point) {
    float nearest = 1e30f;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
        nearest =
            std::min(nearest, proximity(Sphere{0}, Transform(point), corners(mesh, i)).separation);
    return double(nearest);
}

} // namespace fovea::test
