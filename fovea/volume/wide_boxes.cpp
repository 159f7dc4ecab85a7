#include "fovea/volume/wide_boxes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/volume/wide_boxes.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Four floats as one value. The target without vectors has no such type: there it is spelt out.
#if HWY_TARGET == HWY_SCALAR
struct V4 {
    float lane[4];
};
template <class Operation>
HWY_INLINE V4 each(const V4& a, const V4& b, Operation operation) {
    V4 result;
    for (int i = 0; i < 4; ++i) result.lane[i] = operation(a.lane[i], b.lane[i]);
    return result;
}
HWY_INLINE V4 load4(const float* p) {
    return {{p[0], p[1], p[2], p[3]}};
}
HWY_INLINE V4 set4(float v) {
    return {{v, v, v, v}};
}
HWY_INLINE void store4(const V4& v, float* p) {
    for (int i = 0; i < 4; ++i) p[i] = v.lane[i];
}
HWY_INLINE V4 min4(const V4& a, const V4& b) {
    return each(a, b, [](float x, float y) { return x < y ? x : y; });
}
HWY_INLINE V4 max4(const V4& a, const V4& b) {
    return each(a, b, [](float x, float y) { return x > y ? x : y; });
}
HWY_INLINE V4 add4(const V4& a, const V4& b) {
    return each(a, b, [](float x, float y) { return x + y; });
}
#else
using D4 = hn::FixedTag<float, 4>;
using V4 = hn::Vec<D4>;
HWY_INLINE V4 load4(const float* p) {
    return hn::LoadU(D4(), p);
}
HWY_INLINE V4 set4(float v) {
    return hn::Set(D4(), v);
}
HWY_INLINE void store4(V4 v, float* p) {
    hn::StoreU(v, D4(), p);
}
HWY_INLINE V4 min4(V4 a, V4 b) {
    return hn::Min(a, b);
}
HWY_INLINE V4 max4(V4 a, V4 b) {
    return hn::Max(a, b);
}
HWY_INLINE V4 add4(V4 a, V4 b) {
    return hn::Add(a, b);
}
#endif

constexpr std::uint32_t k_width = MeshHierarchy::k_block_width;

/// A box under construction: x, y, z and a number without meaning.
struct Box4 {
    V4 low, high;

    HWY_INLINE void add(V4 p) {
        low = min4(low, p);
        high = max4(high, p);
    }
    HWY_INLINE void add(const Box4& b) {
        low = min4(low, b.low);
        high = max4(high, b.high);
    }
};

HWY_INLINE Box4 empty_box() {
    return {set4(Aabb::k_infinity), set4(-Aabb::k_infinity)};
}

/// Reads no more than the vertex: it may be the last that a host has.
HWY_INLINE V4 load_vertex(const VertexView& vertices, std::uint32_t i) {
    const float* p = &vertices.positions[i].x;
#if HWY_TARGET == HWY_SCALAR
    return {{p[0], p[1], p[2], 0}};
#else
    const hn::Half<D4> half;
    const hn::Half<decltype(half)> quarter;
    return hn::Combine(D4(), hn::ZeroExtendVector(half, hn::LoadU(quarter, p + 2)),
                       hn::LoadU(half, p));
#endif
}

HWY_INLINE Box4 triangle_box(const VertexView& vertices, const TriangleMesh::Triangle& t) {
    const V4 a = load_vertex(vertices, t[0]), b = load_vertex(vertices, t[1]),
             c = load_vertex(vertices, t[2]);
    return {min4(a, min4(b, c)), max4(a, max4(b, c))};
}

/// Smallest and largest x, y and z of a flat array of vertices. Vectors come in threes, so that
/// each lane holds the same coordinate in every round; `zeros` grows to something else than zero if
/// a number is not finite: a number times zero is zero unless it is infinite or not a number.
struct FlatBounds {
    using D = hn::CappedTag<float, 4>; // see mesh_descent.cpp
    using V = hn::Vec<D>;
    V low[3], high[3], zeros;

    HWY_INLINE FlatBounds()
        : zeros(hn::Zero(D())) {
        for (int i = 0; i < 3; ++i)
            low[i] = hn::Set(D(), Aabb::k_infinity), high[i] = hn::Set(D(), -Aabb::k_infinity);
    }
    /// As many vertices as a vector has lanes.
    HWY_INLINE void add(const float* from) {
        const D d;
        const V zero = hn::Zero(d);
        V sum = zero;
        for (std::size_t i = 0; i < 3; ++i) {
            const V v = hn::LoadU(d, from + i * hn::Lanes(d));
            low[i] = hn::Min(low[i], v);
            high[i] = hn::Max(high[i], v);
            sum = hn::Add(sum, hn::Mul(v, zero));
        }
        zeros = hn::Add(zeros, sum);
    }
    HWY_INLINE Box4 box() const {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        // Vertex by vertex; the last one's fourth number is beyond.
        HWY_ALIGN float lows[13], highs[13];
        lows[3 * lanes] = highs[3 * lanes] = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            hn::StoreU(low[i], d, lows + i * lanes);
            hn::StoreU(high[i], d, highs + i * lanes);
        }
        Box4 box = empty_box();
        for (std::size_t k = 0; k < lanes; ++k) {
            box.low = min4(box.low, load4(lows + 3 * k));
            box.high = max4(box.high, load4(highs + 3 * k));
        }
        return box;
    }
    HWY_INLINE bool finite() const {
        const D d;
        return hn::AllTrue(d, hn::Eq(zeros, hn::Zero(d)));
    }
};

HWY_INLINE void add_vertices(const VertexView& vertices, std::uint32_t begin, std::uint32_t end,
                             Box4& box) {
    std::uint32_t i = begin;
    // Two boxes hide the latency of min and max.
    Box4 other = box;
    for (; i + 2 <= end; i += 2)
        box.add(load_vertex(vertices, i)), other.add(load_vertex(vertices, i + 1));
    if (i < end) box.add(load_vertex(vertices, i));
    box.add(other);
}

HWY_INLINE void add_range(const VertexView& vertices, std::uint32_t begin, std::uint32_t end,
                          Box4& box) {
    const std::uint32_t first = (begin + k_group_vertices - 1) / k_group_vertices;
    const std::uint32_t last = end / k_group_vertices;
    if (vertices.groups == nullptr || first >= last) return add_vertices(vertices, begin, end, box);
    add_vertices(vertices, begin, first * k_group_vertices, box);
    for (std::uint32_t group = first; group < last; ++group)
        box.add(Box4{load4(vertices.groups[group].low), load4(vertices.groups[group].high)});
    add_vertices(vertices, last * k_group_vertices, end, box);
}

/// Four boxes side by side in the lanes from `lane` on. Adding 0 turns -0 into +0, between which
/// min and max do not choose.
HWY_INLINE void store_lanes(const Box4 (&boxes)[4], std::uint32_t lane, WideBoxes& out) {
    const V4 zero = set4(0);
#if HWY_TARGET == HWY_SCALAR
    for (std::uint32_t i = 0; i < 4; ++i) {
        const V4 low = add4(boxes[i].low, zero), high = add4(boxes[i].high, zero);
        for (int axis = 0; axis < 3; ++axis) {
            out.low[axis][lane + i] = low.lane[axis];
            out.high[axis][lane + i] = high.lane[axis];
        }
    }
#else
    const D4 d;
    const auto transpose = [&](V4 a, V4 b, V4 c, V4 e, float(*rows)[k_width]) HWY_ATTR {
        const V4 ab = hn::InterleaveLower(d, a, b), ce = hn::InterleaveLower(d, c, e);
        hn::StoreU(hn::Add(hn::ConcatLowerLower(d, ce, ab), zero), d, rows[0] + lane);
        hn::StoreU(hn::Add(hn::ConcatUpperUpper(d, ce, ab), zero), d, rows[1] + lane);
        const V4 z =
            hn::ConcatLowerLower(d, hn::InterleaveUpper(d, c, e), hn::InterleaveUpper(d, a, b));
        hn::StoreU(hn::Add(z, zero), d, rows[2] + lane);
    };
    transpose(boxes[0].low, boxes[1].low, boxes[2].low, boxes[3].low, out.low);
    transpose(boxes[0].high, boxes[1].high, boxes[2].high, boxes[3].high, out.high);
#endif
}

HWY_INLINE Box4 node_box(const MeshHierarchy& h, std::uint32_t node, const VertexView& vertices,
                         std::uint64_t& read) {
    const MeshHierarchy::VertexList& list = h.vertices[node];
    Box4 box = empty_box();
    add_range(vertices, list.begin, list.end, box);
    for (std::uint32_t i = list.border_begin; i < list.border_end; ++i)
        box.add(load_vertex(vertices, h.border[i]));
    read += list.count();
    return box;
}

/// The box around all lanes of a block.
HWY_INLINE Box4 block_box(const WideBoxes& boxes) {
    const hn::CappedTag<float, k_width> d;
    HWY_ALIGN float low[4] = {}, high[4] = {};
    for (int axis = 0; axis < 3; ++axis) {
        auto lows = hn::Load(d, boxes.low[axis]), highs = hn::Load(d, boxes.high[axis]);
        for (std::size_t i = hn::Lanes(d); i < k_width; i += hn::Lanes(d)) {
            lows = hn::Min(lows, hn::Load(d, boxes.low[axis] + i));
            highs = hn::Max(highs, hn::Load(d, boxes.high[axis] + i));
        }
        low[axis] = hn::GetLane(hn::MinOfLanes(d, lows));
        high[axis] = hn::GetLane(hn::MaxOfLanes(d, highs));
    }
    return {load4(low), load4(high)};
}

template <bool k_from_children>
HWY_INLINE std::uint64_t refit_block(const MeshHierarchy& h, std::uint32_t block,
                                     const VertexView& vertices, const WideBoxes* blocks,
                                     WideBoxes& out) {
    std::uint64_t read = 0;
    for (std::uint32_t lane = 0; lane < k_width; lane += 4) {
        Box4 boxes[4];
        for (std::uint32_t i = 0; i < 4; ++i) {
            const std::uint32_t child = h.child[block * k_width + lane + i];
            if (child == MeshHierarchy::k_no_child) {
                boxes[i] = empty_box();
            } else if (MeshHierarchy::is_leaf_child(child)) {
                boxes[i] = triangle_box(vertices, h.triangles[MeshHierarchy::leaf_of(child)]);
                read += 3;
            } else if (k_from_children) {
                boxes[i] = block_box(blocks[child]);
            } else {
                boxes[i] = node_box(h, h.block_node[child], vertices, read);
            }
        }
        store_lanes(boxes, lane, out);
    }
    return read;
}

std::uint64_t from_vertices_kernel(const MeshHierarchy& h, std::uint32_t block,
                                   const VertexView& vertices, WideBoxes& out) {
    return refit_block<false>(h, block, vertices, nullptr, out);
}

std::uint64_t from_children_kernel(const MeshHierarchy& h, std::uint32_t block,
                                   const VertexView& vertices, const WideBoxes* blocks,
                                   WideBoxes& out) {
    return refit_block<true>(h, block, vertices, blocks, out);
}

std::uint64_t sweep_kernel(const MeshHierarchy& h, const VertexView& vertices, WideBoxes* blocks) {
    std::uint64_t read = 0;
    for (std::uint32_t block = std::uint32_t(h.block_count()); block-- > 0;)
        read += refit_block<true>(h, block, vertices, blocks, blocks[block]);
    return read;
}

bool bounds_kernel(const Vec3* vertices, std::size_t count, GroupBox* groups, Aabb& around) {
    const std::size_t per_round = hn::Lanes(FlatBounds::D());
    bool finite = true;
    Box4 box = empty_box();
    std::size_t i = 0;
    for (; i + k_group_vertices <= count; i += k_group_vertices) {
        FlatBounds bounds;
        for (std::size_t k = 0; k < k_group_vertices; k += per_round)
            bounds.add(&vertices[i + k].x);
        finite = finite && bounds.finite();
        const Box4 group = bounds.box();
        box.add(group);
        if (groups != nullptr) {
            store4(group.low, groups[i / k_group_vertices].low);
            store4(group.high, groups[i / k_group_vertices].high);
        }
    }
    const VertexView view = {vertices, nullptr};
    for (; i < count; ++i) {
        finite = finite && is_finite(vertices[i]);
        box.add(load_vertex(view, std::uint32_t(i)));
    }
    HWY_ALIGN float low[4], high[4];
    store4(add4(box.low, set4(0)), low);
    store4(add4(box.high, set4(0)), high);
    around = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return finite;
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(from_vertices_kernel);
HWY_EXPORT(from_children_kernel);
HWY_EXPORT(sweep_kernel);
HWY_EXPORT(bounds_kernel);

WideBoxes WideBoxes::empty() {
    WideBoxes boxes;
    for (std::uint32_t i = 0; i < MeshHierarchy::k_block_width; ++i) boxes.set_lane(i, Aabb());
    return boxes;
}

std::optional<Aabb> finite_bounds(std::span<const Vec3> vertices, std::vector<GroupBox>* groups) {
    if (groups) groups->resize(vertices.size() / k_group_vertices);
    Aabb box;
    if (!HWY_DYNAMIC_DISPATCH(bounds_kernel)(vertices.data(), vertices.size(),
                                             groups ? groups->data() : nullptr, box))
        return std::nullopt;
    return box;
}

void copy_vertices(std::span<const Vec3> from, std::span<const std::uint32_t> order,
                   std::vector<Vec3>& to) {
    to.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) to[i] = from[order[i]];
}

std::uint64_t boxes_from_vertices(const MeshHierarchy& hierarchy, std::uint32_t block,
                                  const VertexView& vertices, WideBoxes& out) {
    return HWY_DYNAMIC_DISPATCH(from_vertices_kernel)(hierarchy, block, vertices, out);
}

std::uint64_t boxes_from_children(const MeshHierarchy& hierarchy, std::uint32_t block,
                                  const VertexView& vertices, std::span<const WideBoxes> blocks,
                                  WideBoxes& out) {
    return HWY_DYNAMIC_DISPATCH(from_children_kernel)(hierarchy, block, vertices, blocks.data(),
                                                      out);
}

std::uint64_t sweep_bottom_up(const MeshHierarchy& hierarchy, const VertexView& vertices,
                              std::span<WideBoxes> blocks) {
    return HWY_DYNAMIC_DISPATCH(sweep_kernel)(hierarchy, vertices, blocks.data());
}

Aabb merged(const WideBoxes& boxes) {
    Aabb box;
    for (std::uint32_t i = 0; i < MeshHierarchy::k_block_width; ++i)
        box = merged(box, boxes.lane(i));
    return box;
}

WideBoxes merged(const WideBoxes& a, const WideBoxes& b) {
    WideBoxes result;
    for (std::uint32_t i = 0; i < MeshHierarchy::k_block_width; ++i)
        result.set_lane(i, merged(a.lane(i), b.lane(i)));
    return result;
}

} // namespace fovea
#endif
