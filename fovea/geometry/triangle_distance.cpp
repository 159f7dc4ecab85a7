#include "fovea/geometry/triangle_distance.h"

#include <algorithm>
#include <limits>

namespace fovea {

namespace {

struct PointPair {
    Vec3d a, b;
};

/// Nearest points of the segments pq and rs; either may be a point (Ericson 5.1.9).
PointPair nearest_on_segments(const Vec3d& p, const Vec3d& q, const Vec3d& r, const Vec3d& s) {
    const Vec3d d1 = q - p, d2 = s - r, between = p - r;
    const double a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, between);
    double u = 0, v = 0;
    if (a > 0) {
        const double c = dot(d1, between);
        if (e > 0) {
            const double b = dot(d1, d2), denominator = a * e - b * b;
            if (denominator > 0) u = std::clamp((b * f - c * e) / denominator, 0.0, 1.0);
            v = (b * u + f) / e;
            if (v < 0)
                v = 0, u = std::clamp(-c / a, 0.0, 1.0);
            else if (v > 1)
                v = 1, u = std::clamp((b - c) / a, 0.0, 1.0);
        } else {
            u = std::clamp(-c / a, 0.0, 1.0);
        }
    } else if (e > 0) {
        v = std::clamp(f / e, 0.0, 1.0);
    }
    return {p + d1 * u, r + d2 * v};
}

/// Projection of `p` on the plane of `t`, where it falls inside the triangle.
bool project_inside(const Vec3d& p, const std::array<Vec3d, 3>& t, Vec3d& foot) {
    const Vec3d normal = cross(t[1] - t[0], t[2] - t[0]);
    const double squared = length_squared(normal);
    if (!(squared > 0)) return false;
    for (int i = 0; i < 3; ++i) {
        if (dot(cross(t[(i + 1) % 3] - t[i], p - t[i]), normal) < 0) return false;
    }
    foot = p - normal * (dot(normal, p - t[0]) / squared);
    return true;
}

} // namespace

TriangleGap triangle_feature_gap(const std::array<Vec3d, 3>& a, const std::array<Vec3d, 3>& b) {
    TriangleGap best;
    double best_squared = std::numeric_limits<double>::infinity();
    const auto offer = [&](const Vec3d& on_a, const Vec3d& on_b) {
        const double squared = length_squared(on_a - on_b);
        if (squared < best_squared) best_squared = squared, best.on_a = on_a, best.on_b = on_b;
    };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const PointPair points =
                nearest_on_segments(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
            offer(points.a, points.b);
        }
    }
    Vec3d foot;
    for (int i = 0; i < 3; ++i) {
        if (project_inside(a[i], b, foot)) offer(a[i], foot);
        if (project_inside(b[i], a, foot)) offer(foot, b[i]);
    }
    best.distance = std::sqrt(best_squared);
    return best;
}

TriangleGap triangle_gap(const TriangleCorners& a, const TriangleCorners& b) {
    TriangleGap gap = triangle_feature_gap({Vec3d(a[0]), Vec3d(a[1]), Vec3d(a[2])},
                                           {Vec3d(b[0]), Vec3d(b[1]), Vec3d(b[2])});
    if (gap.distance > 0 && triangles_overlap(a, b)) gap.distance = 0;
    return gap;
}

} // namespace fovea
