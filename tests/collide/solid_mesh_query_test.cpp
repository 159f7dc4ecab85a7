// Queries of closed meshes that have an inside, against all triangles and a winding number.
#include <doctest/doctest.h>

#include "fovea/base/random.h"
#include "fovea/collide/mesh_inside.h"
#include "fovea/collide/shape_query.h"
#include "fovea/geometry/procedural.h"
#include "fovea/geometry/shape_cast.h"
#include "tests/collide/mesh_points.h"

using namespace fovea;
using namespace fovea::test;

namespace {

#ifdef FOVEA_SANITIZED
constexpr int k_places = 60; ///< sanitizers are slow
#else
constexpr int k_places = 600;
#endif
constexpr const char* k_names[] = {"lshape", "torusknot", "bowl", "spiky", "folded"};

Transform random_place(Random& random) {
    return {Vec3(random.direction() * 3.0),
            Quat(normalized(Quatd(random.gaussian(), random.gaussian(), random.gaussian(),
                                  random.gaussian() + 1e-3)))};
}

/// Often inside, often near the surface, sometimes far away.
Vec3 random_point(Random& random) {
    return Vec3(random.direction() * (0.8 * random.uniform()));
}

CollisionShape solid(const char* name) {
    return make_collision_shape(
               SolidMesh{std::make_shared<const TriangleMesh>(make_procedural(name, 1).value()),
                         {SphereMethod::octree, 2, 8}})
        .value();
}

} // namespace

TEST_CASE("a mesh encloses what winds around once") {
    Random random(1);
    for (const char* name : k_names) {
        CAPTURE(name);
        const CollisionShape shape = solid(name);
        const TriangleMesh& mesh = *mesh_of(shape);
        int inside = 0;
        for (int i = 0; i < k_places; ++i) {
            const Vec3 point = random_point(random);
            if (distance_to(mesh, point) < 1e-5) continue; // on the surface: either
            const bool expected = winding(mesh, Vec3d(point)) > 0.5;
            REQUIRE(encloses(shape, point) == expected);
            inside += expected;
        }
        CHECK(inside > k_places / 200);
        CHECK(inside < k_places);
        // The middles of edges and faces of the box around it, where rays run along edges.
        for (const Vec3& point : {Vec3(0, 0, 0), Vec3(0.5f, 0, 0), Vec3(0, 0.5f, 0)})
            if (distance_to(mesh, point) > 1e-5)
                CHECK(encloses(shape, point) == (winding(mesh, Vec3d(point)) > 0.5));
    }
}

TEST_CASE("the ball inside a mesh lies inside it") {
    for (const char* name :
         {"lshape", "torusknot", "bowl", "spiky", "folded", "torus", "icosphere"}) {
        CAPTURE(name);
        const CollisionShape shape = solid(name);
        const TriangleMesh& mesh = *mesh_of(shape);
        REQUIRE(shape.inner.radius > 0);
        CHECK(winding(mesh, Vec3d(shape.inner.centre)) > 0.5);
        CHECK(double(shape.inner.radius) ==
              doctest::Approx(distance_to(mesh, shape.inner.centre)).epsilon(1e-4));
    }
    // Of half of the thickness of the L's arms, 0.15, and of the radius of the sphere, 0.5.
    CHECK(solid("lshape").inner.radius > 0.12f);
    CHECK(solid("icosphere").inner.radius > 0.47f);
    TriangleMesh open = make_procedural("bowl", 1).value();
    open.triangles.pop_back();
    CHECK(
        make_collision_shape(SolidMesh{std::make_shared<const TriangleMesh>(open)})->inner.radius ==
        0);
}

TEST_CASE("closest points, rays and casts of closed meshes, against every triangle") {
    Random random(2);
    for (const char* name : k_names) {
        CAPTURE(name);
        const CollisionShape shape = solid(name);
        const TriangleMesh& mesh = *mesh_of(shape);
        int inside = 0, hits = 0, swept = 0, overlapping = 0;
        for (int i = 0; i < k_places; ++i) {
            const Transform at = random_place(random);
            const Vec3 local = random_point(random), point = at * local;
            const double distance = distance_to(mesh, local);
            if (distance < 1e-5) continue;
            const bool within = winding(mesh, Vec3d(local)) > 0.5;
            inside += within;
            constexpr double k_rounding = 2e-6; // of coordinates up to 4

            const auto closest = closest_point(point, 10, shape, at);
            REQUIRE(closest);
            CHECK(closest->inside == within);
            CHECK(std::abs(double(closest->measure) - (within ? -distance : distance)) <
                  k_rounding);
            CHECK(length(closest->point + closest->normal * closest->measure - point) < 4e-6f);
            // From inside the surface is found at any distance, from outside within the limit.
            CHECK(closest_point(point, float(0.5 * distance), shape, at).has_value() == within);

            const Ray ray{point, Vec3(random.direction() * 2.0)};
            double first = 2;
            for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
                if (const auto hit = cast_ray(to_local(ray, at), corners(mesh, t)))
                    first = std::min(first, hit->distance / ray.length);
            const auto hit = cast_ray(ray, 1, shape, at);
            if (within) {
                REQUIRE(hit);
                CHECK(hit->inside);
                CHECK(hit->measure == 0);
            } else {
                REQUIRE(hit.has_value() == (first <= 1));
                if (hit) CHECK(double(hit->measure) == doctest::Approx(first).epsilon(1e-6));
                hits += hit.has_value();
            }

            const float radius = float(random.uniform(0.01, 0.1));
            const CollisionShape ball = *make_collision_shape(Sphere{radius});
            const bool touches = within || distance < double(radius);
            if (std::abs(distance - double(radius)) < 1e-5) continue;
            const auto overlap = deepest_overlap(ball, Transform(point), shape, at);
            CHECK(overlap.has_value() == touches);
            overlapping += touches;
            if (overlap && within)
                CHECK(double(overlap->measure) ==
                      doctest::Approx(-distance - double(radius)).epsilon(1e-4));

            const Vec3 way = ray.translation;
            double reached = 2;
            for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
                std::array<Vec3, 3> triangle = corners(mesh, t);
                for (Vec3& corner : triangle) corner = at * corner;
                if (const auto found = cast_shape(Sphere{radius}, Transform(point), way, triangle))
                    reached = std::min(reached, double(found->fraction));
            }
            const auto cast = cast_shape(ball, Transform(point), way, 1, shape, at);
            if (touches) {
                REQUIRE(cast);
                CHECK(cast->measure == 0);
            } else {
                REQUIRE(cast.has_value() == (reached <= 1));
                if (cast) CHECK(double(cast->measure) == doctest::Approx(reached).epsilon(1e-5));
                swept += cast.has_value();
            }
        }
        CHECK(inside > k_places / 200);
        CHECK(hits > k_places / 200);
        CHECK(swept > k_places / 200);
        CHECK(overlapping > inside);
    }
}
