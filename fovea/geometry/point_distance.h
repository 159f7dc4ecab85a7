// Signed distance of a point from a solid, in the solid's frame, in closed form. A sphere against
// the solid is this less the sphere's radius.
#pragma once

#include <array>

#include "fovea/base/vec3.h"

namespace fovea {

struct PointDistance {
    Vec3d surface;   ///< nearest point of the solid's surface
    Vec3d normal;    ///< unit, out of the solid: along it the point leaves soonest
    double distance; ///< negative inside; point = surface + distance * normal
};

PointDistance point_to_box(const Vec3d& half_extents, const Vec3d& point);
PointDistance point_to_cylinder(double radius, double half_height, const Vec3d& point);
PointDistance point_to_capsule(double radius, double half_height, const Vec3d& point);
PointDistance point_to_cone(double radius, double half_height, const Vec3d& point);

/// A triangle has no inside: the distance is never negative.
PointDistance point_to_triangle(const std::array<Vec3d, 3>& triangle, const Vec3d& point);

} // namespace fovea
