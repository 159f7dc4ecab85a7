#include "fovea/collide/mesh_inside.h"

#include "fovea/collide/first_crossing.h"
#include "fovea/collide/shape_query.h"
#include "fovea/collide/swept_box.h"
#include "fovea/collide/triangle_surface.h"

namespace fovea {

namespace {

/// Shows the ray, in the mesh's frame, the triangles in its way, but for `passed_over`.
void search(const CollisionShape& mesh, FirstCrossing& first,
            std::uint32_t passed_over = 0xffffffffu) {
    const LocalRay& ray = first.ray;
    SweptBoxd way(ray.origin, ray.direction * ray.length);
    TriangleSurface(mesh).search(
        ray.origin,
        [&](const Aabb& box) { return way.meets(box, float(first.distance / ray.length)); },
        [&](std::uint32_t i, const std::array<Vec3, 3>& triangle) {
            if (i != passed_over) first.meet(triangle);
        });
}

/// Longer than the way out of the mesh.
double way_out(const CollisionShape& mesh) {
    return 2 * length(Vec3d(mesh.extent.high) - Vec3d(mesh.extent.low));
}

} // namespace

bool encloses(const CollisionShape& mesh, const Vec3& point) {
    if (!overlap(mesh.extent, {point, point})) return false;
    return encloses(Vec3d(point), way_out(mesh),
                    [&](FirstCrossing& first) { search(mesh, first); });
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
        FirstCrossing opposite({middle, inwards, way_out(mesh)});
        search(mesh, opposite, std::uint32_t(i));
        if (!opposite.outward) continue;
        const Vec3 centre(middle + inwards * (opposite.distance / 2));
        // Nothing beyond the triangle itself can be nearer than half the way.
        const auto surface = nearest_triangle(centre, float(opposite.distance), mesh, Transform());
        if (surface && surface->measure > best.radius && encloses(mesh, centre))
            best = {centre, surface->measure};
    }
    return best;
}

} // namespace fovea
