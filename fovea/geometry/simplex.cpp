#include "fovea/geometry/simplex.h"

namespace fovea {

namespace {

Vec3d weighted(const Simplex& s, Vec3d MinkowskiVertex::*member) {
    Vec3d sum = s.vertices[0].*member * s.weights[0];
    for (int i = 1; i < s.count; ++i) sum += s.vertices[i].*member * s.weights[i];
    return sum;
}

/// Weight of b for the point of segment ab nearest to the origin.
double nearest_on_segment(const Vec3d& a, const Vec3d& b) {
    const Vec3d ab = b - a;
    const double along = -dot(a, ab);
    const double squared = dot(ab, ab);
    if (!(along > 0)) return 0;
    return along < squared ? along / squared : 1;
}

/// Keeps the vertices with positive weights; `which` is ascending.
void keep(Simplex& s, const std::array<int, 3>& which, const std::array<double, 3>& weights) {
    s.count = 0;
    for (int i = 0; i < 3; ++i)
        if (weights[i] > 0) {
            if (which[i] != s.count) s.vertices[s.count] = s.vertices[which[i]];
            s.weights[s.count++] = weights[i];
        }
}

Vec3d reduce_segment(Simplex& s) {
    const double t = nearest_on_segment(s.vertices[0].w, s.vertices[1].w);
    keep(s, {0, 1, 2}, {1 - t, t, 0});
    return s.nearest();
}

Vec3d point_of(const Simplex& s, const std::array<int, 3>& which,
               const std::array<double, 3>& weights) {
    const Vec3d& a = s.vertices[which[0]].w;
    const Vec3d& b = s.vertices[which[1]].w;
    const Vec3d& c = s.vertices[which[2]].w;
    if (weights[0] > 0 && weights[1] > 0 && weights[2] > 0) {
        // Inside the triangle the nearest point lies along the normal, which keeps its direction
        // when the distance goes to zero; the weighted sum of the corners does not.
        const Vec3d normal = cross(b - a, c - a);
        const Vec3d mean = (a + b + c) * (1.0 / 3);
        return normal * (dot(mean, normal) / dot(normal, normal));
    }
    return a * weights[0] + b * weights[1] + c * weights[2];
}

Vec3d reduce_triangle(Simplex& s) {
    const std::array<int, 3> which{0, 1, 2};
    const auto weights = nearest_on_triangle(s.vertices[0].w, s.vertices[1].w, s.vertices[2].w);
    const Vec3d nearest = point_of(s, which, weights);
    keep(s, which, weights);
    return nearest;
}

Vec3d reduce_tetrahedron(Simplex& s) {
    // The face opposite the newest vertex comes last: it cannot hold the nearest point unless
    // rounding in a thin tetrahedron says so of none of the others.
    constexpr std::array<std::array<int, 4>, 4> k_faces{
        {{0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3}}};
    double extent_squared = 0;
    for (const MinkowskiVertex& v : s.vertices)
        extent_squared = std::max(extent_squared, length_squared(v.w));
    bool outside = false;
    double best_squared = std::numeric_limits<double>::infinity();
    std::array<int, 3> best_which{};
    std::array<double, 3> best_weights{};
    Vec3d best;
    for (const auto& f : k_faces) {
        if (outside && f[3] == 3) break;
        const Vec3d& a = s.vertices[f[0]].w;
        const Vec3d normal = cross(s.vertices[f[1]].w - a, s.vertices[f[2]].w - a);
        const double origin_side = -dot(a, normal);
        const double inner_side = dot(s.vertices[f[3]].w - a, normal);
        // A flat tetrahedron encloses nothing: its height drowns in rounding and every face is
        // looked at.
        const double noise_squared = 1e-28 * extent_squared * dot(normal, normal);
        if (origin_side * inner_side > 0 && inner_side * inner_side > noise_squared) continue;
        outside = true;
        const std::array<int, 3> which{f[0], f[1], f[2]};
        const auto weights = nearest_on_triangle(a, s.vertices[f[1]].w, s.vertices[f[2]].w);
        const Vec3d nearest = point_of(s, which, weights);
        const double squared = length_squared(nearest);
        if (squared < best_squared) {
            best_squared = squared;
            best_which = which;
            best_weights = weights;
            best = nearest;
        }
    }
    if (!outside) return {};
    keep(s, best_which, best_weights);
    return best;
}

} // namespace

Vec3d Simplex::nearest() const {
    return weighted(*this, &MinkowskiVertex::w);
}
Vec3d Simplex::nearest_a() const {
    return weighted(*this, &MinkowskiVertex::a);
}
Vec3d Simplex::nearest_b() const {
    return weighted(*this, &MinkowskiVertex::b);
}

std::array<double, 3> nearest_on_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d ab = b - a, ac = c - a;
    const double d1 = -dot(ab, a), d2 = -dot(ac, a);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
    const double d3 = -dot(ab, b), d4 = -dot(ac, b);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
    const double d5 = -dot(ab, c), d6 = -dot(ac, c);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        const double t = d1 / (d1 - d3);
        return {1 - t, t, 0};
    }
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        const double t = d2 / (d2 - d6);
        return {1 - t, 0, t};
    }
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return {0, 1 - t, t};
    }
    const double sum = va + vb + vc;
    return {va / sum, vb / sum, vc / sum};
}

std::array<double, 3> nearest_on_thin_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    std::array<double, 3> best = nearest_on_triangle(a, b, c);
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](const std::array<double, 3>& weights) {
        const double squared = length_squared(a * weights[0] + b * weights[1] + c * weights[2]);
        if (squared < least) {
            least = squared;
            best = weights;
        }
    };
    consider(best);
    const double ab = nearest_on_segment(a, b);
    consider({1 - ab, ab, 0});
    const double bc = nearest_on_segment(b, c);
    consider({0, 1 - bc, bc});
    const double ca = nearest_on_segment(c, a);
    consider({ca, 0, 1 - ca});
    return best;
}

Vec3d reduce_to_nearest(Simplex& s) {
    switch (s.count) {
    case 1:
        s.weights[0] = 1;
        return s.vertices[0].w;
    case 2:
        return reduce_segment(s);
    case 3:
        return reduce_triangle(s);
    default:
        return reduce_tetrahedron(s);
    }
}

} // namespace fovea
