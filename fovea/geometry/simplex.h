// Up to four points of the Minkowski difference B - A, each with the points of A and B it came
// from, and the point of their convex hull nearest to the origin.
#pragma once

#include <array>

#include "fovea/geometry/convex_core.h"

namespace fovea {

/// A point w = b - a on the surface of B - A.
struct MinkowskiVertex {
    Vec3d w, a, b;
};

/// The point of B - A farthest along `direction`.
inline MinkowskiVertex minkowski_support(const CorePair& pair, const Vec3d& direction) {
    const Vec3d a = pair.support_a(-direction);
    const Vec3d b = pair.support_b(direction);
    return {b - a, a, b};
}

struct Simplex {
    std::array<MinkowskiVertex, 4> vertices;
    std::array<double, 4> weights{}; ///< of the nearest point; they sum to 1
    int count = 0;

    Vec3d nearest() const;
    Vec3d nearest_a() const;
    Vec3d nearest_b() const;
};

/// Drops the vertices that the point nearest to the origin does not need, sets the weights of the
/// others and returns that point. Four vertices are kept only if they enclose the origin.
Vec3d reduce_to_nearest(Simplex& simplex);

/// Weights of the point of triangle abc nearest to the origin (Ericson, "Real-Time Collision
/// Detection", 5.1.5). A weight is zero exactly where its corner is not needed.
std::array<double, 3> nearest_on_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c);

/// The same with more care for thin triangles, whose weights are badly conditioned: an edge serves
/// instead if that comes nearer.
std::array<double, 3> nearest_on_thin_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c);

} // namespace fovea
