// Node volumes against each other: the closed forms against GJK and EPA of the geometry room, which
// know nothing of them, against points scattered in the volumes, and against cases done by hand.
#include <doctest/doctest.h>

#include <cmath>

#include "fovea/base/random.h"
#include "fovea/geometry/core_proximity.h"
#include "fovea/volume/core_gap.h"
#include "fovea/volume/volume_pairs.h"

using namespace fovea;

namespace {

constexpr VolumeType k_types[] = {VolumeType::point, VolumeType::segment, VolumeType::rectangle,
                                  VolumeType::cube};

Quatd random_turn(Random& random) {
    return from_axis_angle(random.direction(), random.uniform(0, 6));
}

/// A volume about a random point near the origin. Its axes are those of `turn`.
NodeVolumed random_volume(VolumeType type, Random& random, const Quatd& turn) {
    NodeVolumed volume{type, random.direction() * random.uniform(0, 2), {}, {}, 0};
    const double u = random.uniform(0.1, 1), v = random.uniform(0.1, 1);
    if (type != VolumeType::point) volume.u = rotate(turn, Vec3d(u, 0, 0));
    if (type == VolumeType::rectangle) volume.v = rotate(turn, Vec3d(0, v, 0));
    if (type == VolumeType::cube) volume.v = rotate(turn, Vec3d(0, u, 0));
    if (type != VolumeType::cube) volume.radius = random.uniform(0.05, 0.6);
    return volume;
}

/// The core as the geometry room has it: boxes with some half extents zero.
ConvexCore oracle_core(const NodeVolumed& volume) {
    ConvexCore core;
    core.kind = volume.type == VolumeType::point ? ConvexCore::Kind::point : ConvexCore::Kind::box;
    const double u = length(volume.u), v = length(volume.v);
    core.half = {u, v, volume.type == VolumeType::cube ? u : 0};
    core.rounding = volume.radius;
    core.size = std::max({u, v, 0.01});
    return core;
}

struct Posed {
    ConvexCore core;
    Mat3d axes;
    Vec3d centre;
};

Posed posed(const NodeVolumed& volume, const Quatd& turn) {
    return {
        oracle_core(volume),
        {rotate(turn, Vec3d(1, 0, 0)), rotate(turn, Vec3d(0, 1, 0)), rotate(turn, Vec3d(0, 0, 1))},
        volume.centre};
}

/// Distance of two volumes less their radii; negative where they overlap by that much.
double oracle_separation(const Posed& a, const Posed& b) {
    const CorePair pair{a.core, b.core, transposed(a.axes) * b.axes,
                        transposed_times(a.axes, b.centre - a.centre)};
    const GjkResult found = gjk(pair);
    if (!found.apart) return -(a.core.rounding + b.core.rounding);
    return rounded(pair, found.proximity).separation;
}

NodeVolumed segment(const Vec3d& centre, const Vec3d& u, double radius) {
    return {VolumeType::segment, centre, u, {}, radius};
}
NodeVolumed rectangle(const Vec3d& centre, const Vec3d& u, const Vec3d& v, double radius) {
    return {VolumeType::rectangle, centre, u, v, radius};
}
NodeVolumed cube(const Vec3d& centre, double half) {
    return {VolumeType::cube, centre, {half, 0, 0}, {0, half, 0}, 0};
}

VolumeContact contact(const NodeVolumed& a, const NodeVolumed& b) {
    return pair_model(a.type, b.type).contact(a, b);
}

} // namespace

TEST_CASE("every pair of volume types touches when GJK says so") {
    Random random(1);
    int touching = 0, apart = 0;
    for (const VolumeType type_a : k_types) {
        for (const VolumeType type_b : k_types) {
            CAPTURE(int(type_a));
            CAPTURE(int(type_b));
            const VolumePairModel& model = pair_model(type_a, type_b, CubeTest::exact);
            for (int i = 0; i < 2000; ++i) {
                const Quatd turn_a = random_turn(random), turn_b = random_turn(random);
                const NodeVolumed a = random_volume(type_a, random, turn_a);
                const NodeVolumed b = random_volume(type_b, random, turn_b);
                const double separation = oracle_separation(posed(a, turn_a), posed(b, turn_b));
                // GJK itself is good to about 1e-9 of the sizes here.
                if (std::abs(separation) < 1e-7) continue;
                const bool touch = model.touch(a, b);
                REQUIRE(touch == (separation < 0));
                REQUIRE(pair_model(type_b, type_a, CubeTest::exact).touch(b, a) == touch);
                ++(touch ? touching : apart);
            }
        }
    }
    CHECK(touching > 5000);
    CHECK(apart > 5000);
}

TEST_CASE("the quick test of rotated cubes misses nothing that all axes find") {
    Random random(2);
    int false_alarms = 0, touching = 0;
    for (int i = 0; i < 20000; ++i) {
        const NodeVolumed a = random_volume(VolumeType::cube, random, random_turn(random));
        const NodeVolumed b = random_volume(VolumeType::cube, random, random_turn(random));
        const bool exact = pair_model(a.type, b.type, CubeTest::exact).touch(a, b);
        const bool quick = pair_model(a.type, b.type, CubeTest::quick).touch(a, b);
        REQUIRE((quick || !exact));
        false_alarms += quick && !exact;
        touching += exact;
    }
    // Conservative, and not by much: the edges' axes part few pairs that the faces' do not.
    CHECK(false_alarms > 0);
    CHECK(false_alarms < touching / 5);
}

TEST_CASE("nearest points lie on the cores and GJK finds none nearer") {
    Random random(3);
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            for (int i = 0; i < 1000; ++i) {
                const Quatd turn_a = random_turn(random), turn_b = random_turn(random);
                NodeVolumed va = random_volume(VolumeType(a), random, turn_a);
                NodeVolumed vb = random_volume(VolumeType(b), random, turn_b);
                const CoreGap gap = core_gap(va, vb);
                CHECK(core_distance(va, gap.on_a) < 1e-12);
                CHECK(core_distance(vb, gap.on_b) < 1e-12);
                CHECK(length(gap.on_b - gap.on_a) ==
                      doctest::Approx(std::sqrt(gap.squared)).epsilon(1e-12));
                va.radius = vb.radius = 0;
                const double separation = oracle_separation(posed(va, turn_a), posed(vb, turn_b));
                CHECK(std::abs(std::sqrt(gap.squared) - std::max(0.0, separation)) < 1e-7);
            }
        }
    }
}

TEST_CASE("a contact lies between the cores and tells how far to part them") {
    Random random(4);
    for (const VolumeType type_a : k_types) {
        for (const VolumeType type_b : k_types) {
            for (int i = 0; i < 500; ++i) {
                const NodeVolumed a = random_volume(type_a, random, random_turn(random));
                NodeVolumed b = random_volume(type_b, random, random_turn(random));
                const VolumeContact c = contact(a, b);
                CHECK(length(c.normal) == doctest::Approx(1).epsilon(1e-9));
                const VolumeContact back = contact(b, a);
                CHECK(back.depth == doctest::Approx(c.depth).epsilon(1e-9));
                const bool swept = type_a != VolumeType::cube && type_b != VolumeType::cube;
                if (!swept) continue; // as spheres around them: the cubes themselves part sooner
                const VolumePairModel& model = pair_model(type_a, type_b);
                CHECK(model.touch(a, b) == (c.depth >= 0));
                if (c.depth < 0) continue;
                CHECK(holds(a, c.point));
                CHECK(holds(b, c.point));
                b.centre += c.normal * (c.depth * (1 + 1e-6) + 1e-9);
                CHECK_FALSE(model.touch(a, b));
            }
        }
    }
}

TEST_CASE("contacts by hand: the cases of Table 4.1") {
    const double third = 1.0 / 3;
    SUBCASE("points: split by radii") {
        const VolumeContact c = contact({VolumeType::point, {0, 0, 0}, {}, {}, 1},
                                        {VolumeType::point, {0, 2.5, 0}, {}, {}, 2});
        CHECK(c.point.y == doctest::Approx(2.5 * third));
        CHECK(c.normal == Vec3d(0, 1, 0));
        CHECK(c.depth == doctest::Approx(0.5));
    }
    SUBCASE("crossed segments: along the line of least distance") {
        const VolumeContact c =
            contact(segment({0, 0, 0}, {2, 0, 0}, 0.5), segment({1, 0.6, 0}, {0, 0, 3}, 0.25));
        CHECK(length(c.point - Vec3d(1, 0.4, 0)) < 1e-12);
        CHECK(length(c.normal - Vec3d(0, 1, 0)) < 1e-12);
        CHECK(c.depth == doctest::Approx(0.15));
    }
    SUBCASE("parallel segments: through the middle of the overlapping extent") {
        // From -2 to 2 and from 1 to 5: they share 1 to 2.
        const VolumeContact c =
            contact(segment({0, 0, 0}, {2, 0, 0}, 1), segment({3, 1.5, 0}, {-2, 0, 0}, 1));
        CHECK(length(c.point - Vec3d(1.5, 0.75, 0)) < 1e-12);
    }
    SUBCASE("segments in one line: end to end") {
        const VolumeContact c =
            contact(segment({0, 0, 0}, {1, 0, 0}, 0.5), segment({3, 0, 0}, {1, 0, 0}, 1));
        CHECK(length(c.point - Vec3d(1 + third, 0, 0)) < 1e-12);
        CHECK(c.normal == Vec3d(1, 0, 0));
    }
    SUBCASE("a segment that lies on a rectangle: the middle of the part over it") {
        const VolumeContact c = contact(rectangle({0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 0.5),
                                        segment({1, 0.8, 0}, {1, 0, 0}, 0.5));
        CHECK(length(c.point - Vec3d(0.5, 0.4, 0)) < 1e-12);
        CHECK(length(c.normal - Vec3d(0, 1, 0)) < 1e-12);
    }
    SUBCASE("parallel rectangles: the centroid of the overlap") {
        // They share x from 0.5 to 1 and z from -0.25 to 0.25.
        const VolumeContact c = contact(rectangle({0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 0.5),
                                        rectangle({1.5, 1, 0}, {0, 0, 0.25}, {1, 0, 0}, 0.5));
        CHECK(length(c.point - Vec3d(0.75, 0.5, 0)) < 1e-12);
        CHECK(c.depth == doctest::Approx(0));
    }
    SUBCASE("rectangles turned against each other: an octagon about the middle") {
        const double h = std::sqrt(0.5);
        const VolumeContact c = contact(rectangle({0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 0.5),
                                        rectangle({0, 0.5, 0}, {h, 0, h}, {-h, 0, h}, 0.5));
        CHECK(length(c.point - Vec3d(0, 0.25, 0)) < 1e-12);
        CHECK(c.depth == doctest::Approx(0.5));
    }
    SUBCASE("a segment through a rectangle leaves by the shorter way") {
        // Its lower end reaches 0.5 below the plane, which is less than any way to the rim.
        const VolumeContact c = contact(rectangle({0, 0, 0}, {3, 0, 0}, {0, 0, 3}, 0.1),
                                        segment({0, 1, 0}, {0, 1.5, 0}, 0.2));
        CHECK(c.normal == Vec3d(0, 1, 0));
        CHECK(c.depth == doctest::Approx(0.1 + 0.2 + 0.5));
    }
    SUBCASE("equal segments part sideways") {
        const VolumeContact c =
            contact(segment({1, 1, 1}, {1, 0, 0}, 0.3), segment({1, 1, 1}, {1, 0, 0}, 0.3));
        CHECK(std::abs(dot(c.normal, Vec3d(1, 0, 0))) < 1e-12);
        CHECK(c.depth == doctest::Approx(0.6));
    }
    SUBCASE("cubes: as the spheres around them") {
        const VolumeContact c = contact(cube({0, 0, 0}, 1), cube({1.5, 0, 0}, 0.5));
        CHECK(c.normal == Vec3d(1, 0, 0));
        CHECK(c.point.x == doctest::Approx(1)); // 1.5 split as 2 to 1
        CHECK(c.depth == doctest::Approx(std::sqrt(3.0) * 1.5 - 1.5));
    }
}

TEST_CASE("sizes of volumes are those of counting points in them") {
    Random random(6);
    for (const VolumeType type : k_types) {
        const NodeVolumed volume = random_volume(type, random, random_turn(random));
        const double reach = length(volume.u) * 1.8 + length(volume.v) + volume.radius;
        int inside = 0;
        constexpr int k_samples = 200000;
        for (int i = 0; i < k_samples; ++i) {
            const Vec3d p(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
            inside += holds(volume, volume.centre + p * reach);
        }
        // Five standard deviations of the count.
        const double part = cubic_size(volume) / (8 * reach * reach * reach);
        CHECK(std::abs(double(inside) / k_samples - part) <
              5 * std::sqrt(part * (1 - part) / k_samples));
    }
}
