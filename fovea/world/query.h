// What one can ask of the world between steps: requests and what comes back.
//
//   RayCast       what does a ray meet
//   SphereCast    what does a moving sphere meet
//   ShapeCast     what does a moving convex shape or compound meet, without turning
//   ShapeOverlap  what does a shape overlap
//   ClosestPoint  what is near a point
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fovea/base/ids.h"
#include "fovea/base/transform.h"
#include "fovea/world/collision_filter.h"

namespace fovea {

enum class Find {
    closest, ///< the first, deepest or nearest body; of equals, the one of lower slot
    any,     ///< one body, whichever is found first: the cheapest, if all that matters is whether
    all,     ///< every body once, the closest first; of equals, the one of lower slot
};

struct QueryFilter {
    CollisionFilter
        collision{};      ///< bodies that something with this filter would not meet are passed over
    bool sensors = false; ///< find sensors too
    BodyId ignore{};      ///< a body to pass over, such as the one that asks; may be none
    /// Asked last, if given: false passes over the body. A batch may ask from several threads.
    std::function<bool(BodyId)> accept{};
};

struct RayCast {
    Vec3 origin{};
    Vec3 direction{};   ///< need not be unit length, but not zero
    float length = 100; ///< m, positive
    QueryFilter filter{};
    Find find = Find::closest;
};

struct SphereCast {
    Vec3 centre{}; ///< at the start
    float radius = 0.5f;
    Vec3 direction{};
    float length = 100;
    QueryFilter filter{};
    Find find = Find::closest;
};

struct ShapeCast {
    ShapeId shape{}; ///< a convex solid or compound
    Transform start{};
    Vec3 direction{};
    float length = 100;
    QueryFilter filter{};
    Find find = Find::closest;
};

struct ShapeOverlap {
    ShapeId shape{}; ///< a convex solid or compound
    Transform at{};
    QueryFilter filter{};
    Find find = Find::all; ///< the closest is the deepest
};

struct ClosestPoint {
    Vec3 point{};
    float distance = 100; ///< how far to look, m; not negative
    QueryFilter filter{};
    Find find = Find::closest;
};

struct QueryHit {
    BodyId body{};
    std::uint32_t part = 0; ///< child of a compound, triangle of a mesh, else 0
    /// Casts: the way gone, m. Overlap and closest point: the separation, m, negative inside.
    float distance = 0;
    Vec3 point{};  ///< of the body's surface (where a cast starts inside: see RayHit, ShapeCastHit)
    Vec3 normal{}; ///< unit, out of the body; of a mesh: to the side it was met from
    bool inside = false; ///< casts: from the start; closest point: within the body

    bool operator==(const QueryHit&) const = default;
};

/// The answers to a batch, to be used again and again without taking memory anew.
struct QueryResults {
    std::vector<QueryHit> hits;       ///< request by request
    std::vector<std::uint32_t> first; ///< per request, into `hits`; and one past the last

    std::size_t size() const { return first.empty() ? 0 : first.size() - 1; }
    std::span<const QueryHit> of(std::size_t request) const {
        return std::span(hits).subspan(first[request], first[request + 1] - first[request]);
    }

    std::vector<std::vector<QueryHit>> blocks; ///< scratch
};

} // namespace fovea
