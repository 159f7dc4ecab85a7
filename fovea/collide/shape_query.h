// Casts, overlaps and closest points against one placed shape, whatever it is made of. Of the parts
// of a surface or compound the first, deepest or nearest counts; of equals, the one of lower
// number. A closed solid mesh has an inside as a convex solid has.
#pragma once

#include <optional>

#include "fovea/collide/collision_shape.h"
#include "fovea/geometry/ray_cast.h"

namespace fovea {

struct PartHit {
    std::uint32_t part;  ///< child of a compound, triangle of a mesh, else 0
    float measure;       ///< casts: fraction of the way; others: separation, m
    Vec3 point;          ///< of the shape's surface
    Vec3 normal;         ///< unit, out of the shape (of a triangle: to the side it was met from)
    bool inside = false; ///< casts: overlapping from the start; closest point: within the shape
};

/// The first place at or before `limit`, a fraction of the ray.
std::optional<PartHit> cast_ray(const Ray& ray, float limit, const CollisionShape& shape,
                                const Transform& at);

/// The same for a swept convex solid or compound.
std::optional<PartHit> cast_shape(const CollisionShape& mover, const Transform& start,
                                  const Vec3& translation, float limit, const CollisionShape& shape,
                                  const Transform& at);

/// The deepest overlap of `shape` with a convex solid or compound.
std::optional<PartHit> deepest_overlap(const CollisionShape& probe, const Transform& at_probe,
                                       const CollisionShape& shape, const Transform& at);

/// The surface point nearest to `point` if it is not farther than `limit` metres. Of several solids
/// around the point, that in which it is deepest.
std::optional<PartHit> closest_point(const Vec3& point, float limit, const CollisionShape& shape,
                                     const Transform& at);

/// The same, of a shape of triangles that has no inside: the measure is a distance.
std::optional<PartHit> nearest_triangle(const Vec3& point, float limit, const CollisionShape& mesh,
                                        const Transform& at);

} // namespace fovea
