#include "fovea/collide/shape_query.h"

#include <algorithm>

#include "fovea/base/assert.h"
#include "fovea/collide/mesh_inside.h"
#include "fovea/collide/search_rim.h"
#include "fovea/collide/swept_box.h"
#include "fovea/collide/triangle_surface.h"
#include "fovea/geometry/placed_core.h"
#include "fovea/geometry/shape_cast.h"

namespace fovea {

namespace {

/// The best so far, and the measure beyond which nothing matters any more.
struct Best {
    float limit;
    std::optional<PartHit> hit;

    void offer(const PartHit& next) {
        if (!(next.measure <= limit)) return;
        if (hit && next.measure == hit->measure && next.part >= hit->part) return;
        hit = next;
        limit = next.measure;
    }
};

/// Width of the rim that covers the rounding of parts' placements in the world.
float placement_rim(const CollisionShape& shape, const Transform& at) {
    return k_search_rim * (largest_coordinate(at.position) + 2 * largest_coordinate(shape.extent));
}

/// Calls `solid(part, shape, placement)` or `triangle(part, corners)`, the corners in the surface's
/// frame, for all parts whose box in the shape's frame `meets` accepts; if it can be told, those
/// near `from`, in that frame, first.
template <class Meets, class OnSolid, class OnTriangle>
void visit_parts(const CollisionShape& shape, const Transform& at, const Vec3d& from, Meets&& meets,
                 OnSolid&& solid, OnTriangle&& triangle) {
    if (const TriangleSurface surface(shape); surface) {
        surface.search(from, meets, triangle);
    } else if (const auto* compound = std::get_if<CompoundShape>(&shape.shape)) {
        shape.parts->search(meets, [&](std::uint32_t i) {
            const Compound::Part& part = compound->data->parts[i];
            solid(i, part.shape, at * part.placement);
        });
    } else {
        solid(0, shape.shape, at);
    }
}

/// Calls `visit(part, placement)` for the convex solids that the shape is made of.
template <class Visit>
void visit_solids(const CollisionShape& shape, const Transform& at, Visit&& visit) {
    if (const auto* compound = std::get_if<CompoundShape>(&shape.shape)) {
        for (const Compound::Part& part : compound->data->parts)
            visit(part.shape, at * part.placement);
    } else {
        visit(shape.shape, at);
    }
}

std::array<Vec3, 3> placed(std::array<Vec3, 3> triangle, const Transform& at) {
    for (Vec3& corner : triangle) corner = at * corner;
    return triangle;
}

PartHit from(const RayHit& hit, std::uint32_t part) {
    return {part, hit.fraction, hit.point, hit.normal, hit.inside};
}

PartHit from(const ShapeCastHit& hit, std::uint32_t part) {
    return {part, hit.fraction, hit.point, hit.normal, hit.depth > 0};
}

/// Of something against the shape B.
PartHit from(const Proximity& found, std::uint32_t part) {
    return {part, found.separation, found.point_b, -found.normal, found.intersects()};
}

/// The solid's box in the frame of the shape, with a rim.
Aabb local_box(const Shape& solid, const Transform& at_solid, const CollisionShape& shape,
               const Transform& at) {
    return expanded(box_for_search(solid, at_solid, at), placement_rim(shape, at));
}

/// The part nearest to `point` if it is not farther than `limit`; triangles have no inside.
std::optional<PartHit> nearest_part(const Vec3& point, float limit, const CollisionShape& shape,
                                    const Transform& at) {
    Best best{limit, {}};
    const Shape probe = Sphere{0};
    const Transform at_probe(point);
    const Aabb box = has_parts(shape) ? local_box(probe, at_probe, shape, at) : Aabb{};
    visit_parts(
        shape, at, Vec3d(box.centre()),
        [&](const Aabb& other) {
            return overlap(other, expanded(box, std::max(best.limit, 0.0f)));
        },
        [&](std::uint32_t i, const Shape& solid, const Transform& placement) {
            best.offer(from(proximity(probe, at_probe, solid, placement), i));
        },
        [&](std::uint32_t i, const std::array<Vec3, 3>& triangle) {
            best.offer(from(proximity(probe, at_probe, placed(triangle, at)), i));
        });
    return best.hit;
}

/// If the shape is a closed mesh around the point: the surface nearest to it, `measure` the depth
/// as a negative separation, the normal outwards.
std::optional<PartHit> nearest_from_inside(const Vec3& point, const CollisionShape& shape,
                                           const Transform& at) {
    if (!(shape.inner.radius > 0) || !encloses(shape, to_local(at, point))) return std::nullopt;
    const float far = 2 * length(shape.extent.high - shape.extent.low);
    auto hit = nearest_triangle(point, far, shape, at);
    if (!hit) return std::nullopt;
    hit->measure = -hit->measure;
    hit->normal = -hit->normal;
    hit->inside = true;
    return hit;
}

/// The same for the middle of a convex solid, with the depth from which it comes out as a whole.
std::optional<PartHit> nearest_from_inside(const Shape& solid, const Transform& at_solid,
                                           const CollisionShape& shape, const Transform& at) {
    if (!(shape.inner.radius > 0)) return std::nullopt;
    const PlacedCore core = place_core(solid, at_solid);
    const auto farthest = [&](const Vec3d& way) {
        return core.rotation * support(core.core, transposed_times(core.rotation, way)) +
               core.position;
    };
    const Vec3d middle = (farthest({1, 0, 0}) + farthest({-1, 0, 0})) * 0.5;
    auto hit = nearest_from_inside(Vec3(middle), shape, at);
    if (!hit) return std::nullopt;
    const Vec3d inwards = -Vec3d(hit->normal);
    hit->measure -= float(dot(inwards, farthest(inwards) - middle) + core.core.rounding);
    return hit;
}

} // namespace

std::optional<PartHit> cast_ray(const Ray& ray, float limit, const CollisionShape& shape,
                                const Transform& at) {
    Best best{limit, {}};
    const auto on_solid = [&](std::uint32_t i, const Shape& part, const Transform& placement) {
        if (const auto hit = cast_ray(ray, part, placement)) best.offer(from(*hit, i));
    };
    if (!has_parts(shape)) {
        on_solid(0, shape.shape, at);
        return best.hit;
    }
    if (auto hit = nearest_from_inside(ray.origin, shape, at)) {
        *hit = {hit->part, 0, ray.origin, Vec3(-ray.direction), true};
        return hit;
    }
    const LocalRay local = to_local(ray, at);
    SweptBoxd box(local.origin, local.direction * local.length);
    const double rim = placement_rim(shape, at);
    box.half = {rim, rim, rim};
    visit_parts(
        shape, at, local.origin, [&](const Aabb& other) { return box.meets(other, best.limit); },
        on_solid,
        [&](std::uint32_t i, const std::array<Vec3, 3>& triangle) {
            if (const auto hit = cast_ray(local, triangle))
                best.offer(from(to_world(ray, at, *hit), i));
        });
    return best.hit;
}

std::optional<PartHit> cast_shape(const CollisionShape& mover, const Transform& start,
                                  const Vec3& translation, float limit, const CollisionShape& shape,
                                  const Transform& at) {
    Best best{limit, {}};
    visit_solids(mover, start, [&](const Shape& part, const Transform& at_part) {
        const auto on_solid = [&](std::uint32_t i, const Shape& solid, const Transform& placement) {
            if (const auto hit =
                    cast_shape(part, at_part, translation, solid, placement, best.limit))
                best.offer(from(*hit, i));
        };
        if (!has_parts(shape)) {
            on_solid(0, shape.shape, at);
            return;
        }
        if (auto hit = nearest_from_inside(part, at_part, shape, at)) {
            hit->measure = 0;
            best.offer(*hit);
            return;
        }
        const Vec3d way = transposed_times(rotation_of(Quatd(at.orientation)), Vec3d(translation));
        const SweptBoxd box(local_box(part, at_part, shape, at), way);
        visit_parts(
            shape, at, box.origin, [&](const Aabb& other) { return box.meets(other, best.limit); },
            on_solid,
            [&](std::uint32_t i, const std::array<Vec3, 3>& triangle) {
                if (const auto hit =
                        cast_shape(part, at_part, translation, placed(triangle, at), best.limit))
                    best.offer(from(*hit, i));
            });
    });
    return best.hit;
}

std::optional<PartHit> deepest_overlap(const CollisionShape& probe, const Transform& at_probe,
                                       const CollisionShape& shape, const Transform& at) {
    Best best{0, {}};
    const auto offer = [&](std::uint32_t i, const Proximity& found) {
        if (found.intersects()) best.offer(from(found, i));
    };
    visit_solids(probe, at_probe, [&](const Shape& part, const Transform& at_part) {
        if (const auto hit = nearest_from_inside(part, at_part, shape, at)) best.offer(*hit);
        const Aabb box = has_parts(shape) ? local_box(part, at_part, shape, at) : Aabb{};
        visit_parts(
            shape, at, Vec3d(box.centre()), [&](const Aabb& other) { return overlap(other, box); },
            [&](std::uint32_t i, const Shape& solid, const Transform& placement) {
                offer(i, proximity(part, at_part, solid, placement));
            },
            [&](std::uint32_t i, const std::array<Vec3, 3>& triangle) {
                offer(i, proximity(part, at_part, placed(triangle, at)));
            });
    });
    return best.hit;
}

std::optional<PartHit> closest_point(const Vec3& point, float limit, const CollisionShape& shape,
                                     const Transform& at) {
    if (auto hit = nearest_from_inside(point, shape, at)) return hit;
    return nearest_part(point, limit, shape, at);
}

std::optional<PartHit> nearest_triangle(const Vec3& point, float limit, const CollisionShape& mesh,
                                        const Transform& at) {
    FOVEA_ASSERT(has_triangles(type_of(mesh.shape)));
    return nearest_part(point, limit, mesh, at);
}

} // namespace fovea
