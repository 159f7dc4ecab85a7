// Convex cores placed in the world, in double precision: what swept tests measure again and again
// at poses that lie between two steps and so are never stored as floats.
#pragma once

#include "fovea/geometry/core_proximity.h"

namespace fovea {

struct PlacedCore {
    ConvexCore core;
    Mat3d rotation = Mat3d::identity();
    Vec3d position{};
};

/// A convex solid at a pose.
PlacedCore place_core(const Shape& solid, const Transform& at);
/// A triangle given in world coordinates.
PlacedCore place_core(const std::array<Vec3, 3>& triangle);

/// Material on the side opposite the normal, in world axes.
struct PlacedPlane {
    Vec3d normal; ///< unit
    double offset;
};

PlacedPlane place_plane(const HalfSpace& plane, const Transform& at);

/// Separation and witnesses in world coordinates, the normal from A to B.
LocalProximity measure(const PlacedCore& a, const PlacedCore& b);
LocalProximity measure(const PlacedCore& a, const PlacedPlane& b);

} // namespace fovea
