#include "fovea/contact/triangle_contacts.h"

#include <algorithm>

#include "fovea/geometry/triangle_distance.h"

namespace fovea {

namespace {

using Corners = std::array<Vec3d, 3>;

Corners wide(const TriangleCorners& t) {
    return {Vec3d(t[0]), Vec3d(t[1]), Vec3d(t[2])};
}

Vec3d normal_of(const Corners& t) {
    return normalized_or(cross(t[1] - t[0], t[2] - t[0]), Vec3d());
}

/// Where edges of `edges` go through `face`; at most two points that differ.
struct Contour {
    std::array<Vec3d, 6> points;
    int count = 0;

    void add_crossings(const Corners& edges, const Corners& face, const Vec3d& normal) {
        for (int i = 0; i < 3; ++i) {
            const Vec3d &p = edges[i], &q = edges[(i + 1) % 3];
            const double from = dot(normal, p - face[0]), to = dot(normal, q - face[0]);
            if ((from > 0) == (to > 0) || from == to) continue;
            const Vec3d at = p + (q - p) * (from / (from - to));
            bool inside = true;
            for (int k = 0; k < 3; ++k) {
                const Vec3d side = face[(k + 1) % 3] - face[k];
                if (dot(cross(side, at - face[k]), normal) < -1e-9 * length_squared(side))
                    inside = false;
            }
            if (inside) points[count++] = at;
        }
    }
};

/// How deep corners of `t` lie behind the plane of `face`.
double depth_behind(const Corners& t, const Corners& face, const Vec3d& normal) {
    double least = 0;
    for (const Vec3d& corner : t) least = std::min(least, dot(normal, corner - face[0]));
    return -least;
}

void add(const Vec3d& point, const Vec3d& normal, double separation, double size, double weight,
         std::uint32_t feature, std::vector<ContactHit>& hits) {
    const double closeness = size > 0 ? std::clamp(-separation / size, 0.0, 1.0) : 0;
    hits.push_back({Vec3(point), Vec3(normal), float(separation), float(closeness), float(weight),
                    0, feature});
}

} // namespace

void add_triangle_contact(const TriangleCorners& corners_a, const TriangleCorners& corners_b,
                          std::uint32_t feature, float margin, std::vector<ContactHit>& hits) {
    const Corners a = wide(corners_a), b = wide(corners_b);
    const Vec3d normal_a = normal_of(a), normal_b = normal_of(b);
    const Vec3d apart = normal_a - normal_b;
    const double size = length(a[1] - a[0]) + length(b[1] - b[0]);
    Contour contour;
    contour.add_crossings(a, b, normal_b);
    contour.add_crossings(b, a, normal_a);
    if (contour.count > 0) {
        Vec3d low = contour.points[0], high = low, mean;
        for (int i = 0; i < contour.count; ++i) {
            const Vec3d& p = contour.points[i];
            mean += p / contour.count;
            if (length_squared(p - low) > length_squared(high - low)) high = p;
        }
        // Surfaces that face the same way do not press on each other.
        const double opposed = length(apart);
        if (opposed < 1e-3) return;
        const Vec3d normal = apart / opposed;
        const double depth = std::min(depth_behind(b, a, normal_a), depth_behind(a, b, normal_b));
        add(mean, normal, -depth, size, (length(high - low) + 1e-6 * size) * opposed, feature,
            hits);
        return;
    }
    const TriangleGap gap = triangle_feature_gap(a, b);
    if (gap.distance > std::max(double(margin), 1e-6 * size)) return;
    Vec3d normal = apart;
    if (gap.distance > 1e-6 * size) normal = (gap.on_b - gap.on_a) / gap.distance;
    // From inside a body its surface is seen from behind.
    if (dot(normal, normal_a) < 0 && dot(normal, normal_b) > 0) return;
    add((gap.on_a + gap.on_b) * 0.5, normalized_or(normal, normal_a), gap.distance, size,
        1e-3 * size, feature, hits);
}

void add_corners_below(const TriangleCorners& triangle, const Vec3& up, float offset, float margin,
                       std::uint32_t feature, std::vector<ContactHit>& hits) {
    for (std::uint32_t i = 0; i < 3; ++i) {
        const float height = dot(up, triangle[i]) - offset;
        if (height > margin) continue;
        const double size = length(triangle[(i + 1) % 3] - triangle[i]);
        add(Vec3d(triangle[i] - up * (height / 2)), Vec3d(-up), height, size, 1, feature * 3 + i,
            hits);
    }
}

} // namespace fovea
