#include "fovea/collide/mesh_inside.h"

#include <optional>

#include "fovea/collide/shape_query.h"
#include "fovea/collide/swept_box.h"
#include "fovea/collide/triangle_surface.h"

namespace fovea {

namespace {

struct Crossing {
    double distance;
    bool outward; ///< through the back of the triangle
};

/// The first triangle that a ray in the mesh's frame meets, other than `passed_over`.
std::optional<Crossing> first_crossing(const CollisionShape& mesh, const LocalRay& ray,
                                       std::uint32_t passed_over = 0xffffffffu) {
    std::optional<Crossing> first;
    SweptBoxd way(ray.origin, ray.direction * ray.length);
    const double limit_scale = 1 / ray.length;
    TriangleSurface(mesh).search(
        ray.origin,
        [&](const Aabb& box) {
            return way.meets(box, first ? float(first->distance * limit_scale) : 1);
        },
        [&](std::uint32_t i, const std::array<Vec3, 3>& t) {
            if (i == passed_over) return;
            const auto hit = cast_ray(ray, t);
            if (!hit || (first && hit->distance >= first->distance)) return;
            const Vec3d a(t[0]), face = cross(Vec3d(t[1]) - a, Vec3d(t[2]) - a);
            first = Crossing{hit->distance, dot(face, ray.direction) > 0};
        });
    return first;
}

/// Longer than the way out of the mesh.
double way_out(const CollisionShape& mesh) {
    return 2 * length(Vec3d(mesh.extent.high) - Vec3d(mesh.extent.low));
}

} // namespace

bool encloses(const CollisionShape& mesh, const Vec3& point) {
    if (!overlap(mesh.extent, {point, point})) return false;
    // Unit vectors in no particular direction.
    constexpr Vec3d k_ways[] = {{0.36, 0.48, 0.8}, {-0.6, 0.64, 0.48}, {0.48, -0.6, 0.64}};
    int votes = 0;
    for (const Vec3d& way : k_ways) {
        const auto crossing = first_crossing(mesh, {Vec3d(point), way, way_out(mesh)});
        votes += crossing && crossing->outward;
    }
    return votes >= 2;
}

BoundingBall find_inner_ball(const CollisionShape& mesh) {
    constexpr std::size_t k_tries = 256;
    const TriangleMesh& triangles = *mesh_of(mesh);
    const std::size_t count = triangles.triangles.size();
    BoundingBall best{};
    for (std::size_t i = 0; i < count; i += (count + k_tries - 1) / k_tries) {
        const auto [a, b, c] = corners(triangles, i);
        const Vec3d p(a), face = cross(Vec3d(b) - p, Vec3d(c) - p);
        if (!(length_squared(face) > 0)) continue;
        const Vec3d middle = (p + Vec3d(b) + Vec3d(c)) / 3, inwards = -normalized(face);
        const auto opposite =
            first_crossing(mesh, {middle, inwards, way_out(mesh)}, std::uint32_t(i));
        if (!opposite || !opposite->outward) continue;
        const Vec3 centre(middle + inwards * (opposite->distance / 2));
        // Nothing beyond the triangle itself can be nearer than half the way.
        const auto surface = nearest_triangle(centre, float(opposite->distance), mesh, Transform());
        if (surface && surface->measure > best.radius && encloses(mesh, centre))
            best = {centre, surface->measure};
    }
    return best;
}

} // namespace fovea
