// Properties of the pair tests that single configurations show best.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "configurations.h"
#include "fovea/base/hash.h"

using namespace fovea;
using oracle::Category;
using oracle::Configuration;
using Kind = oracle::Solid::Kind;

namespace {

constexpr std::array k_solids{Kind::sphere,  Kind::box,  Kind::cylinder,
                              Kind::capsule, Kind::cone, Kind::hull};

bool near(const Vec3& a, const Vec3& b, float tolerance = 1e-6f) {
    return length(a - b) <= tolerance;
}

const Quat k_on_side = from_axis_angle(Vec3(0, 0, 1), 1.5707964f);

} // namespace

TEST_CASE("touching is not intersecting") {
    // All sizes are sums of powers of two: distances are exact.
    CHECK_FALSE(proximity(Sphere{1}, {}, Sphere{0.5f}, {{1.5f, 0, 0}}).intersects());
    CHECK(proximity(Sphere{1}, {}, Sphere{0.5f}, {{1.4999999f, 0, 0}}).intersects());
    const HalfSpace floor{{0, 1, 0}, 0};
    CHECK_FALSE(proximity(Sphere{1}, {{0, 1, 0}}, floor, {}).intersects());
    CHECK_FALSE(proximity(Box{{1, 1, 1}}, {{0, 1, 0}}, floor, {}).intersects());
    CHECK_FALSE(proximity(Cylinder{1, 1}, {{0, 1, 0}}, floor, {}).intersects());
    CHECK_FALSE(proximity(Cylinder{1, 1}, {}, Cylinder{1, 1}, {{0, 2, 0}}).intersects());
    CHECK_FALSE(proximity(Capsule{1, 1}, {}, Capsule{1, 1}, {{2, 0, 0}}).intersects());
    CHECK_FALSE(proximity(Box{{1, 1, 1}}, {}, Sphere{1}, {{2, 0, 0}}).intersects());
}

TEST_CASE("concentric spheres get an axis") {
    const Proximity p = proximity(Sphere{1}, {{3, 4, 5}}, Sphere{2}, {{3, 4, 5}});
    CHECK(length(p.normal) == doctest::Approx(1));
    CHECK(p.separation == doctest::Approx(-3));
}

TEST_CASE("a solid flat on a plane is touched in the middle of the patch") {
    // The witness is the same as with a plane tilted by half the tolerance of 1e-6.
    for (const float tilt : {0.0f, 5e-7f}) {
        const HalfSpace floor{{tilt, 1, 0}, 0};
        const Transform low({0, 0.9f, 0});
        CHECK(near(proximity(Cylinder{1, 1}, low, floor, {}).point_a, {0, -0.1f, 0}, 3e-6f));
        CHECK(near(proximity(Box{{1, 1, 1}}, low, floor, {}).point_a, {0, -0.1f, 0}, 3e-6f));
        CHECK(near(proximity(Cone{1, 1}, low, floor, {}).point_a, {0, -0.1f, 0}, 3e-6f));
        const Transform lying({0, 0.9f, 0}, k_on_side);
        CHECK(near(proximity(Cylinder{1, 3}, lying, floor, {}).point_a, {0, -0.1f, 0}, 3e-6f));
        CHECK(near(proximity(Capsule{1, 3}, lying, floor, {}).point_a, {0, -0.1f, 0}, 3e-6f));
    }
    // Tilted by more, the lowest point is on the rim.
    const HalfSpace tilted{Vec3(1e-3f, 1, 0), 0};
    CHECK(proximity(Cylinder{1, 1}, Transform({0, 0.9f, 0}), tilted, {}).point_a.x < -0.99f);
}

TEST_CASE("cylinders stacked askew touch in the middle of the overlap of their caps") {
    const Proximity p = proximity(Cylinder{2, 1}, {}, Cylinder{1, 1}, {{2, 1.75f, 0}});
    CHECK(p.separation == doctest::Approx(-0.25));
    CHECK(near(p.normal, {0, 1, 0}));
    CHECK(near(p.point_a, {1.5f, 1, 0})); // between 1 and 2
    CHECK(near(p.point_b, {1.5f, 0.75f, 0}));
}

TEST_CASE("cylinders side by side touch in the middle of their common height") {
    const Proximity p = proximity(Cylinder{1, 2}, {}, Cylinder{1, 1}, {{1.9f, 2, 0}});
    CHECK(p.separation == doctest::Approx(-0.1));
    CHECK(near(p.normal, {1, 0, 0}));
    CHECK(near(p.point_a, {1, 1.5f, 0}));
}

TEST_CASE("a sphere inside a cylinder leaves by the nearer of side and cap") {
    const Cylinder can{1, 2};
    CHECK(near(proximity(can, {}, Sphere{0.1f}, {{0.6f, 0.5f, 0}}).normal, {1, 0, 0}));
    CHECK(near(proximity(can, {}, Sphere{0.1f}, {{0.2f, -1.8f, 0}}).normal, {0, -1, 0}));
}

TEST_CASE("a small solid near the axis of a round one leaves where the side is nearest") {
    // Tilted solids have two ways out that are about equally near, on opposite sides.
    Random random(29);
    for (int i = 0; i < 3000; ++i) {
        const Shape round = i % 2 ? Shape(Cylinder{0.35f, 0.6f}) : Shape(Cone{0.35f, 0.6f});
        const auto small = [&] { return float(random.uniform(0.01, 0.02)); };
        const Shape inner =
            i % 3 ? Shape(Cylinder{small(), small()}) : Shape(Cone{small(), small()});
        const Transform at(Vec3(random.direction() * 0.006) + Vec3(0, -0.1f, 0),
                           from_axis_angle(Vec3(random.direction()), float(random.uniform(0, 3))));
        const oracle::Solid a = oracle::place(round, {}), b = oracle::place(inner, at);
        // Any direction gives a bound: many square to the side come close to the best.
        const double rise = i % 2 ? 0 : 0.35 / 1.2;
        double best = -1;
        for (int k = 0; k < 4000; ++k) {
            const double turn = k * (6.283185307179586 / 4000);
            const Vec3d n = normalized(Vec3d(std::cos(turn), rise, std::sin(turn)));
            best = std::max(best, oracle::gap(a, b, n));
        }
        const double found = proximity(round, {}, inner, at).separation;
        CHECK(found > best - 1e-7); // floats
    }
}

TEST_CASE("parallel capsules touch in the middle of their overlap") {
    const Proximity p = proximity(Capsule{0.5f, 2}, {}, Capsule{0.5f, 1}, {{0.9f, 2, 0}});
    CHECK(p.separation == doctest::Approx(-0.1));
    CHECK(near(p.point_a, {0.5f, 1.5f, 0}));
}

TEST_CASE("a triangle pushes to whichever side is nearer") {
    const std::array<Vec3, 3> triangle{Vec3(-5, 0, -5), Vec3(5, 0, -5), Vec3(0, 0, 5)};
    const Proximity above = proximity(Sphere{1}, {{0, 0.25f, 0}}, triangle);
    CHECK(above.separation == doctest::Approx(-0.75));
    CHECK(near(above.normal, {0, -1, 0}));
    const Proximity below = proximity(Box{{1, 1, 1}}, {{0, -0.25f, 0}}, triangle);
    CHECK(below.separation == doctest::Approx(-0.75));
    CHECK(near(below.normal, {0, 1, 0}));
    const HalfSpace floor{{0, 1, 0}, 0.5f};
    CHECK(proximity(floor, {}, triangle).separation == doctest::Approx(-0.5));
}

TEST_CASE("results do not depend on where in the world the pair is") {
    Random random(5);
    for (int i = 0; i < 2000; ++i) {
        const Kind a = k_solids[random.below(6)], b = k_solids[random.below(6)];
        Configuration c = oracle::random_configuration(a, b, Category::uniform, random);
        // On a grid of 2^-10, floats of up to 2^13 are exact, and so is their difference.
        const auto snapped = [](Vec3 v) {
            return Vec3(std::round(v.x * 1024), std::round(v.y * 1024), std::round(v.z * 1024)) /
                   1024.0f;
        };
        c.at_a.position = snapped(c.at_a.position);
        c.at_b.position = snapped(c.at_b.position);
        const Proximity here = c.measure();
        const Vec3 far(4096, -2048, 1024);
        c.at_a.position += far;
        c.at_b.position += far;
        const Proximity there = c.measure();
        CHECK(there.separation == here.separation);
        CHECK(there.normal == here.normal);
        CHECK(near(there.point_a - far, here.point_a, 1e-3f)); // half a step of floats at 4096
    }
}

TEST_CASE("the same pair gives the same bits") {
    const auto hash = [] {
        Random random(17);
        Hasher hasher;
        for (int i = 0; i < 3000; ++i) {
            const auto category = Category(i % int(Category::count));
            const Kind a = k_solids[random.below(6)], b = k_solids[random.below(6)];
            const Proximity p = oracle::random_configuration(a, b, category, random).measure();
            hasher.add(p.point_a), hasher.add(p.point_b), hasher.add(p.normal);
            hasher.add(p.separation);
        }
        return hasher.value();
    };
    CHECK(hash() == hash());
}

TEST_CASE("numbers that are none end the search too") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    Random random(23);
    for (const Kind a : k_solids)
        for (const Kind b : k_solids)
            for (const float bad : {nan, infinity}) {
                Configuration c = oracle::random_configuration(a, b, Category::uniform, random);
                c.at_b.position.y = bad;
                CHECK_NOTHROW(c.measure());
                c = oracle::random_configuration(a, b, Category::uniform, random);
                c.at_a.orientation.x = bad;
                CHECK_NOTHROW(c.measure());
            }
}
