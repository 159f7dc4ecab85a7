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
HWY_INLINE V4 multiply4(const V4& a, const V4& b) {
    return each(a, b, [](float x, float y) { return x * y; });
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
HWY_INLINE V4 multiply4(V4 a, V4 b) {
    return hn::Mul(a, b);
}
#endif

constexpr std::uint32_t k_width = MeshHierarchy::k_block_width;

/// A box under construction: x, y, z and an unused lane.
struct Box4 {
    V4 low, high;

    HWY_INLINE void add(V4 p) {
        low = min4(low, p);
        high = max4(high, p);
    }
};

HWY_INLINE Box4 empty_box() {
    return {set4(Aabb::k_infinity), set4(-Aabb::k_infinity)};
}

HWY_INLINE V4 load_vertex(const PaddedVertex* vertices, std::uint32_t i) {
    return load4(&vertices[i].x);
}

HWY_INLINE Box4 triangle_box(const PaddedVertex* vertices, const TriangleMesh::Triangle& t) {
    const V4 a = load_vertex(vertices, t[0]), b = load_vertex(vertices, t[1]),
             c = load_vertex(vertices, t[2]);
    return {min4(a, min4(b, c)), max4(a, max4(b, c))};
}

HWY_INLINE void add_range(const PaddedVertex* vertices, std::uint32_t begin, std::uint32_t end,
                          Box4& box) {
    std::uint32_t i = begin;
    const hn::ScalableTag<float> wide;
    const std::uint32_t per_load = std::uint32_t(hn::Lanes(wide) / 4);
    if (per_load > 1 && end - begin >= 4 * per_load) {
        // Two accumulators hide the latency of min and max.
        auto low0 = hn::Set(wide, Aabb::k_infinity), high0 = hn::Set(wide, -Aabb::k_infinity);
        auto low1 = low0, high1 = high0;
        for (; i + 2 * per_load <= end; i += 2 * per_load) {
            const auto p = hn::LoadU(wide, &vertices[i].x);
            const auto q = hn::LoadU(wide, &vertices[i + per_load].x);
            low0 = hn::Min(low0, p), high0 = hn::Max(high0, p);
            low1 = hn::Min(low1, q), high1 = hn::Max(high1, q);
        }
        HWY_ALIGN float lows[HWY_MAX_BYTES / 4], highs[HWY_MAX_BYTES / 4];
        hn::Store(hn::Min(low0, low1), wide, lows);
        hn::Store(hn::Max(high0, high1), wide, highs);
        for (std::uint32_t k = 0; k < per_load; ++k) {
            box.low = min4(box.low, load4(lows + 4 * k));
            box.high = max4(box.high, load4(highs + 4 * k));
        }
    }
    for (; i < end; ++i) box.add(load_vertex(vertices, i));
}

HWY_INLINE void store_lane(const Box4& box, std::uint32_t lane, WideBoxes& out) {
    HWY_ALIGN float low[4], high[4];
    store4(box.low, low);
    store4(box.high, high);
    for (int axis = 0; axis < 3; ++axis)
        out.low[axis][lane] = low[axis], out.high[axis][lane] = high[axis];
}

HWY_INLINE Box4 node_box(const MeshHierarchy& h, std::uint32_t node, const PaddedVertex* vertices,
                         std::uint64_t& read) {
    const MeshHierarchy::VertexList& list = h.vertices[node];
    Box4 box = empty_box();
    add_range(vertices, list.begin, list.end, box);
    for (std::uint32_t i = list.border_begin; i < list.border_end; ++i)
        box.add(load_vertex(vertices, h.border[i]));
    read += list.count();
    return box;
}

HWY_INLINE Aabb block_box(const WideBoxes& boxes) {
    Aabb box;
    for (int axis = 0; axis < 3; ++axis) {
        float low = boxes.low[axis][0], high = boxes.high[axis][0];
        for (std::uint32_t i = 1; i < k_width; ++i) {
            low = boxes.low[axis][i] < low ? boxes.low[axis][i] : low;
            high = boxes.high[axis][i] > high ? boxes.high[axis][i] : high;
        }
        box.low[axis] = low, box.high[axis] = high;
    }
    return box;
}

template <bool k_from_children>
HWY_INLINE std::uint64_t refit_block(const MeshHierarchy& h, std::uint32_t block,
                                     const PaddedVertex* vertices, const WideBoxes* blocks,
                                     WideBoxes& out) {
    std::uint64_t read = 0;
    for (std::uint32_t lane = 0; lane < k_width; ++lane) {
        const std::uint32_t child = h.child[block * k_width + lane];
        if (child == MeshHierarchy::k_no_child) {
            store_lane(empty_box(), lane, out);
        } else if (MeshHierarchy::is_leaf_child(child)) {
            store_lane(triangle_box(vertices, h.triangles[MeshHierarchy::leaf_of(child)]), lane,
                       out);
            read += 3;
        } else if (k_from_children) {
            out.set_lane(lane, block_box(blocks[child]));
        } else {
            store_lane(node_box(h, h.block_node[child], vertices, read), lane, out);
        }
    }
    return read;
}

std::uint64_t from_vertices_kernel(const MeshHierarchy& h, std::uint32_t block,
                                   const PaddedVertex* vertices, WideBoxes& out) {
    return refit_block<false>(h, block, vertices, nullptr, out);
}

std::uint64_t from_children_kernel(const MeshHierarchy& h, std::uint32_t block,
                                   const PaddedVertex* vertices, const WideBoxes* blocks,
                                   WideBoxes& out) {
    return refit_block<true>(h, block, vertices, blocks, out);
}

std::uint64_t sweep_kernel(const MeshHierarchy& h, const PaddedVertex* vertices,
                           WideBoxes* blocks) {
    std::uint64_t read = 0;
    for (std::uint32_t block = std::uint32_t(h.block_count()); block-- > 0;)
        read += refit_block<true>(h, block, vertices, blocks, blocks[block]);
    return read;
}

/// Smallest and largest x, y and z of a flat array of vertices, and a sum that is zero exactly if
/// all are finite: a number times zero is zero unless it is infinite or not a number. Vectors come
/// in threes, so that each lane holds the same coordinate in every round.
bool bounds_kernel(const float* from, std::size_t count, Aabb& box) {
    const hn::ScalableTag<float> d;
    const std::size_t lanes = hn::Lanes(d), total = 3 * count, round = 3 * lanes;
    const auto zero = hn::Zero(d);
    auto low0 = hn::Set(d, Aabb::k_infinity), low1 = low0, low2 = low0;
    auto high0 = hn::Set(d, -Aabb::k_infinity), high1 = high0, high2 = high0;
    auto zeros = zero;
    std::size_t i = 0;
    for (; i + round <= total; i += round) {
        const auto u = hn::LoadU(d, from + i), v = hn::LoadU(d, from + i + lanes),
                   w = hn::LoadU(d, from + i + 2 * lanes);
        low0 = hn::Min(low0, u), high0 = hn::Max(high0, u);
        low1 = hn::Min(low1, v), high1 = hn::Max(high1, v);
        low2 = hn::Min(low2, w), high2 = hn::Max(high2, w);
        zeros =
            hn::Add(zeros, hn::Add(hn::Mul(u, zero), hn::Add(hn::Mul(v, zero), hn::Mul(w, zero))));
    }
    HWY_ALIGN float lows[3 * HWY_MAX_BYTES / 4], highs[3 * HWY_MAX_BYTES / 4];
    hn::Store(low0, d, lows), hn::Store(low1, d, lows + lanes),
        hn::Store(low2, d, lows + 2 * lanes);
    hn::Store(high0, d, highs), hn::Store(high1, d, highs + lanes);
    hn::Store(high2, d, highs + 2 * lanes);
    HWY_ALIGN float sums[HWY_MAX_BYTES / 4];
    hn::Store(zeros, d, sums);
    bool finite = true;
    for (std::size_t k = 0; k < lanes; ++k) finite = finite && sums[k] == 0;
    for (std::size_t k = 0; k < round; ++k) {
        const int axis = int(k % 3);
        if (lows[k] < box.low[axis]) box.low[axis] = lows[k];
        if (highs[k] > box.high[axis]) box.high[axis] = highs[k];
    }
    for (; i < total; ++i) {
        const int axis = int(i % 3);
        finite = finite && from[i] * 0 == 0;
        if (from[i] < box.low[axis]) box.low[axis] = from[i];
        if (from[i] > box.high[axis]) box.high[axis] = from[i];
    }
    return finite;
}

void copy_kernel(const float* from, const std::uint32_t* order, std::size_t count,
                 PaddedVertex* to) {
    // Adding 0 turns -0 into +0, between which min and max do not choose.
    const V4 zero = set4(0);
    const auto copy_apart = [&](std::size_t i, const float* source) HWY_ATTR {
        HWY_ALIGN const float padded[4] = {source[0], source[1], source[2], 0};
        store4(add4(load4(padded), zero), &to[i].x);
    };
    if (order == nullptr) {
        // A load of four floats reads one past the vertex: the last one is copied apart.
        for (std::size_t i = 0; i + 1 < count; ++i)
            store4(add4(load4(from + 3 * i), zero), &to[i].x);
        if (count > 0) copy_apart(count - 1, from + 3 * (count - 1));
    } else {
        for (std::size_t i = 0; i < count; ++i) copy_apart(i, from + 3 * std::size_t(order[i]));
    }
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(from_vertices_kernel);
HWY_EXPORT(from_children_kernel);
HWY_EXPORT(sweep_kernel);
HWY_EXPORT(bounds_kernel);
HWY_EXPORT(copy_kernel);

WideBoxes WideBoxes::empty() {
    WideBoxes boxes;
    for (std::uint32_t i = 0; i < MeshHierarchy::k_block_width; ++i) boxes.set_lane(i, Aabb());
    return boxes;
}

std::optional<Aabb> finite_bounds(std::span<const Vec3> vertices) {
    Aabb box;
    if (!HWY_DYNAMIC_DISPATCH(bounds_kernel)(reinterpret_cast<const float*>(vertices.data()),
                                             vertices.size(), box))
        return std::nullopt;
    const Vec3 zero; // -0 becomes +0, as in the copied vertices
    return Aabb{box.low + zero, box.high + zero};
}

void copy_vertices(std::span<const Vec3> from, std::span<const std::uint32_t> order,
                   std::vector<PaddedVertex>& to) {
    HWY_DYNAMIC_DISPATCH(copy_kernel)
    (reinterpret_cast<const float*>(from.data()), order.empty() ? nullptr : order.data(), to.size(),
     to.data());
}

std::uint64_t boxes_from_vertices(const MeshHierarchy& hierarchy, std::uint32_t block,
                                  const PaddedVertex* vertices, WideBoxes& out) {
    return HWY_DYNAMIC_DISPATCH(from_vertices_kernel)(hierarchy, block, vertices, out);
}

std::uint64_t boxes_from_children(const MeshHierarchy& hierarchy, std::uint32_t block,
                                  const PaddedVertex* vertices, std::span<const WideBoxes> blocks,
                                  WideBoxes& out) {
    return HWY_DYNAMIC_DISPATCH(from_children_kernel)(hierarchy, block, vertices, blocks.data(),
                                                      out);
}

std::uint64_t sweep_bottom_up(const MeshHierarchy& hierarchy, const PaddedVertex* vertices,
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
