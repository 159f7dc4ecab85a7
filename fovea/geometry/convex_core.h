// A convex solid as the general pair test sees it: a sharp core and a rounding radius.
//
//    sphere  = point   + radius          box, cylinder, cone, hull, triangle: radius 0
//    capsule = segment + radius
//
// The distance of two solids is the distance of their cores less both radii, and so is the depth
// when the cores overlap. Rounded solids are thus exact although the search is for sharp ones.
#pragma once

#include <array>
#include <span>

#include "fovea/base/mat3.h"
#include "fovea/geometry/shape.h"

namespace fovea {

struct ConvexCore {
    enum class Kind { point, segment, box, cylinder, cone, hull, triangle };

    Kind kind = Kind::point;
    double rounding = 0;
    Vec3d half{};                     ///< box: half extents; round ones: {radius, half height, -}
    std::span<const Vec3> vertices{}; ///< of a hull
    std::array<Vec3d, 3> corners{};   ///< of a triangle
    double size = 0;                  ///< some length between the half width and the diameter
};

/// The core of a convex solid.
ConvexCore make_core(const Shape& shape);
ConvexCore make_core(const std::array<Vec3d, 3>& triangle);

/// A point of the core that lies farthest along `direction`, which need not be unit length.
Vec3d support(const ConvexCore& core, const Vec3d& direction);

/// Sine of the tilt below which a face, edge or cap counts as lying flat against something. The
/// orientation of a body is stored as floats, which resolve angles of about 1e-7.
constexpr double k_flat_tilt = 1e-6;

/// Like support(), for a unit `direction`, but the middle of the flat face, edge or cap that is
/// extreme (Stokes 4.2): on a plane below, a tilt less than k_flat_tilt does not move it.
Vec3d support_middle(const ConvexCore& core, const Vec3d& direction);

/// Two cores, the second placed in the frame of the first.
struct CorePair {
    const ConvexCore& a;
    const ConvexCore& b;
    Mat3d rotation;
    Vec3d position;

    Vec3d support_a(const Vec3d& direction) const { return support(a, direction); }
    Vec3d support_b(const Vec3d& direction) const {
        return rotation * support(b, transposed_times(rotation, direction)) + position;
    }
};

} // namespace fovea
