#include "fovea/geometry/triangle_distance.h"

#include <algorithm>
#include <limits>

namespace fovea {

namespace {

struct PointPair {
    Vec3d a, b;
};

/// What the tests of a triangle's features share.
struct Features {
    const std::array<Vec3d, 3>& corner;
    std::array<Vec3d, 3> edge; ///< number i goes from corner i to the next
    std::array<double, 3> edge_squared;
    Vec3d normal; ///< as long as the area is twice
    double normal_squared;
    std::array<Vec3d, 3> inwards; ///< across edge i, in the plane

    explicit Features(const std::array<Vec3d, 3>& t)
        : corner(t)
        , edge{t[1] - t[0], t[2] - t[1], t[0] - t[2]}
        , edge_squared{length_squared(edge[0]), length_squared(edge[1]), length_squared(edge[2])}
        , normal(cross(edge[0], t[2] - t[0]))
        , normal_squared(length_squared(normal))
        , inwards{cross(normal, edge[0]), cross(normal, edge[1]), cross(normal, edge[2])} {}
};

/// Nearest points of edge i of A and edge j of B; either may be a point (Ericson 5.1.9).
PointPair nearest_on_edges(const Features& of_a, int i, const Features& of_b, int j) {
    const Vec3d &p = of_a.corner[i], &r = of_b.corner[j];
    const Vec3d &d1 = of_a.edge[i], &d2 = of_b.edge[j], between = p - r;
    const double a = of_a.edge_squared[i], e = of_b.edge_squared[j], f = dot(d2, between);
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
bool project_inside(const Vec3d& p, const Features& t, Vec3d& foot) {
    if (!(t.normal_squared > 0)) return false;
    for (int i = 0; i < 3; ++i)
        if (dot(t.inwards[i], p - t.corner[i]) < 0) return false;
    foot = p - t.normal * (dot(t.normal, p - t.corner[0]) / t.normal_squared);
    return true;
}

} // namespace

TriangleGap triangle_feature_gap(const std::array<Vec3d, 3>& corners_a,
                                 const std::array<Vec3d, 3>& corners_b) {
    const Features a(corners_a), b(corners_b);
    TriangleGap best;
    double best_squared = std::numeric_limits<double>::infinity();
    const auto offer = [&](const Vec3d& on_a, const Vec3d& on_b) {
        const double squared = length_squared(on_a - on_b);
        if (squared < best_squared) best_squared = squared, best.on_a = on_a, best.on_b = on_b;
    };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const PointPair points = nearest_on_edges(a, i, b, j);
            offer(points.a, points.b);
        }
    }
    Vec3d foot;
    for (int i = 0; i < 3; ++i) {
        if (project_inside(a.corner[i], b, foot)) offer(a.corner[i], foot);
        if (project_inside(b.corner[i], a, foot)) offer(foot, b.corner[i]);
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
