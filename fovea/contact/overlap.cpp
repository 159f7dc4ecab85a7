#include "fovea/contact/overlap.h"

#include <utility>

namespace fovea {

namespace {

/// A face steeper than this against the contact normal is no reference: cosine of the tilt.
constexpr float k_least_facing = 0.2f;

/// Squared sine of the angle up to which two edges count as parallel and share a stretch.
constexpr float k_parallel_squared = 1e-4f;

/// How far they may miss each other sideways, relative to the length of A's.
constexpr float k_sideways = 0.005f;

/// Preference for A as the reference: parallel faces must not change roles from step to step.
constexpr float k_reference_bias = 1e-3f;

using Corner = Feature::Corner;
using Polygon = InplaceVector<Corner, 2 * k_max_corners>;

/// Keeps the part of a polygon with dot(outward, p) <= offset. `side` is the number of the new
/// side along the cut. A convex polygon has room, but rounding may bend one; what is too much is
/// left out.
void cut(const Polygon& polygon, const Vec3& outward, float offset, std::uint32_t side,
         Polygon& rest) {
    rest.clear();
    if (polygon.empty()) return;
    const Corner* from = polygon.end() - 1;
    float height = dot(outward, from->point) - offset;
    for (const Corner& to : polygon) {
        const float next = dot(outward, to.point) - offset;
        if ((height <= 0) != (next <= 0) && !rest.full()) {
            const Vec3 crossing =
                from->point + (to.point - from->point) * (height / (height - next));
            rest.push_back({crossing, next <= 0 ? from->side : side});
        }
        if (next <= 0 && !rest.full()) rest.push_back(to);
        from = &to;
        height = next;
    }
}

/// Contact points are made from a point of the incident feature and what lies across from it.
struct Builder {
    const Feature& a;
    const Feature& b;
    Vec3 normal;
    float margin;
    bool reference_is_a;
    Vec3 plane;   ///< normal of the reference face
    float offset; ///< dot(plane, x) on it
    float per_height;
    Candidates& candidates;

    void add(const Vec3& p, std::uint32_t side, std::uint32_t other_side) {
        if (candidates.full()) return;
        const float separation = (dot(plane, p) - offset) * per_height;
        if (!(separation < margin)) return;
        const float half_way = (reference_is_a ? -0.5f : 0.5f) * separation;
        candidates.push_back({p + normal * half_way, separation,
                              face_feature(a.number, b.number, side, other_side)});
    }
};

std::uint32_t side_of(const Corner& corner, bool of_a) {
    return of_a ? corner.side : corner.side + k_sides_of_b;
}

/// True if `holds(from, outward)` for every side of the reference face: `from` is the corner where
/// it begins, `outward` the normal of the plane through it that is parallel to the contact normal.
template <class Holds>
bool every_side(const Feature& reference, const Builder& build, const Holds& holds) {
    const std::size_t count = reference.corners.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Corner& from = reference.corners[i];
        const Vec3 along = reference.corners[i + 1 == count ? 0 : i + 1].point - from.point;
        // The contact normal and the face's own point to the same side, so this points outwards.
        const Vec3 outward =
            build.reference_is_a ? cross(along, build.normal) : cross(build.normal, along);
        if (!holds(from, outward)) return false;
    }
    return true;
}

void clip_face(const Feature& reference, const Feature& incident, Builder& build) {
    Polygon polygons[2];
    int current = 0;
    for (const Corner& c : incident.corners)
        polygons[0].push_back({c.point, side_of(c, !build.reference_is_a)});
    const bool met = every_side(reference, build, [&](const Corner& from, const Vec3& outward) {
        cut(polygons[current], outward, dot(outward, from.point),
            side_of(from, build.reference_is_a), polygons[1 - current]);
        current = 1 - current;
        return !polygons[current].empty();
    });
    if (!met) return;
    const Polygon& common = polygons[current];
    std::uint32_t before = common[common.size() - 1].side;
    for (const Corner& c : common) {
        build.add(c.point, before, c.side);
        before = c.side;
    }
}

/// A segment with the number of what ended it on either side.
struct Stretch {
    Vec3 from, to;
    std::uint32_t from_side, to_side;

    /// Keeps the part with dot(outward, p) <= offset; false if nothing is left.
    bool cut(const Vec3& outward, float offset, std::uint32_t side) {
        const float h0 = dot(outward, from) - offset;
        const float h1 = dot(outward, to) - offset;
        if (h0 > 0 && h1 > 0) return false;
        if (h0 > 0) {
            from = from + (to - from) * (h0 / (h0 - h1));
            from_side = side;
        } else if (h1 > 0) {
            to = from + (to - from) * (h0 / (h0 - h1));
            to_side = side;
        }
        return true;
    }
};

Stretch stretch_of(const Feature& segment, bool of_a) {
    return {segment.corners[0].point, segment.corners[1].point, side_of(segment.corners[0], of_a),
            side_of(segment.corners[1], of_a)};
}

void clip_segment(const Feature& reference, const Feature& incident, Builder& build) {
    Stretch stretch = stretch_of(incident, !build.reference_is_a);
    const bool met = every_side(reference, build, [&](const Corner& from, const Vec3& outward) {
        return stretch.cut(outward, dot(outward, from.point), side_of(from, build.reference_is_a));
    });
    if (!met) return;
    const std::uint32_t line = side_of(incident.corners[0], !build.reference_is_a);
    build.add(stretch.from, line + 2, stretch.from_side);
    build.add(stretch.to, line + 2, stretch.to_side);
}

void clip_point(const Feature& reference, const Feature& incident, Builder& build) {
    const Corner& corner = incident.corners[0];
    const bool met = every_side(reference, build, [&](const Corner& from, const Vec3& outward) {
        return !(dot(outward, corner.point - from.point) > 0);
    });
    if (!met) return;
    const std::uint32_t side = side_of(corner, !build.reference_is_a);
    build.add(corner.point, side, side);
}

/// Two segments side by side; A's line is the reference, tilted with the normal only along itself.
void clip_parallel(const Feature& a, const Feature& b, const Vec3& normal, float margin,
                   Candidates& candidates) {
    const Vec3 from_a = a.corners[0].point;
    const Vec3 along = a.corners[1].point - from_a;
    const Vec3 along_b = b.corners[1].point - b.corners[0].point;
    const float squared = length_squared(along);
    if (!(length_squared(cross(along, along_b)) <
          k_parallel_squared * squared * length_squared(along_b)))
        return;
    Stretch stretch = stretch_of(b, false);
    // Like those of faces, the cuts are parallel to the contact normal.
    const Vec3 outward = along - normal * dot(normal, along);
    if (!stretch.cut(outward, dot(outward, a.corners[1].point), side_of(a.corners[1], true)))
        return;
    if (!stretch.cut(-outward, -dot(outward, from_a), side_of(a.corners[0], true))) return;
    // The plane through A's line that is as square to the normal as the line allows.
    const Vec3 plane = normalized_or(normal - along * (dot(normal, along) / squared), normal);
    const float facing = dot(plane, normal);
    if (facing < k_least_facing) return;
    const Vec3 sideways = cross(along, plane);
    const float most = k_sideways * squared;
    if (std::abs(dot(stretch.from - from_a, sideways)) > most ||
        std::abs(dot(stretch.to - from_a, sideways)) > most)
        return;
    Builder build{a, b, normal, margin, true, plane, dot(plane, from_a), 1 / facing, candidates};
    build.add(stretch.from, 127, stretch.from_side);
    build.add(stretch.to, 127, stretch.to_side);
}

} // namespace

void overlap_area(const Feature& a, const Feature& b, const Vec3& normal, float margin,
                  Candidates& candidates) {
    if (!a.is_face() && !b.is_face()) {
        if (a.corners.size() == 2 && b.corners.size() == 2)
            clip_parallel(a, b, normal, margin, candidates);
        return;
    }
    const float facing_a = a.is_face() ? dot(a.normal, normal) : 0;
    const float facing_b = b.is_face() ? -dot(b.normal, normal) : 0;
    if (facing_a < k_least_facing && facing_b < k_least_facing) return;
    const bool reference_is_a = facing_a + k_reference_bias >= facing_b;
    const Feature& reference = reference_is_a ? a : b;
    const Feature& incident = reference_is_a ? b : a;
    const Vec3 plane = reference.normal;
    Builder build{a,
                  b,
                  normal,
                  margin,
                  reference_is_a,
                  plane,
                  dot(plane, reference.corners[0].point),
                  1 / (reference_is_a ? facing_a : facing_b),
                  candidates};
    if (incident.is_face())
        clip_face(reference, incident, build);
    else if (incident.corners.size() == 2)
        clip_segment(reference, incident, build);
    else
        clip_point(reference, incident, build);
}

} // namespace fovea
