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

/// Planes and vertices fill wide registers; the few edges that matter do not.
constexpr std::size_t k_wide = ConvexHull::Lanes::k_padding, k_narrow = 8;
using Wide = hn::CappedTag<float, k_wide>;
using Narrow = hn::CappedTag<float, k_narrow>;

template <class D>
struct Lane3 {
    hn::Vec<D> x, y, z;
};

template <class D>
HWY_INLINE Lane3<D> load(D d, const float* x, const float* y, const float* z) {
    return {hn::LoadU(d, x), hn::LoadU(d, y), hn::LoadU(d, z)};
}

template <class D>
HWY_INLINE Lane3<D> spread(D d, const Vec3& v) {
    return {hn::Set(d, v.x), hn::Set(d, v.y), hn::Set(d, v.z)};
}

template <class D>
HWY_INLINE hn::Vec<D> dot(const Lane3<D>& a, const Lane3<D>& b) {
    return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}

template <class D>
HWY_INLINE Lane3<D> minus(const Lane3<D>& a, const Lane3<D>& b) {
    return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}

template <class D>
HWY_INLINE Lane3<D> cross(const Lane3<D>& a, const Lane3<D>& b) {
    return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
            hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
            hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}

/// A mask as bits, the first lane lowest.
template <class D, class M>
HWY_INLINE std::uint64_t bits_of(D d, M mask) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    return std::uint64_t(bytes[0]) | std::uint64_t(bytes[1]) << 8;
}

/// Largest dot(vertex, direction).
HWY_INLINE float reach(const PolyhedronView& p, const Vec3& direction) {
    const Wide d;
    const auto n = spread(d, direction);
    auto farthest = hn::Set(d, -std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < p.padded_vertices; i += hn::Lanes(d))
        farthest = hn::Max(farthest, dot<Wide>(load(d, p.x + i, p.y + i, p.z + i), n));
    return hn::GetLane(hn::MaxOfLanes(d, farthest));
}

float gap_kernel(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                 const Vec3& axis) {
    return fovea::dot(axis, pose.position) - reach(a, axis) -
           reach(b, -transposed_times(pose.rotation, axis));
}

/// All vertices of `p`, turned and shifted.
HWY_INLINE void transform(const PolyhedronView& p, const PairPose& pose, PlacedVertices& out) {
    const Wide d;
    const Mat3& m = pose.rotation;
    const auto row_x = spread(d, {m.x.x, m.y.x, m.z.x});
    const auto row_y = spread(d, {m.x.y, m.y.y, m.z.y});
    const auto row_z = spread(d, {m.x.z, m.y.z, m.z.z});
    const auto s = spread(d, pose.position);
    for (std::size_t i = 0; i < p.padded_vertices; i += hn::Lanes(d)) {
        const auto v = load(d, p.x + i, p.y + i, p.z + i);
        hn::StoreU(hn::Add(dot<Wide>(row_x, v), s.x), d, out.x.data() + i);
        hn::StoreU(hn::Add(dot<Wide>(row_y, v), s.y), d, out.y.data() + i);
        hn::StoreU(hn::Add(dot<Wide>(row_z, v), s.z), d, out.z.data() + i);
    }
}

using WideLane = hn::Vec<Wide>;

/// The plane of `p` above which the given vertices are highest, by their lowest. Calls
/// `note(vertex, first plane, heights, offsets)` on the way.
template <class Note>
HWY_INLINE PlaneChoice best_plane(const PolyhedronView& p, const PlacedVertices& placed,
                                  std::uint32_t vertices, Note note) {
    const Wide d;
    HWY_ALIGN float separations[k_max_planes];
    auto highest = hn::Set(d, -std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < p.padded_planes; i += hn::Lanes(d)) {
        const auto n = load(d, p.normal_x + i, p.normal_y + i, p.normal_z + i);
        const auto offset = hn::LoadU(d, p.offset + i);
        auto lowest = hn::Set(d, std::numeric_limits<float>::infinity());
        for (std::uint32_t v = 0; v < vertices; ++v) {
            const auto along = dot<Wide>(n, spread(d, {placed.x[v], placed.y[v], placed.z[v]}));
            lowest = hn::Min(lowest, along);
            note(v, i, along, offset);
        }
        const auto separation = hn::Sub(lowest, offset);
        highest = hn::Max(highest, separation);
        hn::Store(separation, d, separations + i);
    }
    // The first of the highest: padding repeats planes, but behind them.
    const auto most = hn::MaxOfLanes(d, highest);
    for (std::size_t i = 0; i < p.padded_planes; i += hn::Lanes(d)) {
        const auto first = hn::FindFirstTrue(d, hn::Eq(hn::Load(d, separations + i), most));
        if (first >= 0) return {std::uint32_t(i) + std::uint32_t(first), hn::GetLane(most)};
    }
    return {0, hn::GetLane(most)};
}

FaceAxes faces_kernel(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                      PlacedPolyhedra& placed) {
    const Wide d;
    transform(b, pose, placed.b);
    const PlaneChoice of_a = best_plane(
        a, placed.b, b.vertices, [](std::uint32_t, std::size_t, WideLane, WideLane) HWY_ATTR {});
    transform(a, inverse(pose), placed.a);
    // The depth is at most that of A's best plane.
    const auto depth = hn::Set(d, std::max(0.0f, -of_a.separation));
    for (std::uint32_t v = 0; v < a.vertices; ++v) placed.above[v] = 0;
    const PlaneChoice of_b = best_plane(
        b, placed.a, a.vertices,
        [&](std::uint32_t v, std::size_t plane, WideLane along, WideLane offset) HWY_ATTR {
            if (plane >= 64) return;
            placed.above[v] |= bits_of(d, hn::Gt(along, hn::Add(offset, depth))) << plane;
        });
    return {of_a, of_b};
}

/// The numbers of some edges.
struct EdgeList {
    std::uint32_t numbers[k_max_edges + k_narrow];
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
    for (std::uint32_t e = 0; e < a.edges.size(); ++e)
        list.add(e, (placed.above[a.edges[e].from] & placed.above[a.edges[e].to]) == 0);
}

/// Edges of B that are not above a plane of A.
HWY_INLINE void list_edges_of_b(const PolyhedronView& b, const PlacedVertices& placed,
                                const Vec3& plane, float offset, EdgeList& list) {
    const Wide d;
    const auto normal = spread(d, plane);
    const auto limit = hn::Set(d, offset);
    std::uint64_t below = 0; // a bit for each vertex
    static_assert(k_max_vertices <= 64);
    for (std::size_t i = 0; i < b.padded_vertices; i += hn::Lanes(d)) {
        const auto v = load(d, placed.x.data() + i, placed.y.data() + i, placed.z.data() + i);
        below |= bits_of(d, hn::Le(dot<Wide>(normal, v), limit)) << i;
    }
    for (std::uint32_t e = 0; e < b.edges.size(); ++e)
        list.add(e, ((below >> b.edges[e].from) | (below >> b.edges[e].to)) & 1);
}

/// Edges of B, in its own frame, ready for lanes; filled up with copies of the last.
struct EdgeLanes {
    static constexpr std::size_t k_room = k_max_edges + k_narrow;

    float from_x[k_room], from_y[k_room], from_z[k_room];
    float to_x[k_room], to_y[k_room], to_z[k_room];
    float left_x[k_room], left_y[k_room], left_z[k_room]; ///< normals
    float right_x[k_room], right_y[k_room], right_z[k_room];

    EdgeLanes(const PolyhedronView& b, EdgeList& list, std::size_t lanes) {
        for (std::size_t i = list.count; i % lanes != 0; ++i)
            list.numbers[i] = list.numbers[list.count - 1];
        for (std::size_t i = 0; i < list.count || i % lanes != 0; ++i) {
            const ConvexHull::Edge& edge = b.edges[list.numbers[i]];
            from_x[i] = b.x[edge.from], from_y[i] = b.y[edge.from], from_z[i] = b.z[edge.from];
            to_x[i] = b.x[edge.to], to_y[i] = b.y[edge.to], to_z[i] = b.z[edge.to];
            left_x[i] = b.normal_x[edge.left];
            left_y[i] = b.normal_y[edge.left];
            left_z[i] = b.normal_z[edge.left];
            right_x[i] = b.normal_x[edge.right];
            right_y[i] = b.normal_y[edge.right];
            right_z[i] = b.normal_z[edge.right];
        }
    }
};

/// Squared sine of the angle up to which edges count as parallel.
constexpr float k_parallel_squared = 1e-6f;

/// An edge of A in the frame of B, in every lane.
struct SpreadEdge {
    Lane3<Narrow> from, along, left, right;
    hn::Vec<Narrow> least; ///< squared sine with another edge, times the square of this length
};

/// Separation along the normal of the edge of A with each edge of B in the lanes, or minus
/// infinity where the arcs of the edges do not cross on the Gauss map.
HWY_INLINE hn::Vec<Narrow> edge_separations(const EdgeLanes& b, std::size_t i,
                                            const SpreadEdge& a) {
    const Narrow d;
    const auto zero = hn::Zero(d);
    const auto from = load(d, b.from_x + i, b.from_y + i, b.from_z + i);
    const auto along = minus<Narrow>(load(d, b.to_x + i, b.to_y + i, b.to_z + i), from);
    const auto left = load(d, b.left_x + i, b.left_y + i, b.left_z + i);
    const auto right = load(d, b.right_x + i, b.right_y + i, b.right_z + i);
    // The arc of B must be turned round: the sign of c and e, and so of the last product.
    const auto c = dot<Narrow>(left, a.along), e = dot<Narrow>(right, a.along);
    const auto f = dot<Narrow>(a.left, along), g = dot<Narrow>(a.right, along);
    const auto crossing = hn::And(hn::And(hn::Lt(hn::Mul(c, e), zero), hn::Lt(hn::Mul(f, g), zero)),
                                  hn::Lt(hn::Mul(c, g), zero));
    const auto never = hn::Set(d, -std::numeric_limits<float>::infinity());
    if (hn::AllFalse(d, crossing)) return never;
    const auto normal = cross<Narrow>(a.along, along);
    const auto squared = dot<Narrow>(normal, normal);
    // Nearly parallel edges give no axis: rounding would decide it, and the faces' axes serve.
    const auto limit = hn::Mul(a.least, dot<Narrow>(along, along));
    const auto valid = hn::And(crossing, hn::Gt(squared, limit));
    // The normal that points out of A is the one within the arc of its edge.
    const auto outwards = hn::Add(dot<Narrow>(normal, a.left), dot<Narrow>(normal, a.right));
    const auto gap = dot<Narrow>(normal, minus<Narrow>(from, a.from));
    const auto signed_gap = hn::IfThenElse(hn::Lt(outwards, zero), hn::Neg(gap), gap);
    const auto safe = hn::IfThenElse(valid, squared, hn::Set(d, 1.0f));
    return hn::IfThenElse(valid, hn::Div(signed_gap, hn::Sqrt(safe)), never);
}

EdgeAxis edges_kernel(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                      const PlacedPolyhedra& placed, const FaceAxes& faces) {
    const Narrow d;
    const float depth = -std::max(faces.a.separation, faces.b.separation);
    EdgeAxis best{0, 0, -std::numeric_limits<float>::infinity()};
    EdgeList list_a, list_b;
    list_edges_of_a(a, placed, list_a);
    list_edges_of_b(b, placed.b, a.normal(faces.a.plane), a.offset[faces.a.plane] + depth, list_b);
    if (list_a.count == 0 || list_b.count == 0) return best;
    const EdgeLanes lanes(b, list_b, hn::Lanes(d));
    const PlacedVertices& placed_a = placed.a;
    HWY_ALIGN float separations[k_narrow];
    for (std::size_t k = 0; k < list_a.count; ++k) {
        const ConvexHull::Edge& edge = a.edges[list_a.numbers[k]];
        const Vec3 from(placed_a.x[edge.from], placed_a.y[edge.from], placed_a.z[edge.from]);
        const Vec3 to(placed_a.x[edge.to], placed_a.y[edge.to], placed_a.z[edge.to]);
        const SpreadEdge of_a{spread(d, from), spread(d, to - from),
                              spread(d, transposed_times(pose.rotation, a.normal(edge.left))),
                              spread(d, transposed_times(pose.rotation, a.normal(edge.right))),
                              hn::Set(d, k_parallel_squared * length_squared(to - from))};
        for (std::size_t i = 0; i < list_b.count; i += hn::Lanes(d)) {
            const auto found = edge_separations(lanes, i, of_a);
            if (hn::AllFalse(d, hn::Gt(found, hn::Set(d, best.separation)))) continue;
            hn::Store(found, d, separations);
            for (std::size_t n = 0; n < hn::Lanes(d); ++n)
                if (separations[n] > best.separation)
                    best = {list_a.numbers[k], list_b.numbers[i + n], separations[n]};
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
