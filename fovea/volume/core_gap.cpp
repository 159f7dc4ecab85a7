#include "fovea/volume/core_gap.h"

#include <algorithm>
#include <array>
#include <limits>

#include "fovea/base/assert.h"

namespace fovea {

namespace {

/// Sine of the angle below which directions count as parallel.
constexpr double k_parallel = 1e-9;

struct Segment {
    Vec3d centre, u;
};
struct Rectangle {
    Vec3d centre, u, v;
};
struct Interval {
    double low, high;
    bool empty() const { return low > high; }
    double middle() const { return 0.5 * (low + high); }
};

CoreGap flipped(const CoreGap& gap) {
    return {gap.on_b, gap.on_a, gap.squared};
}

CoreGap between(const Vec3d& on_a, const Vec3d& on_b) {
    return {on_a, on_b, length_squared(on_b - on_a)};
}

/// Where along `axis` the offset ends, in half axes; not clamped.
double along(const Vec3d& offset, const Vec3d& axis) {
    const double squared = length_squared(axis);
    return squared > 0 ? dot(offset, axis) / squared : 0;
}

double to_unit(double s) {
    return std::clamp(s, -1.0, 1.0);
}

Vec3d nearest_on(const Segment& a, const Vec3d& p) {
    return a.centre + a.u * to_unit(along(p - a.centre, a.u));
}

Vec3d nearest_on(const Rectangle& a, const Vec3d& p) {
    const Vec3d d = p - a.centre;
    return a.centre + a.u * to_unit(along(d, a.u)) + a.v * to_unit(along(d, a.v));
}

CoreGap gap(const Segment& a, const Segment& b) {
    const Vec3d d = b.centre - a.centre;
    const double uu = length_squared(a.u), ww = length_squared(b.u), uw = dot(a.u, b.u);
    if (uu == 0) return between(a.centre, nearest_on(b, a.centre));
    if (ww == 0) return between(nearest_on(a, b.centre), b.centre);
    double s;
    const double denominator = uu * ww - uw * uw;
    if (denominator > k_parallel * k_parallel * uu * ww) {
        s = to_unit((dot(d, a.u) * ww - dot(d, b.u) * uw) / denominator);
    } else {
        const double middle = dot(d, a.u) / uu, half = std::abs(uw) / uu;
        const Interval overlap{std::max(-1.0, middle - half), std::min(1.0, middle + half)};
        s = overlap.empty() ? to_unit(middle) : overlap.middle();
    }
    const Vec3d on_b = nearest_on(b, a.centre + a.u * s);
    const Vec3d on_a = nearest_on(a, on_b);
    return between(on_a, on_b);
}

std::array<Segment, 4> edges(const Rectangle& r) {
    return {{{r.centre + r.v, r.u},
             {r.centre - r.v, r.u},
             {r.centre + r.u, r.v},
             {r.centre - r.u, r.v}}};
}

void keep_nearer(CoreGap& best, const CoreGap& other) {
    if (other.squared < best.squared) best = other;
}

/// The part of the segment, from -1 to 1, that lies over the rectangle: between its sides across
/// `axis`.
Interval over(const Segment& a, const Vec3d& centre, const Vec3d& axis, Interval part) {
    const double from = along(a.centre - centre, axis), slope = along(a.u, axis);
    if (slope == 0) return std::abs(from) <= 1 ? part : Interval{1, -1};
    const double first = (-1 - from) / slope, second = (1 - from) / slope;
    return {std::max(part.low, std::min(first, second)),
            std::min(part.high, std::max(first, second))};
}

CoreGap gap(const Segment& a, const Rectangle& b) {
    const Vec3d normal = cross(b.u, b.v);
    const double size = length(normal);
    if (size == 0) {
        return gap(a, Segment{b.centre, length_squared(b.u) > length_squared(b.v) ? b.u : b.v});
    }
    const double height = dot(a.centre - b.centre, normal), rise = dot(a.u, normal);
    if (std::abs(rise) <= k_parallel * size * length(a.u)) {
        const Interval part = over(a, b.centre, b.v, over(a, b.centre, b.u, {-1, 1}));
        if (!part.empty()) {
            const Vec3d on_a = a.centre + a.u * part.middle();
            return between(on_a, nearest_on(b, on_a));
        }
    } else if (std::abs(height) <= std::abs(rise)) {
        const Vec3d through = a.centre - a.u * (height / rise);
        const Vec3d d = through - b.centre;
        if (std::abs(along(d, b.u)) <= 1 && std::abs(along(d, b.v)) <= 1) {
            return {through, through, 0};
        }
    }
    CoreGap best{{}, {}, std::numeric_limits<double>::infinity()};
    for (const double end : {-1.0, 1.0}) {
        const Vec3d p = a.centre + a.u * end;
        keep_nearer(best, between(p, nearest_on(b, p)));
    }
    for (const Segment& edge : edges(b)) keep_nearer(best, gap(a, edge));
    return best;
}

struct Point2 {
    double x, y;
};

/// A convex polygon in the plane of a rectangle, in half axes of it, of at most eight corners.
struct Polygon {
    std::array<Point2, 8> corners;
    int count = 0;

    /// Rounding may bend a sliver so that a line cuts it more than twice: nothing is lost with
    /// corners that coincide up to that.
    void add(const Point2& p) {
        if (count < int(corners.size())) corners[count++] = p;
    }

    /// What lies on the inner side of `sign * coordinate = 1`, for coordinate x or y.
    Polygon clipped(double Point2::*coordinate, double sign) const {
        Polygon out;
        for (int i = 0; i < count; ++i) {
            const Point2 &from = corners[i], &to = corners[(i + 1) % count];
            const double here = 1 - sign * from.*coordinate, there = 1 - sign * to.*coordinate;
            if (here >= 0) out.add(from);
            if ((here > 0 && there < 0) || (here < 0 && there > 0)) {
                const double t = here / (here - there);
                out.add({from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t});
            }
        }
        return out;
    }

    Point2 centroid() const {
        double area = 0, x = 0, y = 0;
        Point2 mean{0, 0};
        for (int i = 0; i < count; ++i) {
            const Point2 &p = corners[i], &q = corners[(i + 1) % count];
            const double twice = p.x * q.y - q.x * p.y;
            area += twice;
            x += (p.x + q.x) * twice;
            y += (p.y + q.y) * twice;
            mean = {mean.x + p.x / count, mean.y + p.y / count};
        }
        // Rectangles that touch along a line overlap in no area.
        if (std::abs(area) < 1e-12) return mean;
        return {x / (3 * area), y / (3 * area)};
    }
};

/// The overlap of parallel rectangles seen along their normal, in half axes of `a`.
Polygon overlap(const Rectangle& a, const Rectangle& b) {
    Polygon polygon;
    for (const auto& [s, t] : {std::pair{1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}}) {
        const Vec3d corner = b.centre + b.u * s + b.v * t - a.centre;
        polygon.add({along(corner, a.u), along(corner, a.v)});
    }
    for (const double sign : {1.0, -1.0}) {
        polygon = polygon.clipped(&Point2::x, sign);
        polygon = polygon.clipped(&Point2::y, sign);
    }
    return polygon;
}

CoreGap gap(const Rectangle& a, const Rectangle& b) {
    const Vec3d normal_a = cross(a.u, a.v), normal_b = cross(b.u, b.v);
    const double sizes = length(normal_a) * length(normal_b);
    if (sizes > 0 && length(cross(normal_a, normal_b)) <= k_parallel * sizes) {
        if (const Polygon common = overlap(a, b); common.count > 0) {
            const Point2 middle = common.centroid();
            const Vec3d on_a = a.centre + a.u * middle.x + a.v * middle.y;
            return between(on_a, nearest_on(b, on_a));
        }
    }
    CoreGap best{{}, {}, std::numeric_limits<double>::infinity()};
    for (const Segment& edge : edges(a)) keep_nearer(best, gap(edge, b));
    for (const Segment& edge : edges(b)) keep_nearer(best, flipped(gap(edge, a)));
    return best;
}

} // namespace

CoreGap core_gap(const NodeVolumed& a, const NodeVolumed& b) {
    FOVEA_ASSERT(a.type != VolumeType::cube && b.type != VolumeType::cube);
    if (a.type > b.type) return flipped(core_gap(b, a));
    const Segment segment_a{a.centre, a.u}, segment_b{b.centre, b.u};
    const Rectangle rectangle_b{b.centre, b.u, b.v};
    if (a.type == VolumeType::point) {
        if (b.type == VolumeType::point) return between(a.centre, b.centre);
        if (b.type == VolumeType::segment) {
            return between(a.centre, nearest_on(segment_b, a.centre));
        }
        return between(a.centre, nearest_on(rectangle_b, a.centre));
    }
    if (a.type == VolumeType::rectangle) return gap({a.centre, a.u, a.v}, rectangle_b);
    return b.type == VolumeType::segment ? gap(segment_a, segment_b) : gap(segment_a, rectangle_b);
}

} // namespace fovea
