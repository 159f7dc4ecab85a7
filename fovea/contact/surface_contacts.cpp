#include "fovea/contact/surface_contacts.h"

#include <algorithm>

#include "fovea/contact/candidates.h"
#include "fovea/contact/collide_convex.h"
#include "fovea/contact/overlap.h"
#include "fovea/contact/pair_pose.h"
#include "fovea/geometry/convex_core.h"

namespace fovea {

namespace {

/// Cosine above which a normal is the face's own: less than a tenth of a degree.
constexpr float k_face_normal = 0.999999f;

/// Sine of the bend from which an edge sticks out: about one degree.
constexpr float k_bend = 0.02f;

/// How near to an edge, in barycentric weight, a point counts as lying on it.
constexpr float k_on_edge = 1e-3f;

/// Cosine above which normals are alike and their manifolds are joined: about five degrees.
constexpr float k_like = 0.996f;

/// Points nearer than this, relative to the solid, are one point: neighbours share their edge.
constexpr float k_same_point = 1e-3f;

/// A triangle in the frame of the solid, with its front towards the solid.
struct PlacedTriangle {
    std::array<Vec3, 3> corners, across;
    std::array<bool, 3> open;
    Vec3 normal; ///< towards the solid
    std::uint32_t number;

    PlacedTriangle(const SurfaceTriangle& t, const PairPose& pose)
        : open(t.open)
        , number(t.number) {
        for (std::size_t i = 0; i < 3; ++i) {
            corners[i] = pose * t.corners[i];
            across[i] = pose * t.across[i];
        }
        normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
        const float size = length(normal);
        normal = size > 0 ? normal * (1 / size) : Vec3();
    }

    bool has_area() const { return length_squared(normal) > 0; }

    /// Seen from the other side: edge i then runs from corner i to i + 1 again.
    void turn_over() {
        std::swap(corners[1], corners[2]);
        std::swap(across[0], across[2]);
        std::swap(open[0], open[2]);
        normal = -normal;
    }
};

/// Middle of the solid along the triangle's normal, above its plane.
float middle_height(const ConvexCore& core, const PlacedTriangle& t) {
    const Vec3d n(t.normal);
    const double high = dot(n, support(core, n)), low = dot(n, support(core, -n));
    return float(0.5 * (high + low) - dot(n, Vec3d(t.corners[0])));
}

/// True if the solid may be pushed along `outward`, from the surface to it, by edge `i`.
bool edge_allows(const PlacedTriangle& t, std::size_t i, const Vec3& outward) {
    const Vec3 from = t.corners[i];
    const Vec3 along = normalized_or(t.corners[(i + 1) % 3] - from, Vec3());
    const Vec3 beyond = cross(along, t.normal); // out of the triangle, in its plane
    if (dot(outward, beyond) < -k_bend) return false;
    if (t.open[i]) return dot(outward, t.normal) > -k_bend;
    const Vec3 far_side = t.across[i] - from;
    const Vec3 across = far_side - along * dot(far_side, along); // into the neighbour, in its plane
    const float size = length(across);
    if (!(dot(across, t.normal) < -k_bend * size)) return false; // flat or a valley
    // Not beyond the neighbour's own normal.
    return dot(outward, across) < k_bend * size;
}

const ManifoldPoint& deepest_of(const Manifold& m) {
    return *std::min_element(
        m.points.begin(), m.points.begin() + m.count,
        [](const ManifoldPoint& p, const ManifoldPoint& q) { return p.separation < q.separation; });
}

/// What part of the triangle a contact may be blamed on.
enum class Part { face, edge, corner, none };

struct Blame {
    Part part;
    Vec3 corner; ///< if it is one
};

/// Whether the contact keeps its normal: the face's own, or one of an edge that sticks out.
Blame blame(const PlacedTriangle& t, const Manifold& m) {
    const Vec3 outward = -m.normal;
    if (dot(outward, t.normal) > k_face_normal) return {Part::face, {}};
    const ManifoldPoint& deepest = deepest_of(m);
    // The point on the triangle; its weight over edge i is the share of the area there.
    const Vec3 p = deepest.point + m.normal * (0.5f * deepest.separation);
    const float area =
        dot(cross(t.corners[1] - t.corners[0], t.corners[2] - t.corners[0]), t.normal);
    bool allowed = false;
    bool on_edge[3];
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 from = t.corners[i], along = t.corners[(i + 1) % 3] - from;
        on_edge[i] = dot(cross(along, p - from), t.normal) <= k_on_edge * area;
        if (!on_edge[i]) continue;
        if (edge_allows(t, i, outward)) {
            allowed = true;
        } else {
            // At a corner both edges have a say: no leaning over one that does not stick out.
            const Vec3 beyond = cross(along, t.normal);
            if (dot(outward, beyond) > k_bend * length(along)) return {Part::none, {}};
        }
    }
    if (!allowed) return {Part::none, {}};
    for (std::size_t i = 0; i < 3; ++i)
        if (on_edge[i] && on_edge[(i + 2) % 3]) return {Part::corner, t.corners[i]};
    return {Part::edge, {}};
}

/// Whether the direction is the normal of a face of the solid.
bool is_of_face(const Shape& solid, const Vec3& direction) {
    Feature feature;
    find_feature(solid, direction, feature);
    return feature.is_face() && dot(feature.normal, direction) > k_face_normal;
}

/// Measures the solid along the triangle's normal, over the triangle.
void measure_along_face(const Shape& solid, const PlacedTriangle& t, float margin, Manifold& m) {
    const Vec3 normal = -t.normal;
    Feature below, face;
    find_feature(solid, normal, below);
    face.normal = t.normal;
    for (std::uint32_t i = 0; i < 3; ++i) face.corners.push_back({t.corners[i], i});
    Candidates candidates;
    overlap_area(below, face, normal, margin, candidates);
    m.count = 0;
    if (!candidates.empty()) choose_points(candidates, normal, 0, m);
}

/// Contacts with like normals, from several triangles.
struct Group {
    Vec3 normal; ///< of its deepest contact
    float deepest;
    Candidates points;

    void add(const Manifold& m, std::uint32_t triangle, float same_point) {
        for (int i = 0; i < m.count; ++i) {
            ManifoldPoint p = m.points[i];
            // Mixed so that features of different triangles differ; the constant is 2^32 / phi.
            p.feature ^= triangle * 0x9e3779b1u;
            if (p.separation < deepest) {
                deepest = p.separation;
                normal = m.normal;
            }
            bool known = false;
            for (const ManifoldPoint& q : points)
                known = known || length_squared(q.point - p.point) < same_point * same_point;
            if (known) continue;
            if (points.full()) make_room(normal, points);
            points.push_back(p);
        }
    }
};

constexpr int k_max_groups = 8;

/// A contact with a corner of a triangle, where a straight ridge may run on through other ones: it
/// counts only if no triangle with that corner is touched otherwise.
struct CornerContact {
    Manifold manifold;
    Vec3 corner;
    PlacedTriangle triangle;
};

constexpr int k_max_corner_contacts = 16;
constexpr int k_max_touched = 64;

/// Triangles with contacts.
struct Touched {
    InplaceVector<std::array<Vec3, 3>, k_max_touched> triangles;

    void add(const PlacedTriangle& t) {
        if (!triangles.full()) triangles.push_back(t.corners);
    }
    bool has(const Vec3& corner) const {
        for (const auto& t : triangles)
            for (const Vec3& c : t)
                if (c == corner) return true;
        return false;
    }
};

void add_to_groups(const Manifold& m, std::uint32_t triangle, float same_point,
                   InplaceVector<Group, k_max_groups>& groups) {
    for (Group& g : groups)
        if (dot(g.normal, m.normal) > k_like) return g.add(m, triangle, same_point);
    const Group fresh{m.normal, std::numeric_limits<float>::infinity(), {}};
    Group* group = nullptr;
    if (!groups.full()) {
        groups.push_back(fresh);
        group = &groups[groups.size() - 1];
    } else { // the shallowest gives way
        group = groups.begin();
        for (Group& g : groups)
            if (g.deepest > group->deepest) group = &g;
        if (deepest_of(m).separation >= group->deepest) return;
        *group = fresh;
    }
    group->add(m, triangle, same_point);
}

} // namespace

void collide_surface(const Shape& solid, const Transform& at_solid,
                     std::span<const SurfaceTriangle> triangles, const Transform& at_surface,
                     const SurfaceSettings& settings, SurfaceManifolds& manifolds) {
    manifolds.clear();
    const PairPose pose = pose_of(relative(at_solid, at_surface));
    const ConvexCore core = make_core(solid);
    const float size = float(core.size + core.rounding);
    const float same_point = k_same_point * size;
    InplaceVector<Group, k_max_groups> groups;
    InplaceVector<CornerContact, k_max_corner_contacts> corner_contacts;
    Touched touched;
    for (const SurfaceTriangle& triangle : triangles) {
        PlacedTriangle t(triangle, pose);
        if (!t.has_area()) continue;
        if (middle_height(core, t) < 0) {
            if (!settings.two_sided) continue;
            t.turn_over();
        }
        PairCache cache;
        Manifold m = collide_convex(solid, {}, t.corners, settings.margin, cache);
        if (m.count == 0) continue;
        const bool kept = settings.solid_faces && is_of_face(solid, m.normal);
        const Blame found = kept ? Blame{Part::face, {}} : blame(t, m);
        if (found.part == Part::corner && !corner_contacts.full()) {
            corner_contacts.push_back({m, found.corner, t});
            continue;
        }
        if (found.part == Part::none) measure_along_face(solid, t, settings.margin, m);
        if (m.count == 0) continue;
        touched.add(t);
        add_to_groups(m, t.number, same_point, groups);
    }
    for (const CornerContact& c : corner_contacts) {
        if (touched.has(c.corner)) continue;
        touched.add(c.triangle);
        add_to_groups(c.manifold, c.triangle.number, same_point, groups);
    }
    // The deepest first; equal ones in the order of the triangles.
    while (!groups.empty() && !manifolds.full()) {
        std::size_t deepest = groups.size();
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (groups[i].points.empty()) continue; // done
            if (deepest == groups.size() || groups[i].deepest < groups[deepest].deepest)
                deepest = i;
        }
        if (deepest == groups.size()) break;
        Manifold m;
        choose_points(groups[deepest].points, groups[deepest].normal, k_equal_depth * size, m);
        manifolds.push_back(m);
        groups[deepest].points.clear();
    }
}

Manifold exchanged(const Manifold& manifold, const Transform& relative) {
    const PairPose back = inverse(pose_of(relative));
    Manifold result = manifold;
    result.normal = -(back.rotation * manifold.normal);
    for (int i = 0; i < manifold.count; ++i)
        result.points[i].point = back * manifold.points[i].point;
    return result;
}

} // namespace fovea
