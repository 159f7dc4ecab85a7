// Walks down a QueryTree, a node's eight boxes at a time. No operation crosses lanes, so every
// instruction set computes the same numbers.
#include <bit>

#include "fovea/collide/query_tree.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/collide/query_tree_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::uint32_t k_width = QueryTree::k_width;

/// Where registers are narrower than a node, several of them in turn.
using D = hn::CappedTag<float, k_width>;
using V = hn::Vec<D>;

/// Sets the bits of the lanes in `mask`, which starts at `lane`.
template <class Mask>
HWY_INLINE std::uint32_t bits_of(const Mask& mask, std::size_t lane) {
    std::uint8_t bytes[8] = {}; // the least that Highway may write
    hn::StoreMaskBits(D(), mask, bytes);
    return std::uint32_t(bytes[0]) << lane;
}

/// When the swept box meets each of the node's boxes. Returns the bits of those that it meets
/// before `limit`.
struct AlongTest {
    const SweptBox& box;

    HWY_INLINE std::uint32_t operator()(const QueryTree::Node& node, float limit,
                                        float* keys) const {
        const D d;
        std::uint32_t met = 0;
        for (std::size_t lane = 0; lane < k_width; lane += hn::Lanes(d)) {
            V enter = hn::Zero(d), leave = hn::Set(d, limit);
            for (int axis = 0; axis < 3; ++axis) {
                const V half = hn::Set(d, box.half[axis]), origin = hn::Set(d, box.origin[axis]);
                const V inverse = hn::Set(d, box.inverse[axis]);
                const V low = hn::LoadU(d, node.low[axis] + lane);
                const V high = hn::LoadU(d, node.high[axis] + lane);
                const V a = hn::Mul(hn::Sub(hn::Sub(low, half), origin), inverse);
                const V b = hn::Mul(hn::Sub(hn::Add(high, half), origin), inverse);
                enter = hn::Max(enter, hn::Min(a, b));
                leave = hn::Min(leave, hn::Max(a, b));
            }
            const auto meets = hn::Le(enter, hn::Mul(leave, hn::Set(d, SweptBox::k_slack)));
            hn::StoreU(enter, d, keys + lane);
            met |= bits_of(meets, lane);
        }
        return met;
    }
    static HWY_INLINE bool still(float key, float limit) {
        return key <= limit * SweptBox::k_slack;
    }
};

/// Squared distance of each of the node's boxes. Returns the bits of those not above `limit`.
struct NearTest {
    const Aabb& box;

    static HWY_INLINE float squared(float limit) { return limit * limit * 1.00001f; }

    HWY_INLINE std::uint32_t operator()(const QueryTree::Node& node, float limit,
                                        float* keys) const {
        const D d;
        std::uint32_t met = 0;
        for (std::size_t lane = 0; lane < k_width; lane += hn::Lanes(d)) {
            V sum = hn::Zero(d);
            for (int axis = 0; axis < 3; ++axis) {
                const V low = hn::LoadU(d, node.low[axis] + lane);
                const V high = hn::LoadU(d, node.high[axis] + lane);
                const V before = hn::Sub(low, hn::Set(d, box.high[axis]));
                const V after = hn::Sub(hn::Set(d, box.low[axis]), high);
                const V gap = hn::Max(hn::Max(before, after), hn::Zero(d));
                sum = hn::Add(sum, hn::Mul(gap, gap));
            }
            const auto meets = hn::Le(sum, hn::Set(d, squared(limit)));
            hn::StoreU(sum, d, keys + lane);
            met |= bits_of(meets, lane);
        }
        return met;
    }
    static HWY_INLINE bool still(float key, float limit) { return key <= squared(limit); }
};

struct Waiting {
    std::uint32_t child;
    float key;
};

/// Puts those that are met on the stack, the nearest on top.
HWY_INLINE std::uint32_t push_met(const QueryTree::Node& node, std::uint32_t met, const float* keys,
                                  Waiting* stack, std::uint32_t height) {
    const std::uint32_t bottom = height;
    for (; met != 0; met &= met - 1) {
        const int lane = std::countr_zero(met);
        std::uint32_t at = height++;
        for (; at > bottom && stack[at - 1].key < keys[lane]; --at) stack[at] = stack[at - 1];
        stack[at] = {node.child[lane], keys[lane]};
    }
    return height;
}

template <class Test>
HWY_INLINE void walk(const QueryTree::Node* nodes, const Test& test, float limit,
                     const QueryTree::Visitor& visitor) {
    Waiting stack[QueryTree::k_stack];
    HWY_ALIGN float keys[k_width];
    stack[0] = {0, 0};
    for (std::uint32_t height = 1; height > 0;) {
        const Waiting next = stack[--height];
        if (!Test::still(next.key, limit)) continue;
        if (next.child & QueryTree::k_item) {
            limit = visitor.call(visitor.context, next.child & ~QueryTree::k_item, limit);
            if (limit < 0) return;
        } else {
            const QueryTree::Node& node = nodes[next.child];
            height = push_met(node, test(node, limit, keys), keys, stack, height);
        }
    }
}

void along_kernel(const QueryTree::Node* nodes, const SweptBox& box, float limit,
                  const QueryTree::Visitor& visitor) {
    walk(nodes, AlongTest{box}, limit, visitor);
}

void near_kernel(const QueryTree::Node* nodes, const Aabb& box, float limit,
                 const QueryTree::Visitor& visitor) {
    walk(nodes, NearTest{box}, limit, visitor);
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(along_kernel);
HWY_EXPORT(near_kernel);

void QueryTree::walk_along(const SweptBox& box, float limit, const Visitor& visitor) const {
    if (!nodes_.empty()) HWY_DYNAMIC_DISPATCH(along_kernel)(nodes_.data(), box, limit, visitor);
}

void QueryTree::walk_near(const Aabb& box, float limit, const Visitor& visitor) const {
    if (!nodes_.empty()) HWY_DYNAMIC_DISPATCH(near_kernel)(nodes_.data(), box, limit, visitor);
}

} // namespace fovea
#endif
