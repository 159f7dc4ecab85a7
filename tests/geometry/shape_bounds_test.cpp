#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "fovea/geometry/height_field.h"
#include "fovea/geometry/shape_bounds.h"
#include "fovea/geometry/tessellate.h"
#include "tests/geometry/sample_shapes.h"

using namespace fovea;

namespace {

constexpr float k_infinity = Aabb::k_infinity;

/// How far a tessellation may stay inside the true extent: a polygon of n segments inscribed in a
/// circle of radius r falls short by up to r (1 - cos(pi / n)), a sphere in two directions.
double shortfall(int segments) {
    return 2 * (1 - std::cos(3.14159265 / segments)) * 1.5;
}

} // namespace

TEST_CASE("boxes contain the placed shape and touch it on all six sides") {
    Random random(1);
    const int segments = 256;
    std::vector<Shape> shapes = sample_solids();
    shapes.push_back(HeightSurface{
        std::make_shared<const HeightField>(HeightField{3, 2, 1.5f, {0.5f, -1, 2, 0, 3, -0.25f}})});
    for (const Shape& shape : shapes) {
        CAPTURE(name_of(type_of(shape)));
        const TriangleMesh mesh = tessellate(shape, segments, 1);
        for (int round = 0; round < 40; ++round) {
            // The first ones along the axes, where extents are easiest to get wrong by a sign.
            const float half_turns[] = {0, 1, 0.5f, 1.5f};
            const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            const Quat orientation =
                round < 12 ? from_axis_angle(axes[round % 3], 3.14159265f * half_turns[round / 3])
                           : random_orientation(random);
            const Transform at(random_point(random, -10, 10), orientation);
            const Aabb box = bounds(shape, at);
            Vec3d low(1e9, 1e9, 1e9), high = -low;
            for (const Vec3& vertex : mesh.vertices) {
                const Vec3d p = Transformd(at) * Vec3d(vertex);
                low = min(low, p);
                high = max(high, p);
            }
            for (int axis = 0; axis < 3; ++axis) {
                // Vertices of the tessellation are rounded to float: 1e-6 at sizes up to 8.
                CHECK(low[axis] >= box.low[axis] - 1e-6);
                CHECK(high[axis] <= box.high[axis] + 1e-6);
                // Outward rounding of coordinates up to 16 adds at most 1e-6.
                CHECK(low[axis] <= box.low[axis] + shortfall(segments) + 2e-6);
                CHECK(high[axis] >= box.high[axis] - shortfall(segments) - 2e-6);
            }
        }
    }
}

TEST_CASE("a cylinder's box is tighter than the cube of any orientation") {
    const Aabb upright = bounds(Cylinder{0.5f, 3}, Transform());
    CHECK(upright == Aabb{{-0.5f, -3, -0.5f}, {0.5f, 3, 0.5f}});
    CHECK(bounds(Cone{0.5f, 3}, Transform({1, 2, 3})) == Aabb{{0.5f, -1, 2.5f}, {1.5f, 5, 3.5f}});
}

TEST_CASE("half-spaces along an axis are half-infinite, others infinite (Stokes 4.5)") {
    const auto check_axis = [](const Vec3& normal, float offset, const Transform& at,
                               const Aabb& expected) {
        const Aabb box = bounds(HalfSpace{normal, offset}, at);
        CHECK(box == expected);
    };
    const float i = k_infinity;
    check_axis({0, 1, 0}, 2, {}, {{-i, -i, -i}, {i, 2, i}});
    check_axis({0, -1, 0}, 2, {}, {{-i, -2, -i}, {i, i, i}});
    check_axis({1, 0, 0}, -3, {}, {{-i, -i, -i}, {-3, i, i}});
    check_axis({0, 0, -1}, 0.5f, {}, {{-i, -i, -0.5f}, {i, i, i}});
    check_axis({0, 1, 0}, 2, Transform({5, 7, 9}), {{-i, -i, -i}, {i, 9, i}});
    // A half turn about x, exact in quaternions, exchanges up and down.
    check_axis({0, 1, 0}, 2, Transform({0, 7, 0}, Quat(0, 1, 0, 0)), {{-i, 5, -i}, {i, i, i}});
    check_axis({0.6f, 0.8f, 0}, 2, {}, Aabb::everything());
    check_axis({1e-6f, 1, 0}, 2, {}, Aabb::everything());
    check_axis({0, 1, 0}, 2, Transform({}, from_axis_angle(Vec3(0, 0, 1), 0.1f)),
               Aabb::everything());
}

TEST_CASE("the bounding radius reaches the farthest point and not beyond") {
    const int segments = 256;
    for (const Shape& shape : sample_solids()) {
        CAPTURE(name_of(type_of(shape)));
        double farthest = 0;
        for (const Vec3& v : tessellate(shape, segments, 1).vertices) {
            farthest = std::max(farthest, length(Vec3d(v)));
        }
        const double radius = bounding_radius(shape);
        CHECK(farthest <= radius + 1e-6);
        CHECK(farthest >= radius - shortfall(segments) - 1e-6);
    }
    CHECK(bounding_radius(HalfSpace{{0, 1, 0}, 0}) == k_infinity);
    CHECK(bounding_radius(Cylinder{3, 4}) == 5);
    CHECK(bounding_radius(Cone{3, 4}) == 5);
    CHECK(bounding_radius(Capsule{3, 4}) == 7);
    CHECK(bounding_radius(Box{{2, 3, 6}}) == 7);
}

TEST_CASE("each part of a compound may hold the farthest point") {
    Random random(2);
    for (int round = 0; round < 30; ++round) {
        for (const Shape& shape : sample_convex_solids()) {
            const Transform at(random_point(random, -1, 1), random_orientation(random));
            const Shape compound =
                CompoundShape{std::make_shared<const Compound>(Compound{{{shape, at}}})};
            double farthest = 0;
            for (const Vec3& v : tessellate(compound, 256, 1).vertices) {
                farthest = std::max(farthest, length(Vec3d(v)));
            }
            CHECK(farthest <= bounding_radius(compound) + 1e-6);
            CHECK(farthest >= bounding_radius(compound) - shortfall(256) - 1e-6);
        }
    }
}
