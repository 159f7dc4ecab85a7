#include "fovea/geometry/triangle_overlap.h"

#include <algorithm>

#include "fovea/geometry/exact_sign.h"

namespace fovea {

namespace {

using Triangle2 = std::array<Point2, 3>;

bool between(float value, float a, float b) {
    return std::min(a, b) <= value && value <= std::max(a, b);
}

/// `p` lies on the line through `a` and `b`: does it lie between them?
bool on_segment(const Point2& a, const Point2& b, const Point2& p) {
    return between(p.x, a.x, b.x) && between(p.y, a.y, b.y);
}

bool segments_meet(const Point2& a, const Point2& b, const Point2& c, const Point2& d) {
    const int c_side = area_sign(a, b, c), d_side = area_sign(a, b, d);
    const int a_side = area_sign(c, d, a), b_side = area_sign(c, d, b);
    if (c_side * d_side < 0 && a_side * b_side < 0) return true;
    return (c_side == 0 && on_segment(a, b, c)) || (d_side == 0 && on_segment(a, b, d)) ||
           (a_side == 0 && on_segment(c, d, a)) || (b_side == 0 && on_segment(c, d, b));
}

/// Triangles of no area have no inside; their edges are tested apart.
bool strictly_inside(const Triangle2& t, const Point2& p) {
    const int s = area_sign(t[0], t[1], p);
    return s != 0 && area_sign(t[1], t[2], p) == s && area_sign(t[2], t[0], p) == s;
}

bool overlap_in_plane(const Triangle2& a, const Triangle2& b) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (segments_meet(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3])) return true;
        }
    }
    return strictly_inside(a, b[0]) || strictly_inside(b, a[0]);
}

/// Flat sets in one plane meet exactly if their shadows on all three coordinate planes do: at least
/// one of the three projections is one-to-one on the common plane (or line).
bool overlap_coplanar(const TriangleCorners& a, const TriangleCorners& b) {
    const auto shadow = [](const TriangleCorners& t, int axis) {
        Triangle2 flat;
        for (int i = 0; i < 3; ++i) flat[i] = {t[i][(axis + 1) % 3], t[i][(axis + 2) % 3]};
        return flat;
    };
    for (int axis = 0; axis < 3; ++axis) {
        if (!overlap_in_plane(shadow(a, axis), shadow(b, axis))) return false;
    }
    return true;
}

/// The closed segment pq against a triangle with area whose plane it is not in.
bool segment_crosses(const Vec3& p, const Vec3& q, int p_side, int q_side,
                     const TriangleCorners& t) {
    if (p_side * q_side > 0) return false;
    const int s0 = volume_sign(p, q, t[0], t[1]);
    const int s1 = volume_sign(p, q, t[1], t[2]);
    const int s2 = volume_sign(p, q, t[2], t[0]);
    return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

/// Three points on one line.
bool has_no_area(const TriangleCorners& t) {
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const int sign = area_sign({t[0][u], t[0][v]}, {t[1][u], t[1][v]}, {t[2][u], t[2][v]});
        if (sign != 0) return false;
    }
    return true;
}

/// Does an edge of `a` cross `b`, or does `a` lie in the plane of `b` and meet it there?
bool edges_meet(const TriangleCorners& a, const TriangleCorners& b) {
    std::array<int, 3> side;
    for (int i = 0; i < 3; ++i) side[i] = volume_sign(b[0], b[1], b[2], a[i]);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const bool in_plane = side[i] == 0 && side[j] == 0;
        if (in_plane) {
            // The edge as a triangle without area.
            if (overlap_coplanar({a[i], a[j], a[j]}, b)) return true;
        } else if (segment_crosses(a[i], a[j], side[i], side[j], b)) {
            return true;
        }
    }
    return false;
}

/// Both triangles are segments or points.
bool lines_meet(const TriangleCorners& a, const TriangleCorners& b) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const Vec3 &p = a[i], &q = a[(i + 1) % 3], &r = b[j], &s = b[(j + 1) % 3];
            if (volume_sign(p, q, r, s) == 0 && overlap_coplanar({p, q, q}, {r, s, s})) return true;
        }
    }
    return false;
}

enum class Verdict { apart, meet, unsure };

/// The corner alone on its side of the other triangle's plane, or -1 if all are on one side.
int lone_corner(const std::array<int, 3>& side) {
    if (side[0] == side[1]) return side[2] == side[0] ? -1 : 2;
    return side[2] == side[0] ? 1 : 0;
}

/// Devillers and Guigue, "Faster Triangle-Triangle Intersection Tests", INRIA RR-4488, 2002: with
/// both lone corners p on the positive side of the other plane, the two intervals on the common
/// line overlap exactly if two further determinants have the right sign. Only where every sign is
/// certain and not zero; corners in a plane are left to the exact path.
Verdict quick_verdict(const TriangleCorners& a, const TriangleCorners& b) {
    const auto sides = [](const TriangleCorners& plane, const TriangleCorners& t) {
        std::array<int, 3> side;
        for (int i = 0; i < 3; ++i)
            side[i] = volume_determinant(plane[0], plane[1], plane[2], t[i]).certain_sign();
        return side;
    };
    const auto has_zero = [](const std::array<int, 3>& s) { return s[0] * s[1] * s[2] == 0; };

    const std::array<int, 3> a_sides = sides(b, a);
    if (has_zero(a_sides)) return Verdict::unsure;
    const int i = lone_corner(a_sides);
    if (i < 0) return Verdict::apart;
    const std::array<int, 3> b_sides = sides(a, b);
    if (has_zero(b_sides)) return Verdict::unsure;
    const int j = lone_corner(b_sides);
    if (j < 0) return Verdict::apart;

    const Vec3 &p1 = a[i], &p2 = b[j];
    const Vec3 *q1 = &a[(i + 1) % 3], *r1 = &a[(i + 2) % 3];
    const Vec3 *q2 = &b[(j + 1) % 3], *r2 = &b[(j + 2) % 3];
    // Turning a triangle over changes the side on which the other's corners lie.
    if (a_sides[i] < 0) std::swap(q2, r2);
    if (b_sides[j] < 0) std::swap(q1, r1);
    const int first = volume_determinant(p1, *q1, p2, *q2).certain_sign();
    if (first > 0) return Verdict::apart;
    const int second = volume_determinant(p1, *r1, *r2, p2).certain_sign();
    if (second > 0) return Verdict::apart;
    return first < 0 && second < 0 ? Verdict::meet : Verdict::unsure;
}

} // namespace

bool triangles_overlap_exact(const TriangleCorners& a, const TriangleCorners& b) {
    // A triangle without area is the union of its edges.
    const bool a_thin = has_no_area(a), b_thin = has_no_area(b);
    if (a_thin && b_thin) return lines_meet(a, b);
    if (a_thin) return edges_meet(a, b);
    if (b_thin) return edges_meet(b, a);
    if (edges_meet(a, b)) return true;
    return edges_meet(b, a);
}

bool triangles_overlap(const TriangleCorners& a, const TriangleCorners& b) {
    switch (quick_verdict(a, b)) {
    case Verdict::apart:
        return false;
    case Verdict::meet:
        return true;
    case Verdict::unsure:
        break;
    }
    return triangles_overlap_exact(a, b);
}

} // namespace fovea
