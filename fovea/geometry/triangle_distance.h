// Distance between two triangles in space.
#pragma once

#include "fovea/geometry/triangle_overlap.h"

namespace fovea {

/// The nearest points of two triangles.
struct TriangleGap {
    double distance = 0; ///< 0 if the triangles have a point in common
    Vec3d on_a, on_b;
};

/// The gap is that of two edges, or of a corner and a triangle (Ericson, "Real-Time Collision
/// Detection", 5.1), unless the triangles overlap, which is decided exactly.
TriangleGap triangle_gap(const TriangleCorners& a, const TriangleCorners& b);

/// The same for corners in double and without the exact test: triangles that cross report the
/// distance of their nearest features instead of 0.
TriangleGap triangle_feature_gap(const std::array<Vec3d, 3>& a, const std::array<Vec3d, 3>& b);

} // namespace fovea
