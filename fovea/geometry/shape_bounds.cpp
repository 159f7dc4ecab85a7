// Support functions along the axes. With M the rotation matrix, the extent of a body along world
// axis i is its extent along row i of M in its own frame; for a disc of radius r about local y
// that is r sqrt(Mix^2 + Miz^2), which needs no cancelling 1 - Miy^2.
//
// Everything is computed in double and rounded outwards, so that the box contains the shape.
#include "fovea/geometry/shape_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/height_field.h"
#include "fovea/geometry/rounding.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

namespace {

Aabb outward(const Vec3d& low, const Vec3d& high) {
    return {{rounded_down(low.x), rounded_down(low.y), rounded_down(low.z)},
            {rounded_up(high.x), rounded_up(high.y), rounded_up(high.z)}};
}

Aabb symmetric(const Vec3d& centre, const Vec3d& extent) {
    return outward(centre - extent, centre + extent);
}

/// Extents of the unit disc perpendicular to the rotated y axis.
Vec3d disc_extent(const Mat3d& rotation) {
    const auto along = [&](int i) {
        return std::sqrt(rotation.x[i] * rotation.x[i] + rotation.z[i] * rotation.z[i]);
    };
    return {along(0), along(1), along(2)};
}

/// Calls `visit(point)` for all corners of what is made of flat faces.
template <class Visit>
void visit_points(const std::vector<Vec3>& points, Visit&& visit) {
    for (const Vec3& point : points) visit(point);
}
template <class Visit>
void visit_points(const HeightField& field, Visit&& visit) {
    for (std::uint32_t row = 0; row < field.rows; ++row)
        for (std::uint32_t column = 0; column < field.columns; ++column)
            visit(field.vertex(column, row));
}

template <class Points>
Aabb around_points(const Points& points, const Transformd& at) {
    const Mat3d rotation = to_matrix(at.orientation);
    constexpr double k_infinity = std::numeric_limits<double>::infinity();
    Vec3d low(k_infinity, k_infinity, k_infinity), high = -low;
    visit_points(points, [&](const Vec3& point) {
        const Vec3d p = rotation * Vec3d(point);
        low = min(low, p);
        high = max(high, p);
    });
    return outward(low + at.position, high + at.position);
}

template <class Points>
double farthest(const Points& points, const Transformd& at) {
    double largest = 0;
    visit_points(points, [&](const Vec3& point) {
        largest = std::max(largest, length_squared(at * Vec3d(point)));
    });
    return std::sqrt(largest);
}

Aabb placed_bounds(const Shape& shape, const Transformd& at);
double placed_reach(const Shape& shape, const Transformd& at);

struct Bounds {
    const Transformd& at;

    Aabb operator()(const Sphere& s) const {
        return symmetric(at.position, Vec3d(s.radius, s.radius, s.radius));
    }

    Aabb operator()(const HalfSpace& h) const {
        const Vec3d normal = rotate(at.orientation, Vec3d(h.normal));
        Aabb box = Aabb::everything();
        for (int axis = 0; axis < 3; ++axis) {
            // Exactly parallel: the slightest tilt reaches any height somewhere.
            if (normal[(axis + 1) % 3] != 0 || normal[(axis + 2) % 3] != 0) continue;
            const double surface = at.position[axis] + h.offset / normal[axis];
            if (normal[axis] > 0) box.high[axis] = rounded_up(surface);
            if (normal[axis] < 0) box.low[axis] = rounded_down(surface);
        }
        return box;
    }

    Aabb operator()(const Box& b) const {
        const Mat3d m = to_matrix(at.orientation);
        const Vec3d e(b.half_extents);
        return symmetric(at.position, abs(m.x) * e.x + abs(m.y) * e.y + abs(m.z) * e.z);
    }

    Aabb operator()(const Cylinder& c) const {
        const Mat3d m = to_matrix(at.orientation);
        return symmetric(at.position,
                         abs(m.y) * double(c.half_height) + disc_extent(m) * double(c.radius));
    }

    Aabb operator()(const Capsule& c) const {
        const double r = c.radius;
        const Vec3d axis = to_matrix(at.orientation).y;
        return symmetric(at.position, abs(axis) * double(c.half_height) + Vec3d(r, r, r));
    }

    Aabb operator()(const Cone& c) const {
        const Mat3d m = to_matrix(at.orientation);
        const Vec3d tip = m.y * double(c.half_height), rim = disc_extent(m) * double(c.radius);
        return outward(at.position + min(tip, -tip - rim), at.position + max(tip, -tip + rim));
    }

    Aabb operator()(const Hull& h) const { return around_points(h.data->vertices, at); }

    Aabb operator()(const MeshSurface& m) const { return around_points(m.data->vertices, at); }
    Aabb operator()(const SolidMesh& m) const { return around_points(m.data->vertices, at); }
    Aabb operator()(const DeformingMesh& m) const { return around_points(m.data->vertices, at); }
    Aabb operator()(const HeightSurface& h) const { return around_points(*h.data, at); }

    Aabb operator()(const CompoundShape& c) const {
        Aabb box;
        for (const auto& part : c.data->parts) {
            box = merged(box, placed_bounds(part.shape, at * Transformd(part.placement)));
        }
        return box;
    }
};

/// Distance from the origin to the farthest point of the placed shape.
struct Reach {
    const Transformd& at;

    Vec3d axis() const { return rotate(at.orientation, Vec3d(0, 1, 0)); }

    /// To the rim of the disc about the axis, `height` above the shape's centre.
    double to_rim(double height, double radius) const {
        const double along = dot(at.position, axis());
        const double across = length(at.position - axis() * along);
        return std::hypot(along + height, across + radius);
    }

    double operator()(const Sphere& s) const { return length(at.position) + s.radius; }
    double operator()(const HalfSpace&) const { return std::numeric_limits<double>::infinity(); }

    double operator()(const Box& b) const {
        // The farthest corner has, along each box axis, the sign of the centre.
        const Vec3d centre = abs(rotate_back(at.orientation, at.position));
        return length(centre + Vec3d(b.half_extents));
    }

    double operator()(const Cylinder& c) const {
        return std::max(to_rim(c.half_height, c.radius), to_rim(-c.half_height, c.radius));
    }

    double operator()(const Capsule& c) const {
        const Vec3d end = axis() * double(c.half_height);
        return std::max(length(at.position + end), length(at.position - end)) + c.radius;
    }

    double operator()(const Cone& c) const {
        return std::max(to_rim(c.half_height, 0), to_rim(-c.half_height, c.radius));
    }

    double operator()(const Hull& h) const { return farthest(h.data->vertices, at); }
    double operator()(const MeshSurface& m) const { return farthest(m.data->vertices, at); }
    double operator()(const SolidMesh& m) const { return farthest(m.data->vertices, at); }
    double operator()(const DeformingMesh& m) const { return farthest(m.data->vertices, at); }
    double operator()(const HeightSurface& h) const { return farthest(*h.data, at); }

    double operator()(const CompoundShape& c) const {
        double largest = 0;
        for (const auto& part : c.data->parts) {
            const Transformd placement = at * Transformd(part.placement);
            largest = std::max(largest, placed_reach(part.shape, placement));
        }
        return largest;
    }
};

Aabb placed_bounds(const Shape& shape, const Transformd& at) {
    return std::visit(Bounds{at}, shape);
}

double placed_reach(const Shape& shape, const Transformd& at) {
    return std::visit(Reach{at}, shape);
}

} // namespace

Aabb bounds(const Shape& shape, const Transform& placement) {
    return placed_bounds(shape, Transformd(placement));
}

float bounding_radius(const Shape& shape) {
    return rounded_up(placed_reach(shape, Transformd()));
}

} // namespace fovea
