// A sheet that a test waves, in the plane of x and z.
#pragma once

#include <vector>

#include "fovea/geometry/deforming_scenes.h"

namespace fovea {

/// n by n squares, `size` wide, about the origin, facing up.
inline TriangleMesh flat_sheet(int n, float size) {
    return make_sheet(size, n);
}

/// A standing wave.
inline std::vector<Vec3> waved(const TriangleMesh& flat, float time, float height = 0.15f,
                               float length = 3, float period = 1.5f) {
    std::vector<Vec3> vertices;
    StandingWave{height, length, period}.vertices(flat.vertices, double(time), vertices);
    return vertices;
}

inline std::vector<Vec3> shifted(std::vector<Vec3> vertices, const Vec3& by) {
    for (Vec3& v : vertices) v += by;
    return vertices;
}

} // namespace fovea
