#include "fovea/geometry/convex_core.h"

#include "fovea/base/assert.h"
#include "fovea/geometry/convex_hull.h"

namespace fovea {

namespace {

double with_sign(double magnitude, double sign) {
    return sign < 0 ? -magnitude : magnitude;
}

/// Rim point of the disc of the given radius at height y that lies farthest along `d`.
Vec3d on_rim(double radius, double y, const Vec3d& d) {
    const double squared = d.x * d.x + d.z * d.z;
    if (!(squared > 0)) return {radius, y, 0};
    const double s = radius / std::sqrt(squared);
    return {d.x * s, y, d.z * s};
}

Vec3d farthest_vertex(std::span<const Vec3> vertices, const Vec3d& d) {
    std::size_t best = 0;
    double best_height = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const double height = dot(Vec3d(vertices[i]), d);
        if (height > best_height) {
            best_height = height;
            best = i;
        }
    }
    return Vec3d(vertices[best]);
}

/// Mean of those points whose height along `d` is within `slack` of the highest.
template <class Points>
Vec3d mean_of_highest(const Points& points, const Vec3d& d, double slack) {
    double highest = -std::numeric_limits<double>::infinity();
    for (const auto& p : points) highest = std::max(highest, dot(Vec3d(p), d));
    Vec3d sum;
    double count = 0;
    for (const auto& p : points)
        if (dot(Vec3d(p), d) >= highest - slack) sum += Vec3d(p), count += 1;
    return sum / count;
}

/// +size or -size as `slope` says, or the middle if it is flat.
double end_or_middle(double size, double slope) {
    return std::abs(slope) < k_flat_tilt ? 0 : with_sign(size, slope);
}

} // namespace

ConvexCore make_core(const Shape& shape) {
    using Kind = ConvexCore::Kind;
    ConvexCore core;
    if (const auto* sphere = std::get_if<Sphere>(&shape)) {
        core.rounding = core.size = sphere->radius;
    } else if (const auto* box = std::get_if<Box>(&shape)) {
        core.kind = Kind::box;
        core.half = Vec3d(box->half_extents);
        core.size = length(core.half);
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
        core.kind = Kind::cylinder;
        core.half = {cylinder->radius, cylinder->half_height, 0};
        core.size = length(core.half);
    } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
        core.kind = Kind::segment;
        core.rounding = capsule->radius;
        core.half = {0, capsule->half_height, 0};
        core.size = core.rounding + core.half.y;
    } else if (const auto* cone = std::get_if<Cone>(&shape)) {
        core.kind = Kind::cone;
        core.half = {cone->radius, cone->half_height, 0};
        core.size = length(core.half);
    } else if (const auto* hull = std::get_if<Hull>(&shape)) {
        core.kind = Kind::hull;
        core.vertices = hull->data->vertices;
        core.size =
            length(Vec3d(core.vertices[core.vertices.size() / 2]) - Vec3d(core.vertices.front()));
    } else {
        FOVEA_ASSERT(!"a convex solid");
    }
    return core;
}

ConvexCore make_core(const std::array<Vec3d, 3>& triangle) {
    ConvexCore core;
    core.kind = ConvexCore::Kind::triangle;
    core.corners = triangle;
    core.size = std::sqrt(std::max(length_squared(triangle[1] - triangle[0]),
                                   length_squared(triangle[2] - triangle[0])));
    return core;
}

Vec3d support(const ConvexCore& core, const Vec3d& d) {
    using Kind = ConvexCore::Kind;
    switch (core.kind) {
    case Kind::point:
        return {};
    case Kind::segment:
        return {0, with_sign(core.half.y, d.y), 0};
    case Kind::box:
        return {with_sign(core.half.x, d.x), with_sign(core.half.y, d.y),
                with_sign(core.half.z, d.z)};
    case Kind::cylinder:
        return on_rim(core.half.x, with_sign(core.half.y, d.y), d);
    case Kind::cone: {
        const double tip = core.half.y * d.y;
        const double rim = core.half.x * std::sqrt(d.x * d.x + d.z * d.z) - core.half.y * d.y;
        return tip > rim ? Vec3d(0, core.half.y, 0) : on_rim(core.half.x, -core.half.y, d);
    }
    case Kind::hull:
        return farthest_vertex(core.vertices, d);
    case Kind::triangle: {
        const double h0 = dot(core.corners[0], d);
        const double h1 = dot(core.corners[1], d);
        const double h2 = dot(core.corners[2], d);
        if (h0 >= h1) return core.corners[h0 >= h2 ? 0 : 2];
        return core.corners[h1 >= h2 ? 1 : 2];
    }
    }
    return {};
}

Vec3d support_middle(const ConvexCore& core, const Vec3d& d) {
    using Kind = ConvexCore::Kind;
    const double across = std::sqrt(d.x * d.x + d.z * d.z);
    switch (core.kind) {
    case Kind::point:
        return {};
    case Kind::segment:
        return {0, end_or_middle(core.half.y, d.y), 0};
    case Kind::box:
        return {end_or_middle(core.half.x, d.x), end_or_middle(core.half.y, d.y),
                end_or_middle(core.half.z, d.z)};
    case Kind::cylinder: {
        const double y = end_or_middle(core.half.y, d.y);
        return across < k_flat_tilt ? Vec3d(0, y, 0) : on_rim(core.half.x, y, d);
    }
    case Kind::cone: {
        const double y = -core.half.y;
        if (across < k_flat_tilt) return {0, with_sign(core.half.y, d.y), 0};
        const Vec3d rim = on_rim(core.half.x, y, d);
        const Vec3d tip(0, core.half.y, 0);
        const double rise = dot(tip - rim, d);
        if (std::abs(rise) < k_flat_tilt * length(tip - rim)) return (rim + tip) * 0.5;
        return rise > 0 ? tip : rim;
    }
    case Kind::hull:
        return mean_of_highest(core.vertices, d, k_flat_tilt * core.size);
    case Kind::triangle:
        return mean_of_highest(core.corners, d, k_flat_tilt * core.size);
    }
    return {};
}

} // namespace fovea
