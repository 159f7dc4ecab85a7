// Points -> lattice -> triangulated hull -> polygonal faces.
//
// The points are rounded to an integer lattice, per axis by a power of two that makes the point
// set fill it. Rounding moves a point by less than 2^-37 of the set's extent along that axis, far
// below a float's own precision; scaling the axes apart does not change what is convex. On the
// lattice everything is exact (quickhull.h).
#include "fovea/geometry/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "fovea/geometry/aabb.h"
#include "fovea/geometry/hull_facets.h"
#include "fovea/geometry/number_text.h"

namespace fovea {

namespace {

/// The power of two that takes lengths up to `extent` to at most 2^(k_lattice_bits - 1), which
/// leaves a bit for rounding.
double lattice_scale(double extent) {
    int exponent = 0;
    std::frexp(extent, &exponent);
    return extent > 0 ? std::ldexp(1.0, k_lattice_bits - 1 - exponent) : 1;
}

/// Rounds the points to the lattice and drops those that fall on one already taken.
HullPoints to_lattice(std::span<const Vec3> points) {
    Aabb box;
    for (const Vec3& point : points) box = merged(box, point);
    const Vec3d low(box.low), extent = Vec3d(box.high) - low;
    const Vec3d scales(lattice_scale(extent.x), lattice_scale(extent.y), lattice_scale(extent.z));

    struct Entry {
        LatticePoint lattice;
        std::uint32_t index;
    };
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const Vec3d p = scale(Vec3d(points[i]) - low, scales);
        entries.push_back({{std::llrint(p.x), std::llrint(p.y), std::llrint(p.z)}, i});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.lattice != b.lattice ? a.lattice < b.lattice : a.index < b.index;
    });
    const auto end =
        std::unique(entries.begin(), entries.end(),
                    [](const Entry& a, const Entry& b) { return a.lattice == b.lattice; });

    HullPoints result;
    result.lattice_scale = scales;
    for (auto entry = entries.begin(); entry != end; ++entry) {
        result.exact.push_back(points[entry->index]);
        result.lattice.push_back(entry->lattice);
    }
    return result;
}

HullTolerance tolerance_of(std::span<const Vec3> points) {
    Vec3 largest;
    for (const Vec3& point : points) largest = max(largest, abs(point));
    return {Vec3d(largest)};
}

/// The point for which `measure` is largest.
template <class Measure>
std::uint32_t farthest(const std::vector<Vec3>& points, Measure measure) {
    std::uint32_t best = 0;
    double best_value = -1;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const double value = measure(Vec3d(points[i]));
        if (value <= best_value) continue;
        best = i;
        best_value = value;
    }
    return best;
}

/// Four points that span a volume beyond what rounding may feign.
Result<std::array<std::uint32_t, 4>> find_simplex(const HullPoints& points,
                                                  const HullTolerance& tolerance) {
    const auto at = [&](std::uint32_t i) { return Vec3d(points.exact[i]); };
    const auto refuse = [](const char* where) {
        return failure("convex hull: the points have no volume, they all lie " +
                       std::string(where) + " within rounding");
    };
    const std::uint32_t a = 0; // the lowest in x, hence extreme
    const std::uint32_t b =
        farthest(points.exact, [&](const Vec3d& p) { return length_squared(p - at(a)); });
    const Vec3d along = normalized_or(at(b) - at(a), Vec3d());
    if (length(at(b) - at(a)) <= tolerance.along(along)) return refuse("at one place");

    const auto from_line = [&](const Vec3d& p) {
        return (p - at(a)) - along * dot(p - at(a), along);
    };
    const std::uint32_t c =
        farthest(points.exact, [&](const Vec3d& p) { return length_squared(from_line(p)); });
    const Vec3d across = normalized_or(from_line(at(c)), Vec3d());
    if (length(from_line(at(c))) <= tolerance.along(across)) return refuse("on one line");

    const Vec3d normal = normalized_or(cross(along, across), Vec3d());
    const auto from_plane = [&](const Vec3d& p) { return std::abs(dot(p - at(a), normal)); };
    const std::uint32_t d = farthest(points.exact, from_plane);
    if (from_plane(at(d)) <= tolerance.along(normal)) return refuse("in one plane");
    return std::array<std::uint32_t, 4>{a, b, c, d};
}

} // namespace

Result<ConvexHull> make_convex_hull(std::span<const Vec3> points) {
    if (points.size() < 4) {
        return failure("convex hull: " + std::to_string(points.size()) +
                       " points given, a solid needs at least 4");
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (is_finite(points[i])) continue;
        return failure("convex hull: point " + std::to_string(i) + " is " + vector_text(points[i]) +
                       ", which is not finite");
    }
    const HullPoints distinct = to_lattice(points);
    const HullTolerance tolerance = tolerance_of(points);
    const auto simplex = find_simplex(distinct, tolerance);
    if (!simplex) return tl::unexpected(simplex.error());
    return joined_facets(distinct, quickhull(distinct.lattice, *simplex), tolerance);
}

} // namespace fovea
