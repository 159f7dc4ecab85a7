// Rays against placed shapes, in closed form.
//
//            normal
//               ^    .--------.
//   origin      |   |          |        fraction 0 at the origin, 1 at the end
//     o---------x---|----------|--->
//                   |          |        A ray that starts inside a solid hits at fraction 0, and
//                    '--------'         its normal is the reversed direction.
//
// A ray that only grazes a solid hits it. A ray that runs in the plane of a triangle misses it; one
// that meets the common edge of two triangles hits both.
#pragma once

#include <array>
#include <optional>

#include "fovea/base/transform.h"
#include "fovea/geometry/shape.h"

namespace fovea {

/// A finite ray. All numbers are finite and the translation is not zero: callers see to that.
struct Ray {
    Ray(const Vec3& start, const Vec3& way)
        : origin(start)
        , translation(way)
        , length(fovea::length(Vec3d(way)))
        , direction(Vec3d(way) / length) {}

    Vec3 origin;
    Vec3 translation; ///< to the end
    double length;
    Vec3d direction; ///< unit
};

struct RayHit {
    float fraction;      ///< of the translation, in [0, 1]
    Vec3 point;          ///< of the surface
    Vec3 normal;         ///< unit, out of the solid; of a triangle: against the ray
    bool inside = false; ///< the ray starts within the solid
};

/// Ray against a placed convex solid or half-space.
std::optional<RayHit> cast_ray(const Ray& ray, const Shape& shape, const Transform& at);

/// Ray against a triangle given in world coordinates; either side counts.
std::optional<RayHit> cast_ray(const Ray& ray, const std::array<Vec3, 3>& triangle);

/// A ray as the tests see it: in double precision, in some shape's frame. One of them serves all
/// triangles of a mesh, so that what two triangles share looks the same to both.
struct LocalRay {
    Vec3d origin;
    Vec3d direction; ///< unit
    double length;
};

LocalRay to_local(const Ray& ray, const Transform& at);

/// Distance along the ray and normal, both in the frame of the ray.
struct LocalRayHit {
    double distance;
    Vec3d normal;
    bool inside = false;
};

std::optional<LocalRayHit> cast_ray(const LocalRay& ray, const std::array<Vec3, 3>& triangle);

/// What was found in the frame `at`, as seen from the world.
RayHit to_world(const Ray& ray, const Transform& at, const LocalRayHit& found);

} // namespace fovea
