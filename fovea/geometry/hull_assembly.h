// The last step of hull construction: vertices, faces and edges with their adjacency.
#pragma once

#include <span>
#include <vector>

#include "fovea/geometry/convex_hull.h"

namespace fovea {

/// A face by its outline, counter-clockwise, which may still pass through needless vertices.
struct PolygonFace {
    std::vector<std::uint32_t> outline;
    Vec3 normal;
    float offset;
};

/// Keeps the points in which three or more faces meet, and finds the edges.
ConvexHull assembled_hull(std::span<const Vec3> points, std::span<const PolygonFace> faces);

/// True if every face is a polygon, every edge lies between two faces that run along it in
/// opposite senses, and Euler's formula holds.
bool fits_together(const ConvexHull& hull);

} // namespace fovea
