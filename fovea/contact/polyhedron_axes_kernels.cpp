#include "fovea/contact/polyhedron_axes.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/contact/polyhedron_axes_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Eight lanes fit the few edges and planes of most hulls; more would compute padding.
constexpr std::size_t k_lanes = 8;
static_assert(ConvexHull::Lanes::k_padding % k_lanes == 0);
using Floats = hn::CappedTag<float, k_lanes>;
using Lane = hn::Vec<Floats>;

struct Lane3 {
    Lane x, y, z;
};

HWY_INLINE Lane3 load(const float* x, const float* y, const float* z) {
    const Floats d;
    return {hn::LoadU(d, x), hn::LoadU(d, y), hn::LoadU(d, z)};
}

HWY_INLINE Lane3 spread(const Vec3& v) {
    const Floats d;
    return {hn::Set(d, v.x), hn::Set(d, v.y), hn::Set(d, v.z)};
}

HWY_INLINE Lane dot(const Lane3& a, const Lane3& b) {
    return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}

HWY_INLINE Lane3 minus(const Lane3& a, const Lane3& b) {
    return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}

HWY_INLINE Lane3 cross(const Lane3& a, const Lane3& b) {
    return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
            hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
            hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}

/// Largest dot(vertex, direction).
float reach(const PolyhedronView& p, const Vec3& direction) {
    const Floats d;
    const Lane3 n = spread(direction);
    Lane farthest = hn::Set(d, -std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < p.padded_vertices; i += hn::Lanes(d))
        farthest = hn::Max(farthest, dot(load(p.x + i, p.y + i, p.z + i), n));
    return hn::GetLane(hn::MaxOfLanes(d, farthest));
}

float gap_kernel(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                 const Vec3& axis) {
    return fovea::dot(axis, pose.position) - reach(a, axis) -
           reach(b, -transposed_times(pose.rotation, axis));
}

/// All vertices of `p`, turned and shifted.
HWY_INLINE void transform(const PolyhedronView& p, const PairPose& pose, PlacedVertices& out) {
    const Floats d;
    const Mat3& m = pose.rotation;
    const Lane3 row_x = spread({m.x.x, m.y.x, m.z.x});
    const Lane3 row_y = spread({m.x.y, m.y.y, m.z.y});
    const Lane3 row_z = spread({m.x.z, m.y.z, m.z.z});
    const Lane3 s = spread(pose.position);
    for (std::size_t i = 0; i < p.padded_vertices; i += hn::Lanes(d)) {
        const Lane3 v = load(p.x + i, p.y + i, p.z + i);
        hn::StoreU(hn::Add(dot(row_x, v), s.x), d, out.x.data() + i);
        hn::StoreU(hn::Add(dot(row_y, v), s.y), d, out.y.data() + i);
        hn::StoreU(hn::Add(dot(row_z, v), s.z), d, out.z.data() + i);
    }
}

/// The plane of `p` above which the given vertices are highest, by their lowest. Calls
/// `note(vertex, first plane, heights, offsets)` on the way.
template <class Note>
HWY_INLINE PlaneChoice best_plane(const PolyhedronView& p, const PlacedVertices& placed,
                                  std::uint32_t vertices, Note note) {
    const Floats d;
    HWY_ALIGN float separations[k_max_planes];
    Lane highest = hn::Set(d, -std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < p.padded_planes; i += hn::Lanes(d)) {
        const Lane3 n = load(p.normal_x + i, p.normal_y + i, p.normal_z + i);
        const Lane offset = hn::LoadU(d, p.offset + i);
        Lane lowest = hn::Set(d, std::numeric_limits<float>::infinity());
        for (std::uint32_t v = 0; v < vertices; ++v) {
            const Lane along = dot(n, spread({placed.x[v], placed.y[v], placed.z[v]}));
            lowest = hn::Min(lowest, along);
            note(v, i, along, offset);
        }
        const Lane separation = hn::Sub(lowest, offset);
        highest = hn::Max(highest, separation);
        hn::Store(separation, d, separations + i);
    }
    // The first of the highest: padding repeats planes, but behind them.
    const Lane most = hn::MaxOfLanes(d, highest);
    for (std::size_t i = 0; i < p.padded_planes; i += hn::Lanes(d)) {
        const auto first = hn::FindFirstTrue(d, hn::Eq(hn::Load(d, separations + i), most));
        if (first >= 0) return {std::uint32_t(i) + std::uint32_t(first), hn::GetLane(most)};
    }
    return {0, hn::GetLane(most)};
}

FaceAxes faces_kernel(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                      PlacedPolyhedra& placed) {
    const Floats d;
    transform(b, pose, placed.b);
    const PlaneChoice of_a =
        best_plane(a, placed.b, b.vertices, [](std::uint32_t, std::size_t, Lane, Lane) HWY_ATTR {});
    transform(a, inverse(pose), placed.a);
    // The depth is at most that of A's best plane.
    const Lane depth = hn::Set(d, std::max(0.0f, -of_a.separation));
    for (std::uint32_t v = 0; v < a.vertices; ++v) placed.above[v] = {};
    const PlaneChoice of_b =
        best_plane(b, placed.a, a.vertices,
                   [&](std::uint32_t v, std::size_t plane, Lane along, Lane offset) HWY_ATTR {
                       std::uint8_t bits[8];
                       hn::StoreMaskBits(d, hn::Gt(along, hn::Add(offset, depth)), bits);
                       placed.above[v][plane / 64] |= std::uint64_t(bits[0]) << (plane % 64);
                   });
    return {of_a, of_b};
}

/// The numbers of some edges.
struct EdgeList {
    std::uint32_t numbers[k_max_edges + k_lanes];
    std::size_t count = 0;

    /// Always written and only counted if it stays: a branch would be guessed wrong too often.
    void add(std::uint32_t edge, bool stays) {
        numbers[count] = edge;
        count += stays;
    }
};

/// Edges of A that are not far above any plane of B.
HWY_INLINE void list_edges_of_a(const PolyhedronView& a, const PlacedPolyhedra& placed,
                                EdgeList& list) {
    for (std::uint32_t e = 0; e < a.edges.size(); ++e) {
        const PlaneBits& from = placed.above[a.edges[e].from];
        const PlaneBits& to = placed.above[a.edges[e].to];
        std::uint64_t both = 0;
        for (std::size_t k = 0; k < from.size(); ++k) both |= from[k] & to[k];
        list.add(e, both == 0);
    }
}

/// Edges of B that are not above a plane of A.
HWY_INLINE void list_edges_of_b(const PolyhedronView& b, const PlacedVertices& placed,
                                const Vec3& plane, float offset, EdgeList& list) {
    const Floats d;
    const Lane3 normal = spread(plane);
    const Lane limit = hn::Set(d, offset);
    std::uint64_t below = 0; // a bit for each vertex
    static_assert(k_max_vertices <= 64);
    for (std::size_t i = 0; i < b.padded_vertices; i += hn::Lanes(d)) {
        const Lane3 v = load(placed.x.data() + i, placed.y.data() + i, placed.z.data() + i);
        std::uint8_t bits[8];
        hn::StoreMaskBits(d, hn::Le(dot(normal, v), limit), bits);
        below |= std::uint64_t(bits[0]) << i;
    }
    for (std::uint32_t e = 0; e < b.edges.size(); ++e)
        list.add(e, ((below >> b.edges[e].from) | (below >> b.edges[e].to)) & 1);
}

/// Edges of B in the frame of A, ready for lanes; filled up with copies of the last.
struct EdgeLanes {
    static constexpr std::size_t k_room = k_max_edges + k_lanes;

    float from_x[k_room], from_y[k_room], from_z[k_room];
    float along_x[k_room], along_y[k_room], along_z[k_room];
    float left_x[k_room], left_y[k_room], left_z[k_room]; ///< normals, turned round
    float right_x[k_room], right_y[k_room], right_z[k_room];

    EdgeLanes(const PolyhedronView& b, const PairPose& pose, const PlacedVertices& placed,
              EdgeList& list, std::size_t lanes) {
        for (std::size_t i = list.count; i % lanes != 0; ++i)
            list.numbers[i] = list.numbers[list.count - 1];
        for (std::size_t i = 0; i < list.count || i % lanes != 0; ++i) {
            const ConvexHull::Edge& edge = b.edges[list.numbers[i]];
            from_x[i] = placed.x[edge.from];
            from_y[i] = placed.y[edge.from];
            from_z[i] = placed.z[edge.from];
            along_x[i] = placed.x[edge.to] - from_x[i];
            along_y[i] = placed.y[edge.to] - from_y[i];
            along_z[i] = placed.z[edge.to] - from_z[i];
            const Vec3 left = pose.rotation * b.normal(edge.left);
            left_x[i] = -left.x, left_y[i] = -left.y, left_z[i] = -left.z;
            const Vec3 right = pose.rotation * b.normal(edge.right);
            right_x[i] = -right.x, right_y[i] = -right.y, right_z[i] = -right.z;
        }
    }
};

/// Separation along the normal of edge `from` + t `along` of A with each edge in the lanes, or
/// minus infinity where the arcs of the edges do not cross on the Gauss map.
HWY_INLINE Lane edge_separations(const EdgeLanes& b, std::size_t i, const Lane3& from,
                                 const Lane3& along, const Lane3& left, const Lane3& right) {
    const Floats d;
    const Lane zero = hn::Zero(d);
    const Lane3 along_b = load(b.along_x + i, b.along_y + i, b.along_z + i);
    const Lane3 left_b = load(b.left_x + i, b.left_y + i, b.left_z + i);
    const Lane3 right_b = load(b.right_x + i, b.right_y + i, b.right_z + i);
    const Lane c = dot(left_b, along), e = dot(right_b, along);
    const Lane f = dot(left, along_b), g = dot(right, along_b);
    const auto crossing = hn::And(hn::And(hn::Lt(hn::Mul(c, e), zero), hn::Lt(hn::Mul(f, g), zero)),
                                  hn::Gt(hn::Mul(c, g), zero));
    const Lane3 normal = cross(along, along_b);
    const Lane squared = dot(normal, normal);
    // Nearly parallel edges give no axis: rounding would decide it, and the faces' axes serve.
    const Lane limit =
        hn::Mul(hn::Set(d, 1e-6f), hn::Mul(dot(along, along), dot(along_b, along_b)));
    const auto valid = hn::And(crossing, hn::Gt(squared, limit));
    // The normal that points out of A is the one within the arc of its edge.
    const Lane outwards = hn::Add(dot(normal, left), dot(normal, right));
    const Lane gap = dot(normal, minus(load(b.from_x + i, b.from_y + i, b.from_z + i), from));
    const Lane signed_gap = hn::IfThenElse(hn::Lt(outwards, zero), hn::Neg(gap), gap);
    const Lane never = hn::Set(d, -std::numeric_limits<float>::infinity());
    const Lane safe = hn::IfThenElse(valid, squared, hn::Set(d, 1.0f));
    return hn::IfThenElse(valid, hn::Div(signed_gap, hn::Sqrt(safe)), never);
}

EdgeAxis edges_kernel(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                      const PlacedPolyhedra& placed, const FaceAxes& faces) {
    const Floats d;
    const float depth = -std::max(faces.a.separation, faces.b.separation);
    EdgeAxis best{0, 0, -std::numeric_limits<float>::infinity()};
    EdgeList list_a, list_b;
    list_edges_of_a(a, placed, list_a);
    list_edges_of_b(b, placed.b, a.normal(faces.a.plane), a.offset[faces.a.plane] + depth, list_b);
    if (list_a.count == 0 || list_b.count == 0) return best;
    const EdgeLanes lanes(b, pose, placed.b, list_b, hn::Lanes(d));
    HWY_ALIGN float separations[k_lanes];
    for (std::size_t e = 0; e < list_a.count; ++e) {
        const ConvexHull::Edge& edge = a.edges[list_a.numbers[e]];
        const Vec3 start = a.vertex(edge.from);
        const Lane3 from = spread(start), along = spread(a.vertex(edge.to) - start);
        const Lane3 left = spread(a.normal(edge.left)), right = spread(a.normal(edge.right));
        for (std::size_t i = 0; i < list_b.count; i += hn::Lanes(d)) {
            const Lane found = edge_separations(lanes, i, from, along, left, right);
            if (hn::AllFalse(d, hn::Gt(found, hn::Set(d, best.separation)))) continue;
            hn::Store(found, d, separations);
            for (std::size_t k = 0; k < hn::Lanes(d); ++k)
                if (separations[k] > best.separation)
                    best = {list_a.numbers[e], list_b.numbers[i + k], separations[k]};
        }
    }
    return best;
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(gap_kernel);
HWY_EXPORT(faces_kernel);
HWY_EXPORT(edges_kernel);

float polyhedron_gap(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                     const Vec3& axis) {
    return HWY_DYNAMIC_DISPATCH(gap_kernel)(a, b, pose, axis);
}

FaceAxes polyhedron_faces(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                          PlacedPolyhedra& placed) {
    return HWY_DYNAMIC_DISPATCH(faces_kernel)(a, b, pose, placed);
}

EdgeAxis polyhedron_edges(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                          const PlacedPolyhedra& placed, const FaceAxes& faces) {
    return HWY_DYNAMIC_DISPATCH(edges_kernel)(a, b, pose, placed, faces);
}

} // namespace fovea
#endif
