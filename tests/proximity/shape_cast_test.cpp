// Sweeps prove themselves: at the place found, a plane between the solids (so they have not met
// before) and a common point (so they meet now). Misses are checked against the separation along
// the way, which is a convex function with one valley.
#include <doctest/doctest.h>

#include "fovea/geometry/shape_cast.h"
#include "sweep_shapes.h"

using namespace oracle;
using fovea::cast_shape;
using fovea::Transform;
using Kind = Solid::Kind;

namespace {

#ifdef FOVEA_SANITIZED
constexpr int k_sweeps = 300; ///< per pair: sanitizers are slow
#else
constexpr int k_sweeps = 3'000;
#endif

struct Target {
    PlacedSolid solid; ///< unless a triangle
    std::array<Vec3, 3> triangle;
    bool is_triangle;

    Solid view() const { return is_triangle ? place_triangle(triangle) : solid.solid; }
    double separation(const fovea::Shape& a, const Transform& at) const {
        return is_triangle ? proximity(a, at, triangle).separation
                           : proximity(a, at, solid.shape, solid.at).separation;
    }
    auto sweep(const fovea::Shape& a, const Transform& at, const Vec3& way) const {
        return is_triangle ? cast_shape(a, at, way, triangle)
                           : cast_shape(a, at, way, solid.shape, solid.at);
    }
};

Target random_target(Kind kind, Random& random) {
    Target t{};
    t.is_triangle = kind == Kind::triangle;
    if (!t.is_triangle) t.solid = random_solid(kind, random);
    for (Vec3& c : t.triangle) c = Vec3(random.direction() * random.uniform(0.2, 2));
    return t;
}

Transform shifted(const Transform& at, const Vec3& way, double fraction) {
    return {Vec3(Vec3d(at.position) + Vec3d(way) * fraction), at.orientation};
}

double least_separation(const Target& target, const fovea::Shape& a, const Transform& at,
                        const Vec3& way) {
    double low = 0, high = 1, least = INFINITY;
    for (int i = 0; i < 40; ++i) {
        const double first = low + (high - low) / 3, second = high - (high - low) / 3;
        const double at_first = target.separation(a, shifted(at, way, first));
        const double at_second = target.separation(a, shifted(at, way, second));
        least = std::min({least, at_first, at_second});
        (at_first < at_second ? high : low) = at_first < at_second ? second : first;
    }
    return least;
}

} // namespace

TEST_CASE("sweeps stop at the first touch") {
    constexpr std::array movers{Kind::sphere,  Kind::box,  Kind::cylinder,
                                Kind::capsule, Kind::cone, Kind::hull};
    constexpr std::array targets{Kind::sphere, Kind::box,  Kind::cylinder, Kind::capsule,
                                 Kind::cone,   Kind::hull, Kind::triangle, Kind::half_space};
    for (const Kind a : movers) {
        for (const Kind b : targets) {
            CAPTURE(name_of(a));
            CAPTURE(name_of(b));
            Random random(100 * std::uint64_t(a) + std::uint64_t(b));
            int hits = 0, misses = 0, overlaps = 0;
            double worst_gap = 0, worst_on_b = 0, worst_on_a = 0;
            for (int i = 0; i < k_sweeps; ++i) {
                const Target target = random_target(b, random);
                PlacedSolid mover = random_solid(a, random);
                const double size = 2 + mover.solid.size + target.view().size;
                const Vec3d aim = random.direction() * random.uniform(0, 0.7 * size);
                const Vec3d start = random.direction() * random.uniform(0.5 * size, 3 * size);
                mover.at.position = Vec3(start);
                const Vec3 way = Vec3((aim - start) * random.uniform(0.3, 2));
                const double reach = length(Vec3d(way)) + size;
                // Poses at which it is checked are floats.
                const double tolerance = 1e-6 * reach;
                const auto hit = target.sweep(mover.shape, mover.at, way);
                CAPTURE(i);
                const double at_start = target.separation(mover.shape, mover.at);
                if (!hit) {
                    ++misses;
                    REQUIRE(least_separation(target, mover.shape, mover.at, way) > -tolerance);
                    continue;
                }
                REQUIRE(std::abs(length(Vec3d(hit->normal)) - 1) < 1e-5);
                if (at_start < 0) {
                    ++overlaps;
                    REQUIRE(hit->fraction == 0);
                    REQUIRE(std::abs(hit->depth + at_start) < tolerance);
                    continue;
                }
                ++hits;
                REQUIRE(hit->depth == 0);
                REQUIRE(dot(Vec3d(hit->normal), Vec3d(way)) < 0);
                const Solid there = mover.moved(shifted(mover.at, way, hit->fraction));
                const Vec3d n = -Vec3d(hit->normal), point(hit->point);
                worst_gap = std::max(worst_gap, -gap(there, target.view(), n) / tolerance);
                worst_on_b =
                    std::max(worst_on_b, std::abs(target.view().off_surface(point)) / tolerance);
                worst_on_a = std::max(worst_on_a, std::abs(there.off_surface(point)) / tolerance);
            }
            CHECK(worst_gap <= 1);
            CHECK(worst_on_b <= 1);
            CHECK(worst_on_a <= 1);
            CHECK(hits > k_sweeps / 10);
            CHECK(misses > k_sweeps / 50);
        }
    }
}

TEST_CASE("sweeps of known outcome") {
    using namespace fovea;
    // A box on a box, face to face.
    const Shape box = Box{{0.5f, 0.5f, 0.5f}};
    const auto down = cast_shape(box, Transform({0, 3, 0}), {0, -4, 0}, box, {});
    REQUIRE(down);
    CHECK(down->fraction == doctest::Approx(0.5));
    CHECK(down->normal.y == doctest::Approx(1));
    CHECK(down->point.y == doctest::Approx(0.5));
    // Sliding along a face it touches, or away from it, is no hit.
    CHECK(!cast_shape(box, Transform({0, 1, 0}), {4, 0, 0}, box, {}));
    CHECK(!cast_shape(box, Transform({0, 1, 0}), {0, 4, 0}, box, {}));
    // A fast small ball and a thin wall.
    const auto bullet = cast_shape(Sphere{0.01f}, Transform({-500, 0.2f, 0.1f}), {1000, 0, 0},
                                   Box{{0.0005f, 1, 1}}, {});
    REQUIRE(bullet);
    CHECK(bullet->fraction * 1000 - 500 == doctest::Approx(-0.0105).epsilon(0.01));
    // One that passes by the edge.
    CHECK(!cast_shape(Sphere{0.01f}, Transform({-500, 1.011f, 0}), {1000, 0, 0},
                      Box{{0.0005f, 1, 1}}, {}));
}
