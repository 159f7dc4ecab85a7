// The part of the ray's line inside a convex solid is one interval. Solids are intersections of
// simpler ones (planes, an endless cylinder or cone), and so are their intervals; the normal is
// that of the piece that was entered last.
#include "fovea/geometry/ray_cast.h"

#include <algorithm>
#include <limits>

#include "fovea/base/assert.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/placed_core.h"

namespace fovea {

namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

struct Line {
    Vec3d origin, direction; ///< unit
};

/// Where a line is inside: distances along it.
struct Interval {
    double enter = -k_infinity, exit = k_infinity;
    Vec3d normal{}; ///< at `enter`

    bool empty() const { return !(enter <= exit); }
};

constexpr Interval k_nowhere{k_infinity, -k_infinity, {}};

Interval intersection(const Interval& a, const Interval& b) {
    const Interval& later = b.enter > a.enter ? b : a;
    return {later.enter, std::min(a.exit, b.exit), later.normal};
}

/// Of overlapping intervals.
Interval joined(const Interval& a, const Interval& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    const Interval& sooner = b.enter < a.enter ? b : a;
    return {sooner.enter, std::max(a.exit, b.exit), sooner.normal};
}

/// Inside dot(normal, x) <= offset.
Interval below_plane(const Line& line, const Vec3d& normal, double offset) {
    const double slope = dot(normal, line.direction);
    const double room = offset - dot(normal, line.origin);
    if (slope == 0) return room < 0 ? k_nowhere : Interval{};
    if (slope < 0) return {room / slope, k_infinity, normal};
    return {-k_infinity, room / slope, {}};
}

/// Inside |x_axis| <= half.
Interval slab(const Line& line, int axis, double half) {
    Vec3d normal;
    normal[axis] = 1;
    return intersection(below_plane(line, normal, half), below_plane(line, -normal, half));
}

Interval in_ball(const Line& line, const Vec3d& centre, double radius) {
    const Vec3d from_centre = line.origin - centre;
    const double along = dot(from_centre, line.direction);
    const Vec3d across = from_centre - line.direction * along;
    const double squared = radius * radius - length_squared(across);
    if (squared < 0) return k_nowhere;
    const double half = std::sqrt(squared);
    return {-along - half, -along + half, (across - line.direction * half) / radius};
}

Interval in_endless_cylinder(const Line& line, double radius) {
    const Vec3d flat(line.direction.x, 0, line.direction.z);
    const Vec3d start(line.origin.x, 0, line.origin.z);
    const double steepness = length_squared(flat);
    if (!(steepness > 0)) return length_squared(start) <= radius * radius ? Interval{} : k_nowhere;
    const double along = dot(start, flat) / steepness;
    const Vec3d across = start - flat * along;
    const double squared = (radius * radius - length_squared(across)) / steepness;
    if (squared < 0) return k_nowhere;
    const double half = std::sqrt(squared);
    return {-along - half, -along + half, normalized_or(across - flat * half, Vec3d(1, 0, 0))};
}

/// Below the tip at y = half_height, however far down: x^2 + z^2 <= (k (half_height - y))^2.
Interval in_endless_cone(const Line& line, double half_height, double k) {
    const Vec3d& u = line.direction;
    const Vec3d w = line.origin - Vec3d(0, half_height, 0);
    const double a = u.x * u.x + u.z * u.z - k * k * u.y * u.y;
    const double b = w.x * u.x + w.z * u.z - k * k * w.y * u.y;
    const double c = w.x * w.x + w.z * w.z - k * k * w.y * w.y;
    const bool downwards = u.y < 0;

    Interval inside;
    if (a == 0) { // parallel to the slope
        if (b == 0) return k_nowhere;
        const double root = -c / (2 * b);
        if ((b < 0) != downwards) return k_nowhere; // in the mirrored cone above the tip
        inside = downwards ? Interval{root, k_infinity, {}} : Interval{-k_infinity, root, {}};
    } else {
        double discriminant = b * b - a * c;
        if (a > 0 && discriminant < 0) return k_nowhere;
        // A line steeper than the slope always meets both cones.
        discriminant = std::max(discriminant, 0.0);
        const double q = -(b + std::copysign(std::sqrt(discriminant), b));
        const double first = q / a, second = q == 0 ? first : c / q;
        const double low = std::min(first, second), high = std::max(first, second);
        if (a > 0) {
            if (w.y - u.y * (b / a) > 0) return k_nowhere; // the mirrored cone
            inside = {low, high, {}};
        } else {
            inside = downwards ? Interval{high, k_infinity, {}} : Interval{-k_infinity, low, {}};
        }
    }
    if (inside.enter > -k_infinity) {
        const Vec3d p = w + u * inside.enter;
        inside.normal = normalized_or(Vec3d(p.x, -k * k * p.y, p.z), Vec3d(0, 1, 0));
    }
    return inside;
}

struct LineInside {
    const Line& line;

    Interval operator()(const Sphere& s) const { return in_ball(line, {}, s.radius); }

    Interval operator()(const HalfSpace& h) const {
        return below_plane(line, Vec3d(h.normal), h.offset);
    }

    Interval operator()(const Box& b) const {
        Interval inside;
        for (int axis = 0; axis < 3; ++axis)
            inside = intersection(inside, slab(line, axis, b.half_extents[axis]));
        return inside;
    }

    Interval operator()(const Cylinder& c) const {
        return intersection(slab(line, 1, c.half_height), in_endless_cylinder(line, c.radius));
    }

    Interval operator()(const Capsule& c) const {
        const Interval middle =
            intersection(slab(line, 1, c.half_height), in_endless_cylinder(line, c.radius));
        const Vec3d end(0, c.half_height, 0);
        return joined(middle, joined(in_ball(line, end, c.radius), in_ball(line, -end, c.radius)));
    }

    Interval operator()(const Cone& c) const {
        const double half = c.half_height;
        return intersection(below_plane(line, {0, -1, 0}, half),
                            in_endless_cone(line, half, c.radius / (2 * half)));
    }

    Interval operator()(const Hull& h) const {
        Interval inside;
        for (const ConvexHull::Face& face : h.data->faces)
            inside =
                intersection(inside, below_plane(line, Vec3d(face.normal), double(face.offset)));
        return inside;
    }

    Interval operator()(const MeshSurface&) const { return k_nowhere; }
    Interval operator()(const SolidMesh&) const { return k_nowhere; }
    Interval operator()(const DeformingMesh&) const { return k_nowhere; }
    Interval operator()(const HeightSurface&) const { return k_nowhere; }
    Interval operator()(const CompoundShape&) const { return k_nowhere; }
};

std::optional<LocalRayHit> first_hit(const LocalRay& ray, const Shape& shape) {
    // Measured from the place nearest the shape's origin: a far start costs no precision.
    const double shift =
        type_of(shape) == ShapeType::half_space ? 0 : -dot(ray.origin, ray.direction);
    const Line line{ray.origin + ray.direction * shift, ray.direction};
    const Interval inside = std::visit(LineInside{line}, shape);
    const double enter = shift + inside.enter, exit = shift + inside.exit;
    if (inside.empty() || enter > ray.length || exit < 0) return std::nullopt;
    if (enter >= 0) return LocalRayHit{enter, inside.normal};
    if (exit == 0) return std::nullopt; // leaves from the surface
    return LocalRayHit{0, -ray.direction, true};
}

} // namespace

LocalRay to_local(const Ray& ray, const Transform& at) {
    const Mat3d rotation = rotation_of(Quatd(at.orientation));
    return {transposed_times(rotation, Vec3d(ray.origin) - Vec3d(at.position)),
            transposed_times(rotation, ray.direction), ray.length};
}

RayHit to_world(const Ray& ray, const Transform& at, const LocalRayHit& found) {
    const Vec3d normal =
        found.inside ? -ray.direction : rotation_of(Quatd(at.orientation)) * found.normal;
    return {float(std::min(found.distance / ray.length, 1.0)),
            Vec3(Vec3d(ray.origin) + ray.direction * found.distance), Vec3(normal), found.inside};
}

std::optional<RayHit> cast_ray(const Ray& ray, const Shape& shape, const Transform& at) {
    FOVEA_ASSERT(is_convex_solid(type_of(shape)) || type_of(shape) == ShapeType::half_space);
    const LocalRay local = to_local(ray, at);
    const auto found = first_hit(local, shape);
    if (!found) return std::nullopt;
    return to_world(ray, at, *found);
}

/// Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", JCGT 2013: the triangle is
/// sheared so that the ray runs along an axis; then the signs of three edge functions decide. Two
/// triangles find exactly opposite values at a common edge, so no ray slips between them.
std::optional<LocalRayHit> cast_ray(const LocalRay& ray, const std::array<Vec3, 3>& triangle) {
    const Vec3d size = abs(ray.direction);
    const int along = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    const int u = (along + 1) % 3, v = (along + 2) % 3;
    const double shear_u = ray.direction[u] / ray.direction[along];
    const double shear_v = ray.direction[v] / ray.direction[along];

    std::array<Vec3d, 3> corner;
    std::array<double, 3> x, y;
    for (int i = 0; i < 3; ++i) {
        corner[i] = Vec3d(triangle[i]) - ray.origin;
        x[i] = corner[i][u] - shear_u * corner[i][along];
        y[i] = corner[i][v] - shear_v * corner[i][along];
    }
    std::array<double, 3> weight;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        weight[i] = x[k] * y[j] - y[k] * x[j];
    }
    const bool any_negative = weight[0] < 0 || weight[1] < 0 || weight[2] < 0;
    const bool any_positive = weight[0] > 0 || weight[1] > 0 || weight[2] > 0;
    if (any_negative && any_positive) return std::nullopt;
    const double sum = weight[0] + weight[1] + weight[2];
    if (sum == 0) return std::nullopt;
    double depth = 0;
    for (int i = 0; i < 3; ++i) depth += weight[i] * corner[i][along];
    const double distance = depth / (sum * ray.direction[along]);
    if (!(distance >= 0) || distance > ray.length) return std::nullopt;
    const Vec3d face = cross(corner[1] - corner[0], corner[2] - corner[0]);
    const Vec3d normal = normalized_or(face, -ray.direction);
    return LocalRayHit{distance, dot(normal, ray.direction) > 0 ? -normal : normal};
}

std::optional<RayHit> cast_ray(const Ray& ray, const std::array<Vec3, 3>& triangle) {
    const LocalRay local = to_local(ray, {});
    const auto found = cast_ray(local, triangle);
    if (!found) return std::nullopt;
    return to_world(ray, {}, *found);
}

} // namespace fovea
