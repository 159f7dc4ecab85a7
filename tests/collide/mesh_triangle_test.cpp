// Exact triangle pairs against CGAL's exact kernel, and the quick path against the exact one.
#include <doctest/doctest.h>

#include "fovea/base/random.h"
#include "fovea/geometry/exact_sign.h"
#include "fovea/geometry/triangle_distance.h"
#include "fovea/geometry/triangle_overlap.h"
#include "tests/oracles/triangle_oracle.h"

using namespace fovea;

namespace {

/// Corners on a small lattice, so that touching, coplanar and shared corners are common.
TriangleCorners lattice_triangle(Random& random, std::uint32_t size) {
    TriangleCorners t;
    for (Vec3& p : t)
        p = {float(random.below(size)), float(random.below(size)), float(random.below(size))};
    return t;
}

} // namespace

TEST_CASE("triangle overlap agrees with exact arithmetic where corners touch and planes coincide") {
    Random random(1);
    int meeting = 0, compared = 0;
    for (int i = 0; i < 60000; ++i) {
        const std::uint32_t size = 2 + i % 4;
        const TriangleCorners a = lattice_triangle(random, size),
                              b = lattice_triangle(random, size);
        if (oracle_collinear(a) || oracle_collinear(b)) continue;
        const bool expected = oracle_triangles_overlap(a, b);
        CHECK(triangles_overlap(a, b) == expected);
        CHECK(triangles_overlap_exact(b, a) == expected);
        meeting += expected, ++compared;
    }
    CHECK(meeting > compared / 4);
    CHECK(meeting < compared * 9 / 10);
}

TEST_CASE("the quick path and the exact path agree on triangles in general position") {
    Random random(2);
    int meeting = 0;
    for (int i = 0; i < 40000; ++i) {
        TriangleCorners a, b;
        for (Vec3& p : a) p = Vec3(random.direction());
        for (Vec3& p : b) p = Vec3(random.direction() * 0.8 + Vec3d(0.3, 0, 0));
        const bool expected = triangles_overlap_exact(a, b);
        CHECK(triangles_overlap(a, b) == expected);
        CHECK(triangles_overlap(b, a) == expected);
        if (i < 4000) CHECK(oracle_triangles_overlap(a, b) == expected);
        meeting += expected;
    }
    CHECK(meeting > 4000);
}

TEST_CASE("signs are exact where double precision is blind") {
    // d lies on the plane z = x 2^-40 of the others up to one unit in the last place of a float.
    const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
    CHECK(volume_sign(a, b, c, {0.25f, 0.25f, 1e-38f}) == -volume_sign(a, b, c, {1, 1, -1e-38f}));
    CHECK(volume_sign(a, b, c, {3e37f, 2e37f, 0}) == 0);
    // Coordinates whose exponents span more than a double holds.
    const Vec3 far(1e30f, 1e30f, 1e30f), near(1e-30f, 0, 0);
    CHECK(volume_sign(far, near, {0, 1e-30f, 0}, {0, 0, 0}) != 0);
    CHECK(volume_sign(far, {2e30f, 2e30f, 2e30f}, near, {0, 0, 0}) == 0);
    CHECK(area_sign({1e30f, 1e30f}, {1e-30f, 1e-30f}, {0, 0}) == 0);
    CHECK(area_sign({1e30f, 1e30f}, {1e-30f, 1.0000001e-30f}, {0, 0}) == 1);
}

TEST_CASE("triangles without area are segments and points") {
    const TriangleCorners big = {Vec3(-1, -1, 0), Vec3(3, -1, 0), Vec3(-1, 3, 0)};
    const auto segment = [](Vec3 p, Vec3 q) { return TriangleCorners{p, (p + q) * 0.5f, q}; };
    CHECK(triangles_overlap(big, segment({0, 0, -1}, {0, 0, 1})));
    CHECK_FALSE(triangles_overlap(big, segment({0, 0, 1}, {0, 0, 2})));
    CHECK(triangles_overlap(segment({0, 0, 0}, {0.5f, 0.5f, 0}), big));
    CHECK(triangles_overlap(big, {Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)}));
    CHECK_FALSE(triangles_overlap(big, {Vec3(0, 0, 1), Vec3(0, 0, 1), Vec3(0, 0, 1)}));
    CHECK(triangles_overlap(segment({0, 0, 0}, {2, 2, 2}), segment({0, 2, 1}, {2, 0, 1})));
    CHECK_FALSE(triangles_overlap(segment({0, 0, 0}, {2, 2, 2}), segment({0, 2, 1}, {2, 0, 1.5f})));
    CHECK(triangles_overlap(segment({0, 0, 0}, {2, 0, 0}), segment({1, 0, 0}, {3, 0, 0})));
    CHECK_FALSE(triangles_overlap(segment({0, 0, 0}, {1, 0, 0}), segment({2, 0, 0}, {3, 0, 0})));
}

TEST_CASE("triangle distance: known gaps, and never above sampled points") {
    const TriangleCorners flat = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    const auto lifted = [&](Vec3 by) {
        return TriangleCorners{flat[0] + by, flat[1] + by, flat[2] + by};
    };
    CHECK(triangle_gap(flat, lifted({0, 0, 0.5f})).distance == doctest::Approx(0.5));
    CHECK(triangle_gap(flat, lifted({3, 0, 0})).distance == doctest::Approx(2));
    CHECK(triangle_gap(flat, lifted({0.1f, 0.1f, 0})).distance == 0);
    Random random(3);
    for (int i = 0; i < 2000; ++i) {
        TriangleCorners a, b;
        for (Vec3& p : a) p = Vec3(random.direction());
        for (Vec3& p : b) p = Vec3(random.direction() + Vec3d(1, 0.5, 0));
        const TriangleGap gap = triangle_gap(a, b);
        CHECK((gap.distance == 0) == triangles_overlap_exact(a, b));
        if (gap.distance > 0) {
            // Ten roundings of numbers of size 1.
            CHECK(length(gap.on_a - gap.on_b) == doctest::Approx(gap.distance).epsilon(1e-12));
        }
        const auto sample = [&](const TriangleCorners& t) {
            double u = random.uniform(), v = random.uniform();
            if (u + v > 1) u = 1 - u, v = 1 - v;
            return Vec3d(t[0]) * (1 - u - v) + Vec3d(t[1]) * u + Vec3d(t[2]) * v;
        };
        for (int k = 0; k < 20; ++k) CHECK(length(sample(a) - sample(b)) >= gap.distance - 1e-12);
    }
}
