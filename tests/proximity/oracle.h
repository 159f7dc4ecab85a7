// An independent account of placed solids: support values and signed surface functions written
// from the definitions of the shapes, and from these the true separation of a pair.
//
// For a unit vector n let   gap(n) = min over B of n.x - max over A of n.x.
// The separation of two convex sets is the maximum of gap over all n: apart, the distance;
// overlapping, minus the least translation that parts them.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/proximity.h"

namespace oracle {

using fovea::Vec3;
using fovea::Vec3d;

/// A face of a polytope, in the solid's frame: dot(normal, x) <= offset.
struct Plane {
    Vec3d normal;
    double offset;
};

/// What is needed beyond the corners to treat a polytope exactly.
struct Polytope {
    std::vector<Vec3d> corners;
    std::vector<Plane> planes;
    std::vector<Vec3d> edges; ///< directions, each once
};

/// All by brute force: every triple of corners is tried as a face, every pair as an edge.
Polytope make_polytope(const std::vector<Vec3d>& corners);

/// A convex solid (or a triangle) in world coordinates.
struct Solid {
    enum class Kind { sphere, half_space, box, cylinder, capsule, cone, hull, triangle };

    Kind kind;
    double radius = 0, half_height = 0;
    Vec3d half, normal;
    double offset = 0;
    std::shared_ptr<const Polytope> polytope; ///< box, hull, triangle
    std::array<Vec3d, 3> axes;                ///< of its frame, in the world
    Vec3d position;
    double size = 0; ///< of the same order as its diameter

    Vec3d to_local(const Vec3d& v) const;
    Vec3d to_world(const Vec3d& v) const;
    /// max over the solid of n.x, relative to `origin`; not for half-spaces.
    double height(const Vec3d& n, const Vec3d& origin) const;
    /// Distance outside the nearest surface, to first order: about zero exactly on the surface.
    double off_surface(const Vec3d& world_point) const;
};

/// `hull` gives the polytope of a hull shape.
Solid place(const fovea::Shape& shape, const fovea::Transform& at,
            std::shared_ptr<const Polytope> hull = nullptr);
Solid place_triangle(const std::array<Vec3, 3>& triangle);

/// gap(n) as above. B may be a half-space if n is minus its normal.
double gap(const Solid& a, const Solid& b, const Vec3d& n);

/// A direction with a larger gap than at `start`, found by pattern search around it.
Vec3d climb(const Solid& a, const Solid& b, Vec3d start, double step);

/// The largest gap over all directions of polytopes: exact, from all faces and pairs of edges.
double largest_gap_of_polytopes(const Solid& a, const Solid& b);

/// The largest gap over many sampled and special directions; `climbing` from the best of them to
/// their tops finds the maximum for curved solids, but takes its time.
double largest_gap(const Solid& a, const Solid& b, bool climbing);

} // namespace oracle
