// Two polyhedra: separating axes, then the face of least depth with the face that meets it, or the
// two edges that cross.
#include <algorithm>

#include "fovea/contact/face_preference.h"
#include "fovea/contact/overlap.h"
#include "fovea/contact/pair_contacts.h"
#include "fovea/contact/polyhedron_axes.h"

namespace fovea {

namespace {

/// What PairCache::axis holds: which polyhedron's face was the reference.
constexpr std::uint32_t k_face_of_a = 1, k_face_of_b = 2, k_edges = 3;

/// The face of `p` around its farthest vertex along `direction` that faces it most.
void facing(const PolyhedronView& p, const Vec3& direction, Feature& feature) {
    std::uint32_t farthest = 0;
    float reach = -std::numeric_limits<float>::infinity();
    for (std::uint32_t i = 0; i < p.vertices; ++i) {
        const float along = dot(p.vertex(i), direction);
        if (along > reach) {
            reach = along;
            farthest = i;
        }
    }
    std::uint32_t best = p.vertex_faces[p.vertex_first[farthest]];
    float best_cosine = dot(p.normal(best), direction);
    for (std::uint32_t i = p.vertex_first[farthest] + 1; i < p.vertex_first[farthest + 1]; ++i) {
        const float cosine = dot(p.normal(p.vertex_faces[i]), direction);
        if (cosine > best_cosine) {
            best_cosine = cosine;
            best = p.vertex_faces[i];
        }
    }
    face_of(p, best, farthest, feature);
}

bool meet_faces(const PolyhedronView& a, const PolyhedronView& b, const PlaneChoice& choice,
                bool reference_is_a, float preference, const PairWork& work) {
    Feature feature_a, feature_b;
    Vec3 normal;
    if (reference_is_a) {
        normal = a.normal(choice.plane);
        face_of(a, choice.plane, a.face_vertices[a.faces[choice.plane].first], feature_a);
        facing(b, -transposed_times(work.pose.rotation, normal), feature_b);
    } else {
        normal = -(work.pose.rotation * b.normal(choice.plane));
        face_of(b, choice.plane, b.face_vertices[b.faces[choice.plane].first], feature_b);
        facing(a, normal, feature_a);
    }
    place(feature_b, work.pose);
    Candidates candidates;
    overlap_area(feature_a, feature_b, normal, work.margin, candidates);
    float deepest = work.margin;
    for (const ManifoldPoint& c : candidates) deepest = std::min(deepest, c.separation);
    if (candidates.empty() || deepest > choice.separation + preference) return false;
    choose_points(candidates, normal, 0.1f * preference, work.manifold);
    return true;
}

bool meet_edges(const PolyhedronView& a, const PolyhedronView& b, const EdgeAxis& axis,
                float preference, const PairWork& work) {
    const ConvexHull::Edge& edge_a = a.edges[axis.edge_a];
    const ConvexHull::Edge& edge_b = b.edges[axis.edge_b];
    const Vec3 from_a = a.vertex(edge_a.from);
    const Vec3 from_b = work.pose * b.vertex(edge_b.from);
    const Vec3 along_a = a.vertex(edge_a.to) - from_a;
    const Vec3 along_b = work.pose * b.vertex(edge_b.to) - from_b;
    const float aa = dot(along_a, along_a), bb = dot(along_b, along_b), ab = dot(along_a, along_b);
    Vec3 normal = cross(along_a, along_b);
    const float squared = length_squared(normal);
    normal = normal * (1 / std::sqrt(squared));
    if (dot(normal, a.normal(edge_a.left) + a.normal(edge_a.right)) < 0) normal = -normal;

    const Vec3 between = from_b - from_a;
    const float da = dot(between, along_a), db = dot(between, along_b);
    const float s = (da * bb - ab * db) / squared;
    const float t = (ab * da - aa * db) / squared;
    const float slack_a = preference / std::sqrt(aa), slack_b = preference / std::sqrt(bb);
    if (s < -slack_a || s > 1 + slack_a || t < -slack_b || t > 1 + slack_b) return false;
    const float separation = dot(normal, between);
    if (!(separation < work.margin)) return false;
    work.found_point(normal, (from_a + along_a * s + from_b + along_b * t) * 0.5f, separation,
                     spot_feature(axis.edge_a, axis.edge_b));
    return true;
}

} // namespace

bool collide_polyhedra(const PolyhedronView& a, const PolyhedronView& b, const PairWork& work) {
    if (work.cache.state == PairCache::State::apart &&
        polyhedron_gap(a, b, work.pose, work.cache.vector) >= work.margin)
        return true;
    const float preference = face_preference(std::min(a.size, b.size), std::max(a.size, b.size));
    PlacedPolyhedra placed;
    const FaceAxes faces = polyhedron_faces(a, b, work.pose, placed);
    if (faces.a.separation >= work.margin) {
        work.found_apart(a.normal(faces.a.plane));
        return true;
    }
    if (faces.b.separation >= work.margin) {
        work.found_apart(-(work.pose.rotation * b.normal(faces.b.plane)));
        return true;
    }
    const bool touching = work.cache.state == PairCache::State::touching;
    const bool kept_b = touching && work.cache.axis == k_face_of_b;
    const float bias = kept_b ? -0.5f * preference : 0.5f * preference;
    const bool reference_is_a = faces.a.separation + bias >= faces.b.separation;
    const PlaneChoice& face = reference_is_a ? faces.a : faces.b;
    // Across a gap, the least distance is not along an axis of edges unless GJK says so.
    const bool overlapping = std::max(faces.a.separation, faces.b.separation) < 0;
    if (overlapping) {
        const EdgeAxis edges = polyhedron_edges(a, b, work.pose, placed, faces);
        const bool kept_edges = touching && work.cache.axis == k_edges;
        const float advantage = kept_edges ? 0.5f * preference : preference;
        if (edges.separation > face.separation + advantage) {
            work.cache.axis = k_edges;
            return meet_edges(a, b, edges, preference, work);
        }
    }
    work.cache.axis = reference_is_a ? k_face_of_a : k_face_of_b;
    return meet_faces(a, b, face, reference_is_a, preference, work);
}

} // namespace fovea
