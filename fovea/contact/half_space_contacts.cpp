// Solids against a half-space: all corners of the solid, or of its feature that faces the plane,
// that are near it.
#include <algorithm>

#include "fovea/contact/candidates.h"
#include "fovea/contact/feature.h"
#include "fovea/contact/pair_contacts.h"
#include "fovea/geometry/convex_hull.h"

namespace fovea {

namespace {

/// The boundary of the half-space in the frame of A.
struct Plane {
    Vec3 normal;
    float offset;
};

struct Gather {
    Plane plane;
    float margin;
    float rounding;
    Candidates candidates;
    Vec3 lowest;
    float least = std::numeric_limits<float>::infinity();

    void add(const Vec3& p, std::uint32_t number) {
        const float height = dot(plane.normal, p) - plane.offset - rounding;
        if (height < least) {
            least = height;
            lowest = p;
        }
        if (!(height < margin)) return;
        if (candidates.full()) make_room(-plane.normal, candidates);
        candidates.push_back(
            {p - plane.normal * (rounding + 0.5f * height), height, spot_feature(number, 0)});
    }
};

} // namespace

void collide_half_space(const Shape& a, const HalfSpace& b, const PairWork& work) {
    const Vec3 normal = work.pose.rotation * b.normal;
    Gather gather{.plane = {normal, b.offset + dot(normal, work.pose.position)},
                  .margin = work.margin,
                  .rounding = 0,
                  .candidates = {},
                  .lowest = {}};
    if (const auto* box = std::get_if<Box>(&a)) {
        for (std::uint32_t i = 0; i < 8; ++i) {
            const Vec3 h = box->half_extents;
            gather.add({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z}, i);
        }
    } else if (const auto* hull = std::get_if<Hull>(&a)) {
        const std::vector<Vec3>& vertices = hull->data->vertices;
        for (std::uint32_t i = 0; i < vertices.size(); ++i) gather.add(vertices[i], i);
    } else if (const auto* capsule = std::get_if<Capsule>(&a)) {
        const float low = normal.y < 0 ? capsule->half_height : -capsule->half_height;
        gather.rounding = capsule->radius;
        gather.add({0, low, 0}, low < 0 ? 0 : 1);
        gather.rounding = 0;
        Feature side;
        find_feature(a, -normal, side);
        if (side.corners.size() == 2)
            gather.add(side.corners[low < 0 ? 1 : 0].point, low < 0 ? 1 : 0);
    } else {
        Feature feature;
        find_feature(a, -normal, feature);
        for (const Feature::Corner& c : feature.corners)
            gather.add(c.point, feature.number * 16 + c.side);
    }
    if (gather.candidates.empty()) return work.found_apart(-normal);
    const float size = length(gather.lowest);
    choose_points(gather.candidates, -normal, size * k_equal_depth, work.manifold);
}

} // namespace fovea
