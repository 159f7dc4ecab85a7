// The area of contact: how many points there are, and that they span it.
#include <vector>

#include "tests/contact/manifold_checks.h"

using namespace fovea;
using namespace fovea::test;

namespace {

struct Point2 {
    double x, y;
};

double turn(const Point2& a, const Point2& b, const Point2& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Area of the convex hull (Andrew's monotone chain).
double hull_area(std::vector<Point2> points) {
    std::sort(points.begin(), points.end(),
              [](const Point2& a, const Point2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    std::vector<Point2> ring;
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t start = ring.size();
        for (const Point2& p : points) {
            while (ring.size() >= start + 2 && turn(ring[ring.size() - 2], ring.back(), p) <= 0)
                ring.pop_back();
            ring.push_back(p);
        }
        ring.pop_back();
        std::reverse(points.begin(), points.end());
    }
    double area = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Point2 &a = ring[i], &b = ring[(i + 1) % ring.size()];
        area += 0.5 * (a.x * b.y - b.x * a.y);
    }
    return area;
}

/// A rectangle: centre, half sizes, angle.
struct Rectangle {
    Point2 centre;
    double half_x, half_y, angle;

    std::vector<Point2> corners() const {
        std::vector<Point2> result;
        const double c = std::cos(angle), s = std::sin(angle);
        for (const auto& [x, y] : {Point2{1, 1}, Point2{-1, 1}, Point2{-1, -1}, Point2{1, -1}}) {
            const double u = x * half_x, v = y * half_y;
            result.push_back({centre.x + c * u - s * v, centre.y + s * u + c * v});
        }
        return result;
    }
    bool holds(const Point2& p, double slack) const {
        const double c = std::cos(angle), s = std::sin(angle);
        const double u = c * (p.x - centre.x) + s * (p.y - centre.y);
        const double v = -s * (p.x - centre.x) + c * (p.y - centre.y);
        return std::abs(u) <= half_x + slack && std::abs(v) <= half_y + slack;
    }
};

/// Corners of the overlap, by brute force: corners inside the other, and all crossings of sides.
std::vector<Point2> overlap_corners(const Rectangle& a, const Rectangle& b) {
    std::vector<Point2> result;
    const auto ca = a.corners(), cb = b.corners();
    for (const Point2& p : ca)
        if (b.holds(p, 0)) result.push_back(p);
    for (const Point2& p : cb)
        if (a.holds(p, 0)) result.push_back(p);
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) {
            const Point2 &p = ca[i], &q = ca[(i + 1) % 4], &r = cb[k], &s = cb[(k + 1) % 4];
            const double t0 = turn(r, s, p), t1 = turn(r, s, q);
            const double u0 = turn(p, q, r), u1 = turn(p, q, s);
            if ((t0 < 0) == (t1 < 0) || (u0 < 0) == (u1 < 0)) continue;
            const double t = t0 / (t0 - t1);
            result.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
        }
    }
    return result;
}

std::vector<Point2> seen_from_above(const Manifold& m) {
    std::vector<Point2> result;
    for (int i = 0; i < m.count; ++i) result.push_back({m.points[i].point.x, m.points[i].point.z});
    return result;
}

Manifold collide(const Shape& a, const Shape& b, const Transform& at_b) {
    PairCache cache;
    return collide_convex(a, {}, b, at_b, k_margin, cache);
}

double spread(const Manifold& m) {
    return hull_area(seen_from_above(m));
}

const Box k_table{{2, 0.5f, 2}};
const Quat k_lying(from_axis_angle(Vec3d(0, 0, 1), 1.5707963267948966));

} // namespace

TEST_CASE("four points span the overlap of two box faces") {
    Random random(3);
    double least_share = 1;
    for (int trial = 0; trial < 20000; ++trial) {
        CAPTURE(trial);
        const auto length = [&] { return random.uniform(0.2, 1); };
        const Rectangle a{{0, 0}, length(), length(), 0};
        // Seen from above, x to the right and z up, a turn about +y is clockwise.
        const Rectangle b{{random.uniform(-1, 1), random.uniform(-1, 1)},
                          length(),
                          length(),
                          random.uniform(-3, 3)};
        const std::vector<Point2> expected = overlap_corners(a, b);
        const double area = expected.size() < 3 ? 0 : hull_area(expected);
        if (area < 0.01) continue;
        const Box box_a{{float(a.half_x), 1, float(a.half_y)}};
        const Box box_b{{float(b.half_x), 1, float(b.half_y)}};
        const auto height = float(2 + random.uniform(-0.01, 0.01));
        const Transform at_b{{float(b.centre.x), height, float(b.centre.y)},
                             Quat(from_axis_angle(Vec3d(0, -1, 0), b.angle))};
        const Manifold m = collide(box_a, box_b, at_b);
        if (std::abs(m.normal.y) < 0.9f) continue; // a narrow overlap: parted soonest sideways
        CHECK(m.normal.y == doctest::Approx(1));
        CHECK(m.count == std::min<int>(4, int(expected.size())));
        for (int i = 0; i < m.count; ++i) {
            const Point2 p{m.points[i].point.x, m.points[i].point.z};
            CHECK(a.holds(p, 1e-5));
            CHECK(b.holds(p, 1e-5));
            CHECK(m.points[i].separation == doctest::Approx(height - 2).epsilon(1e-3));
        }
        const double share = spread(m) / area;
        least_share = std::min(least_share, share);
        CHECK(share < 1 + 1e-4);
        // Four corners of a convex octagon chosen this way: the deepest first, which is any corner
        // here, its farthest, and the farthest on either side of that diagonal.
        CHECK(share > (expected.size() > 4 ? 0.5 : 1 - 1e-4));
    }
    MESSAGE("least share of the overlap's area: ", least_share);
}

TEST_CASE("shapes at rest have the points that hold them up") {
    SUBCASE("a cylinder on its cap: four points around the rim") {
        const Manifold m = collide(k_table, Cylinder{0.5f, 0.5f}, {{0.1f, 0.999f, -0.2f}});
        CHECK(m.count == 4);
        CHECK(spread(m) > 0.95 * 2 * 0.25); // a square inscribed in the disc has area 2 r^2
    }
    SUBCASE("a cylinder on another") {
        const Manifold m = collide(Cylinder{0.6f, 0.5f}, Cylinder{0.5f, 0.5f}, {{0, 0.999f, 0}});
        CHECK(m.count == 4);
        CHECK(spread(m) > 0.95 * 2 * 0.25);
    }
    SUBCASE("a cylinder on its side: both ends") {
        const Manifold m = collide(k_table, Cylinder{0.4f, 0.7f}, {{0, 0.899f, 0}, k_lying});
        CHECK(m.count == 2);
        CHECK(length(m.points[0].point - m.points[1].point) == doctest::Approx(1.4));
    }
    SUBCASE("two cylinders side by side: both ends of the common stretch") {
        const Manifold m = collide(Cylinder{0.5f, 0.5f}, Cylinder{0.3f, 0.5f}, {{0.799f, 0.2f, 0}});
        CHECK(m.count == 2);
        CHECK(length(m.points[0].point - m.points[1].point) == doctest::Approx(0.8));
    }
    SUBCASE("a capsule on its side") {
        const Manifold m = collide(k_table, Capsule{0.3f, 0.6f}, {{0, 0.799f, 0}, k_lying});
        CHECK(m.count == 2);
        CHECK(length(m.points[0].point - m.points[1].point) == doctest::Approx(1.2));
    }
    SUBCASE("a capsule standing") {
        CHECK(collide(k_table, Capsule{0.3f, 0.6f}, {{0, 1.399f, 0}}).count == 1);
    }
    SUBCASE("a cone on its base") {
        const Manifold m = collide(k_table, Cone{0.5f, 0.5f}, {{0, 0.999f, 0}});
        CHECK(m.count == 4);
        CHECK(spread(m) > 0.95 * 2 * 0.25);
    }
    SUBCASE("a prism on its base") {
        const Manifold m = collide(k_table, prism(6, 0.5f, 0.5f), {{0, 0.999f, 0}});
        CHECK(m.count == 4);
        CHECK(spread(m) > 0.4); // the hexagon has 0.65, its best quadrilateral two thirds of that
    }
    SUBCASE("a box on its edge over a half-space") {
        const HalfSpace ground{{0, 1, 0}, 0};
        const Quat roof(from_axis_angle(Vec3d(0, 0, 1), 0.7853981633974483));
        const Manifold m = collide(ground, Box{{0.5f, 0.5f, 0.5f}}, {{0, 0.7065f, 0}, roof});
        CHECK(m.count == 2);
        CHECK(length(m.points[0].point - m.points[1].point) == doctest::Approx(1));
        CHECK(m.normal.y == doctest::Approx(1));
    }
    SUBCASE("a cylinder flat on a half-space") {
        const HalfSpace ground{{0, 1, 0}, 0};
        const Manifold m = collide(ground, Cylinder{0.5f, 0.5f}, {{0, 0.499f, 0}});
        CHECK(m.count == 4);
        CHECK(spread(m) > 0.95 * 2 * 0.25);
    }
    SUBCASE("a box on a triangle larger than itself") {
        PairCache cache;
        const std::array<Vec3, 3> triangle{Vec3(-5, -0.499f, -5), Vec3(0, -0.499f, 5),
                                           Vec3(5, -0.499f, -5)};
        const Manifold m = collide_convex(Box{{0.5f, 0.5f, 0.5f}}, {}, triangle, k_margin, cache);
        CHECK(m.count == 4);
        CHECK(spread(m) == doctest::Approx(1));
    }
}

TEST_CASE("a hull stands on all sides of a face with more corners than there is room for") {
    const Shape pillar = prism(200, 0.5f, 0.5f);
    const Shape floor = HalfSpace{{0, 1, 0}, 0};
    // Tilted a little, to every side: all corners stay within the margin.
    for (const Vec3 axis : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
        const Transform at({0, 0.499f, 0}, from_axis_angle(axis, 0.01f));
        PairCache cache;
        const Manifold m = collide_convex(pillar, at, floor, {}, k_margin, cache);
        REQUIRE(m.count == 4);
        Vec3 low(1, 1, 1), high(-1, -1, -1);
        for (int i = 0; i < m.count; ++i) {
            low = min(low, m.points[i].point);
            high = max(high, m.points[i].point);
        }
        // A square on a circle reaches at least 0.7 of its radius to every side.
        CHECK(low.x < -0.34f);
        CHECK(low.z < -0.34f);
        CHECK(high.x > 0.34f);
        CHECK(high.z > 0.34f);
    }
}
