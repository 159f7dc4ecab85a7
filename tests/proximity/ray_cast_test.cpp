// Rays against the oracle's surface functions, which are convex along any line: their minimum over
// the ray says whether it hits, and before the minimum they are zero at one place only.
#include <doctest/doctest.h>

#include "fovea/geometry/ray_cast.h"
#include "sweep_shapes.h"

using namespace oracle;
using fovea::cast_ray;
using fovea::Ray;
using fovea::RayHit;
using Kind = Solid::Kind;

namespace {

#ifdef FOVEA_SANITIZED
constexpr int k_rays = 2'000; ///< per kind: sanitizers are slow
#else
constexpr int k_rays = 30'000;
#endif

Vec3d along(const Ray& ray, double fraction) {
    return Vec3d(ray.origin) + Vec3d(ray.translation) * fraction;
}

/// The fraction in [0, 1] at which the surface function is least, by golden section.
double lowest(const Solid& solid, const Ray& ray) {
    const double k = 0.6180339887498949;
    double low = 0, high = 1;
    double a = high - k * (high - low), b = low + k * (high - low);
    double at_a = solid.off_surface(along(ray, a)), at_b = solid.off_surface(along(ray, b));
    for (int i = 0; i < 80; ++i) {
        if (at_a <= at_b) {
            high = b, b = a, at_b = at_a;
            a = high - k * (high - low), at_a = solid.off_surface(along(ray, a));
        } else {
            low = a, a = b, at_a = at_b;
            b = low + k * (high - low), at_b = solid.off_surface(along(ray, b));
        }
    }
    for (const double end : {0.0, 1.0})
        if (solid.off_surface(along(ray, end)) < at_a) low = high = end;
    return (low + high) / 2;
}

/// Aimed at the solid's surroundings; sometimes along an axis, sometimes from far away, sometimes
/// from inside.
Ray random_ray(const PlacedSolid& s, Random& random) {
    const double size = s.solid.size + 0.5;
    const double far = random.below(10) == 0 ? 1000 : 4;
    Vec3d origin = Vec3d(s.at.position) + random.direction() * (random.uniform(0, far) * size);
    Vec3d aim = Vec3d(s.at.position) + random.direction() * (random.uniform(0, 1.3) * size);
    if (random.below(4) == 0) { // parallel to an axis of the solid
        const Vec3d axis = s.solid.axes[random.below(3)] * (random.below(2) ? 1.0 : -1.0);
        origin = aim - axis * (random.uniform(0, 4) * size);
    }
    Vec3 way((aim - origin) * random.uniform(0.3, 3));
    if (random.below(16) == 0) way[int(random.below(3))] = 0;
    if (length(way) < 1e-3f) way = Vec3(0, 1, 0);
    return {Vec3(origin), way};
}

} // namespace

TEST_CASE("rays hit solids where the surface function says") {
    for (const Kind kind : {Kind::sphere, Kind::half_space, Kind::box, Kind::cylinder,
                            Kind::capsule, Kind::cone, Kind::hull}) {
        CAPTURE(name_of(kind));
        Random random(1000 + std::uint64_t(kind));
        int hits = 0, misses = 0, inside = 0;
        double worst_off = 0, worst_early = 0, worst_normal = 0;
        for (int i = 0; i < k_rays; ++i) {
            const PlacedSolid s = random_solid(kind, random);
            const Ray ray = random_ray(s, random);
            const auto hit = cast_ray(ray, s.shape, s.at);
            const double reach = length(Vec3d(ray.translation)) + length(Vec3d(ray.origin));
            // Hull planes and half-space normals are floats; all else is double but the fraction.
            const double tolerance = 4e-7 * (s.solid.size + reach);
            const double bottom = lowest(s.solid, ray);
            const double least = s.solid.off_surface(along(ray, bottom));
            CAPTURE(i);
            if (least > tolerance) REQUIRE(!hit);
            if (least < -tolerance) REQUIRE(hit);
            if (!hit) {
                ++misses;
                continue;
            }
            ++hits;
            REQUIRE(std::abs(length(Vec3d(hit->normal)) - 1) < 1e-6);
            const double start = s.solid.off_surface(Vec3d(ray.origin));
            if (hit->inside) {
                ++inside;
                REQUIRE(start < tolerance);
                REQUIRE(hit->fraction == 0);
                REQUIRE(length(hit->normal + normalized(ray.translation)) < 1e-6f);
                continue;
            }
            REQUIRE(start > -tolerance);
            const Vec3d point = along(ray, hit->fraction);
            worst_off = std::max(worst_off, std::abs(s.solid.off_surface(point)) / tolerance);
            worst_off =
                std::max(worst_off, std::abs(s.solid.off_surface(Vec3d(hit->point))) / tolerance);
            // On the way in, not on the way out.
            worst_early =
                std::max(worst_early, (hit->fraction - bottom) * length(Vec3d(ray.translation)) *
                                          (least < -10 * tolerance) / tolerance);
            REQUIRE(dot(Vec3d(hit->normal), Vec3d(ray.translation)) <= 1e-6 * reach);
            // Along the normal the surface function rises one to one, except that beyond an edge
            // it may rise less; into the solid it falls.
            const double step = 1e-3 * s.solid.size;
            const double rise = s.solid.off_surface(point + Vec3d(hit->normal) * step) / step;
            worst_normal = std::max(worst_normal, std::abs(rise - 1) - tolerance / step * 2);
        }
        CHECK(worst_off <= 1);
        CHECK(worst_early <= 1);
        CHECK(worst_normal <= 1e-3); // curvature over the step
        CHECK(hits > k_rays / 5);
        CHECK(misses > k_rays / 10);
        CHECK(inside > k_rays / 100);
    }
}

TEST_CASE("rays hit triangles, and no ray slips between two of them") {
    Random random(5);
    int hits = 0, misses = 0, between = 0;
    for (int i = 0; i < k_rays; ++i) {
        std::array<Vec3, 3> t;
        for (Vec3& c : t) c = Vec3(random.direction() * random.uniform(0.1, 1));
        const Vec3d u = Vec3d(t[1]) - Vec3d(t[0]), v = Vec3d(t[2]) - Vec3d(t[0]);
        if (length(cross(u, v)) < 1e-3) continue;
        const double x = random.uniform(-0.3, 1.3), y = random.uniform(-0.3, 1.3);
        const Vec3d aim = Vec3d(t[0]) + u * x + v * y;
        const Vec3d origin = aim + random.direction() * random.uniform(0.1, 3);
        const Ray ray{Vec3(origin), Vec3((aim - origin) * random.uniform(0.5, 2))};
        const auto hit = cast_ray(ray, t);

        // Cramer's rule for origin + f translation = t0 + x u + y v.
        const Vec3d d(ray.translation), w = Vec3d(ray.origin) - Vec3d(t[0]);
        const double determinant = dot(cross(u, v), d);
        if (std::abs(determinant) < 1e-6) continue;
        const double fraction = -dot(cross(u, v), w) / determinant;
        const double wx = dot(cross(w, v), d) / determinant, wy = dot(cross(u, w), d) / determinant;
        const double room = std::min({wx, wy, 1 - wx - wy, fraction, 1 - fraction});
        CAPTURE(i);
        if (room < -1e-6) REQUIRE(!hit);
        if (room > 1e-6) {
            REQUIRE(hit);
            REQUIRE(std::abs(hit->fraction - fraction) < 1e-6);
            REQUIRE(dot(Vec3d(hit->normal), d) < 0);
            REQUIRE(std::abs(dot(Vec3d(hit->normal), u)) < 1e-6);
            REQUIRE(std::abs(dot(Vec3d(hit->normal), v)) < 1e-6);
        }
        hit ? ++hits : ++misses;

        // A neighbour over the edge from corner 1 to corner 2, and a ray at that edge.
        const std::array<Vec3, 3> neighbour{t[2], t[1], t[1] + t[2] - t[0]};
        const Vec3d on_edge =
            Vec3d(t[1]) + (Vec3d(t[2]) - Vec3d(t[1])) * random.uniform(0.01, 0.99);
        const Ray at_edge{ray.origin, Vec3((on_edge - Vec3d(ray.origin)) * 2.0)};
        if (std::abs(dot(cross(u, v), Vec3d(at_edge.translation))) < 1e-3) continue;
        REQUIRE((cast_ray(at_edge, t) || cast_ray(at_edge, neighbour)));
        ++between;
    }
    CHECK(hits > k_rays / 10);
    CHECK(misses > k_rays / 10);
    CHECK(between > k_rays / 2);
}

TEST_CASE("rays in special positions") {
    using namespace fovea;
    const Shape box = Box{{1, 1, 1}};
    // Along a face counts as a hit, just outside does not.
    CHECK(cast_ray(Ray{{-5, 1, 0}, {10, 0, 0}}, box, {}));
    CHECK(!cast_ray(Ray{{-5, 1.00001f, 0}, {10, 0, 0}}, box, {}));
    // On the surface: inwards hits at once, outwards never.
    const auto inwards = cast_ray(Ray{{1, 0, 0}, {-1, 0, 0}}, box, {});
    REQUIRE(inwards);
    CHECK(inwards->fraction == 0);
    CHECK(!inwards->inside);
    CHECK(inwards->normal == Vec3(1, 0, 0));
    CHECK(!cast_ray(Ray{{1, 0, 0}, {1, 0, 0}}, box, {}));
    // Ends on the surface, or just before.
    CHECK(cast_ray(Ray{{3, 0, 0}, {-2, 0, 0}}, box, {})->fraction == 1);
    CHECK(!cast_ray(Ray{{3, 0, 0}, {-1.9999f, 0, 0}}, box, {}));
    // The tip of a cone, from above and along its axis from below.
    const Shape cone = Cone{1, 1};
    CHECK(cast_ray(Ray{{0, 5, 0}, {0, -10, 0}}, cone, {})->fraction == 0.4f);
    CHECK(cast_ray(Ray{{0, -5, 0}, {0, 10, 0}}, cone, {})->normal == Vec3(0, -1, 0));
    // Along the slope of the cone, from outside: parallel lines above miss, below hit.
    CHECK(!cast_ray(Ray{{-2, -1.9f, 0}, {4, 8, 0}}, cone, {}));
    CHECK(cast_ray(Ray{{-2, -4, 0}, {4, 8, 0}}, cone, {}));
    // In the plane of a triangle.
    CHECK(!cast_ray(Ray{{-5, 0, 0}, {10, 0, 0}},
                    std::array<Vec3, 3>{Vec3(-1, 0, -1), Vec3(1, 0, -1), Vec3(0, 0, 1)}));
}
