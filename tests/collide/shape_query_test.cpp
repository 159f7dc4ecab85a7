// Closest points prove themselves: outside, no corner of the hull lies beyond the plane through the
// point found; inside, no face is nearer.
#include <doctest/doctest.h>

#include <algorithm>

#include "fovea/base/random.h"
#include "fovea/collide/shape_query.h"
#include "fovea/geometry/convex_hull.h"

using namespace fovea;

namespace {

#ifdef FOVEA_SANITIZED
constexpr int k_points = 2'000; ///< sanitizers are slow
#else
constexpr int k_points = 30'000;
#endif

CollisionShape random_hull(Random& random, double size) {
    for (;;) {
        std::vector<Vec3> points;
        for (std::uint32_t i = 0, count = 4 + random.below(30); i < count; ++i)
            points.emplace_back(random.direction() * (random.uniform(0.7, 1) * size));
        auto hull = make_convex_hull(points);
        if (hull)
            return *make_collision_shape(
                Hull{std::make_shared<const ConvexHull>(std::move(*hull))});
    }
}

} // namespace

TEST_CASE("the closest point of a hull, from inside and outside") {
    Random random(1);
    int inside = 0, outside = 0;
    double worst_depth = 0, worst_apart = 0, worst_surface = 0;
    for (int i = 0; i < k_points; ++i) {
        const double size = std::exp2(random.uniform(-3, 3));
        const CollisionShape shape = random_hull(random, size);
        const ConvexHull& hull = *std::get<Hull>(shape.shape).data;
        const Vec3d point = random.direction() * (size * random.uniform(0, 1.5));
        const auto found = closest_point(Vec3(point), float(10 * size), shape, {});
        REQUIRE(found);
        double highest = -INFINITY;
        for (const auto& face : hull.faces)
            highest = std::max(highest, dot(Vec3d(face.normal), Vec3d(Vec3(point))) - face.offset);
        const double tolerance = 1e-6 * size; // positions and planes are floats
        CAPTURE(i);
        REQUIRE(std::abs(length(Vec3d(found->normal)) - 1) < 1e-5);
        const Vec3d reached = Vec3d(found->point) + Vec3d(found->normal) * double(found->measure);
        worst_surface = std::max(worst_surface, length(reached - Vec3d(Vec3(point))) / tolerance);
        if (highest < -tolerance) {
            ++inside;
            REQUIRE(found->inside);
            worst_depth = std::max(worst_depth, std::abs(found->measure - highest) / tolerance);
        } else if (highest > tolerance) {
            ++outside;
            REQUIRE(!found->inside);
            double beyond = -INFINITY, planes = -INFINITY;
            for (const Vec3& v : hull.vertices)
                beyond =
                    std::max(beyond, dot(Vec3d(found->normal), Vec3d(v) - Vec3d(found->point)));
            for (const auto& face : hull.faces)
                planes =
                    std::max(planes, dot(Vec3d(face.normal), Vec3d(found->point)) - face.offset);
            worst_apart = std::max({worst_apart, beyond / tolerance, planes / tolerance});
        }
    }
    CHECK(worst_depth <= 1);
    CHECK(worst_apart <= 1);
    CHECK(worst_surface <= 1);
    CHECK(inside > k_points / 5);
    CHECK(outside > k_points / 5);
}
