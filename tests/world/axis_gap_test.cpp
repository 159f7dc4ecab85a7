// Gaps along axes: they are no greater than what is there, and are found where boxes show them.
#include "fovea/world/axis_gap.h"

#include <doctest/doctest.h>

#include "fovea/base/random.h"
#include "fovea/geometry/procedural.h"
#include "fovea/geometry/shape_bounds.h"

using namespace fovea;

namespace {

Transform random_placement(Random& random, double spread) {
    return {Vec3(random.direction() * random.uniform(0, spread)),
            normalized(Quat(float(random.uniform(-1, 1)), Vec3(random.direction())))};
}

} // namespace

TEST_CASE("no vertex reaches into a gap of two meshes") {
    Random random(5);
    const TriangleMesh mesh = make_l_shape(0.5f, 0.15f, 0.2f);
    const auto shape =
        make_collision_shape(SolidMesh{std::make_shared<const TriangleMesh>(mesh), {.levels = 2}});
    REQUIRE(shape);
    int found = 0;
    for (int i = 0; i < 2000; ++i) {
        const Transform at_a = random_placement(random, 1), at_b = random_placement(random, 1);
        const Vec3 way = Vec3(random.direction() * 0.1);
        const AxisGap own = gap_of_shapes(*shape, at_a, *shape, at_b, way);
        const AxisGap boxes = gap_of_boxes(expanded(bounds(*shape, at_a), 0.02f),
                                           expanded(bounds(*shape, at_b), 0.02f), 0.04f, way);
        for (const AxisGap& along : {own, boxes}) {
            if (along.gap <= 0) continue;
            ++found;
            CHECK(length(along.axis) == doctest::Approx(1));
            double highest = -1e9, lowest = 1e9;
            for (const Vec3& vertex : mesh.vertices) {
                const Vec3d axis(along.axis);
                highest = std::max(highest, dot(axis, Vec3d(at_a * vertex)));
                lowest = std::min(lowest, dot(axis, Vec3d(at_b * vertex)));
            }
            // Vertices are rounded to single precision here.
            CHECK(along.gap <= lowest - highest + 1e-6);
        }
    }
    CHECK(found > 1000);
}

TEST_CASE("of several axes the one that lasts is taken") {
    const Aabb a{{0, 0, 0}, {1, 1, 1}}, b{{1.5f, 1.1f, 0}, {2.5f, 2, 1}};
    // B is to the right and a little above; it goes left.
    CHECK(gap_of_boxes(a, b, 0, {}).axis == Vec3(1, 0, 0));
    CHECK(gap_of_boxes(a, b, 0, {-0.45f, 0, 0}).axis == Vec3(0, 1, 0));
    CHECK(gap_of_boxes(a, b, 0, {-0.45f, 0, 0}).gap == doctest::Approx(0.1));
    CHECK(gap_of_boxes(b, a, 0, {0.45f, 0, 0}).axis == Vec3(0, -1, 0));
    CHECK(gap_of_boxes(a, {{0.5f, 0.5f, 0.5f}, {2, 2, 2}}, 0, {}).gap <= 0);
    const auto solid = make_collision_shape(Capsule{0.1f, 0.5f});
    const AxisGap past =
        gap_of_shapes(*solid, Transform(), *solid, Transform(Vec3(0.3f, 0.2f, 0)), {0, -0.1f, 0});
    CHECK(past.axis.x == doctest::Approx(1));
    CHECK(past.gap == doctest::Approx(0.1));
    CHECK(past.left({-0.05f, -1, 0}) == doctest::Approx(0.05));
}
