#include "fovea/collide/mesh_descent.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/collide/mesh_descent.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::uint32_t k_width = MeshHierarchy::k_block_width;
// Four abreast, as in all kernels of these trees. Queries are bursts of some microseconds among
// other work, and processors run wider vectors at a fraction of their speed until they have been
// in use for longer than that.
using D4 = hn::CappedTag<float, 4>;
using V4 = hn::Vec<D4>;
using M4 = hn::Mask<D4>;

struct Centres {
    V4 t[3];    ///< from the boxes' centres to the turned box's
    V4 half[3]; ///< of the boxes
};

/// |axis . t| <= reach of both boxes along the axis, given by its components in the boxes' frame
/// and the turned box's reach along it.
HWY_INLINE M4 axis_overlaps(const Centres& c, const float (&axis)[3], float reach) {
    const D4 d;
    V4 distance = hn::Zero(d), sum = hn::Set(d, reach);
    for (int i = 0; i < 3; ++i) {
        distance = hn::Add(distance, hn::Mul(c.t[i], hn::Set(d, axis[i])));
        const float size = axis[i] < 0 ? -axis[i] : axis[i];
        sum = hn::Add(sum, hn::Mul(c.half[i], hn::Set(d, size)));
    }
    return hn::Le(hn::Abs(distance), sum);
}

/// The axes of the turned box, and with sat_full the nine products of axes (Gottschalk, Lin,
/// Manocha, "OBBTree", 1996).
HWY_INLINE M4 turned_axes_overlap(const WideBoxes& boxes, std::size_t lane, const TurnedBox& box,
                                  const FramePair& frames, BoxTest test, M4 mask) {
    const D4 d;
    const V4 half = hn::Set(d, 0.5f);
    Centres c;
    for (int i = 0; i < 3; ++i) {
        const V4 low = hn::Load(d, boxes.low[i] + lane), high = hn::Load(d, boxes.high[i] + lane);
        c.t[i] = hn::Sub(hn::Set(d, box.centre[i]), hn::Mul(hn::Add(low, high), half));
        c.half[i] = hn::Mul(hn::Sub(high, low), half);
    }
    const Vec3 columns[3] = {frames.rotation.x, frames.rotation.y, frames.rotation.z};
    for (int j = 0; j < 3; ++j) {
        const float axis[3] = {columns[j].x, columns[j].y, columns[j].z};
        mask = hn::And(mask, axis_overlaps(c, axis, box.half[j] + 2 * frames.margin));
    }
    if (test == BoxTest::sat_lite) return mask;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            // Unit axis i of the boxes times axis j of the turned box.
            float axis[3] = {};
            axis[(i + 1) % 3] = -columns[j][(i + 2) % 3];
            axis[(i + 2) % 3] = columns[j][(i + 1) % 3];
            const Vec3 product(axis[0], axis[1], axis[2]);
            float reach = 2 * frames.margin;
            for (int k = 0; k < 3; ++k) {
                const float along = dot(product, columns[k]);
                reach += box.half[k] * (along < 0 ? -along : along);
            }
            mask = hn::And(mask, axis_overlaps(c, axis, reach));
        }
    }
    return mask;
}

HWY_INLINE M4 boxes_meet(const WideBoxes& boxes, std::size_t lane, const Aabb& box) {
    const D4 d;
    M4 mask = hn::Le(hn::Load(d, boxes.low[0] + lane), hn::Set(d, box.high.x));
    mask = hn::And(mask, hn::Le(hn::Load(d, boxes.low[1] + lane), hn::Set(d, box.high.y)));
    mask = hn::And(mask, hn::Le(hn::Load(d, boxes.low[2] + lane), hn::Set(d, box.high.z)));
    mask = hn::And(mask, hn::Ge(hn::Load(d, boxes.high[0] + lane), hn::Set(d, box.low.x)));
    mask = hn::And(mask, hn::Ge(hn::Load(d, boxes.high[1] + lane), hn::Set(d, box.low.y)));
    return hn::And(mask, hn::Ge(hn::Load(d, boxes.high[2] + lane), hn::Set(d, box.low.z)));
}

HWY_INLINE std::uint32_t bits_of(M4 mask, std::size_t lane) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(D4(), mask, bits);
    return std::uint32_t(bits[0]) << lane;
}

/// Of boxes in one frame.
HWY_INLINE std::uint32_t lanes_meeting(const WideBoxes& boxes, const Aabb& box) {
    std::uint32_t result = 0;
    for (std::size_t lane = 0; lane < k_width; lane += hn::Lanes(D4()))
        result |= bits_of(boxes_meet(boxes, lane, box), lane);
    return result;
}

HWY_INLINE std::uint32_t lanes_overlapping(const WideBoxes& boxes, const TurnedBox& box,
                                           const FramePair& frames, BoxTest test) {
    if (frames.aligned) return lanes_meeting(boxes, box.around);
    const D4 d;
    std::uint32_t result = 0;
    for (std::size_t lane = 0; lane < k_width; lane += hn::Lanes(d)) {
        M4 mask = boxes_meet(boxes, lane, box.around);
        if (!hn::AllFalse(d, mask))
            mask = turned_axes_overlap(boxes, lane, box, frames, test, mask);
        result |= bits_of(mask, lane);
    }
    return result;
}

std::uint32_t lanes_kernel(const WideBoxes& boxes, const TurnedBox& box, const FramePair& frames,
                           BoxTest test) {
    return lanes_overlapping(boxes, box, frames, test);
}

/// A pair of leaves waits to be tested, any other to be opened.
HWY_INLINE void emit(const MeshDescent& walk, SlotPair pair, MeshQuery::Task& task) {
    const bool leaves = MeshHierarchy::is_leaf_child(walk.hierarchy_a.child[pair.a]) &&
                        MeshHierarchy::is_leaf_child(walk.hierarchy_b.child[pair.b]);
    (leaves ? task.leaf_pairs : task.stack).push_back(pair);
}

/// Pairs of children of one node with each other and with themselves.
HWY_INLINE void open_self(const MeshDescent& walk, std::uint32_t slot, MeshQuery::Task& task) {
    const std::uint32_t block = walk.hierarchy_a.child[slot];
    const WideBoxes& boxes = walk.tree_a.open(block, task.counters.refits);
    const std::uint32_t count = walk.hierarchy_a.child_count[block];
    task.counters.box_tests += count * (count - 1) / 2;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t slot_i = block * k_width + i;
        const std::uint32_t later = ~((2u << i) - 1);
        std::uint32_t lanes = lanes_meeting(boxes, boxes.lane(i)) & later;
        for (; lanes != 0; lanes &= lanes - 1)
            emit(walk, {slot_i, block * k_width + std::uint32_t(std::countr_zero(lanes))}, task);
        if (!MeshHierarchy::is_leaf_child(walk.hierarchy_a.child[slot_i]))
            task.stack.push_back({slot_i, slot_i});
    }
}

/// Opens `child`, a block of `tree`, and finds its nodes that overlap `box`, seen through `frames`.
HWY_INLINE std::uint32_t open_against(const MeshDescent& walk, MeshTree& tree,
                                      const MeshHierarchy& hierarchy, std::uint32_t child,
                                      const Aabb& box, const FramePair& frames,
                                      MeshQueryCounters& counters) {
    const WideBoxes& boxes = tree.open(child, counters.refits);
    counters.box_tests += hierarchy.child_count[child];
    return frames.aligned ? lanes_meeting(boxes, box)
                          : lanes_overlapping(boxes, turned(frames, box), frames, walk.box_test);
}

HWY_INLINE void open_one(const MeshDescent& walk, SlotPair pair, MeshQuery::Task& task) {
    if (walk.self && pair.a == pair.b) return open_self(walk, pair.a, task);
    const ChildPair child(walk.hierarchy_a, walk.hierarchy_b, pair);
    const Aabb box_a = walk.tree_a.boxes_as_they_are(pair.a / k_width).lane(pair.a % k_width);
    const Aabb box_b = walk.tree_b.boxes_as_they_are(pair.b / k_width).lane(pair.b % k_width);
    if (child.opens_a(box_a, box_b)) {
        std::uint32_t lanes = open_against(walk, walk.tree_a, walk.hierarchy_a, child.a, box_b,
                                           walk.b_from_a, task.counters);
        for (; lanes != 0; lanes &= lanes - 1) {
            const std::uint32_t slot = child.a * k_width + std::uint32_t(std::countr_zero(lanes));
            if (child.leaf_b)
                emit(walk, {slot, pair.b}, task);
            else
                task.stack.push_back({slot, pair.b});
        }
    } else {
        std::uint32_t lanes = open_against(walk, walk.tree_b, walk.hierarchy_b, child.b, box_a,
                                           walk.a_from_b, task.counters);
        for (; lanes != 0; lanes &= lanes - 1) {
            const std::uint32_t slot = child.b * k_width + std::uint32_t(std::countr_zero(lanes));
            if (child.leaf_a)
                emit(walk, {pair.a, slot}, task);
            else
                task.stack.push_back({pair.a, slot});
        }
    }
}

void open_pair_kernel(const MeshDescent& walk, SlotPair pair, MeshQuery::Task& task) {
    open_one(walk, pair, task);
}

bool walk_kernel(const MeshDescent& walk, MeshQuery::Task& task, WorkMeter& work, bool first_only) {
    const std::size_t enough = first_only ? 4 : TriangleBatch::k_capacity;
    while (!task.stack.empty()) {
        if (work.exhausted()) return false;
        const SlotPair pair = task.stack.back();
        task.stack.pop_back();
        const RefitCounters before = task.counters.refits;
        open_one(walk, pair, task);
        work.charge(1 + 2 * (task.counters.refits.nodes_updated - before.nodes_updated) +
                    (task.counters.refits.vertices_read - before.vertices_read) / 8);
        if (task.leaf_pairs.size() >= enough) {
            walk.test_leaves(task, work, first_only, first_only);
            if (first_only && !task.pairs.empty()) return true;
        }
    }
    walk.test_leaves(task, work, first_only, true);
    return true;
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(lanes_kernel);
HWY_EXPORT(open_pair_kernel);
HWY_EXPORT(walk_kernel);

namespace {

float largest_coordinate(const Aabb& box) {
    const Vec3 e = max(abs(box.low), abs(box.high));
    return std::max(e.x, std::max(e.y, e.z));
}

} // namespace

MeshDescent::MeshDescent(const PlacedMesh& a, const PlacedMesh& b, BoxTest test, bool with_itself)
    : tree_a(a.tree)
    , tree_b(b.tree)
    , hierarchy_a(a.tree.hierarchy())
    , hierarchy_b(b.tree.hierarchy())
    , placement_a(a.placement)
    , placement_b(b.placement)
    , moved_a(!is_identity(a.placement))
    , moved_b(!is_identity(b.placement))
    , box_test(test)
    , self(with_itself) {}

void MeshDescent::start(MeshQuery::Task& task) {
    task.stack.clear(), task.leaf_pairs.clear(), task.pairs.clear(), task.batch.clear();
    task.counters = {};
    if (self) {
        tree_a.open(0, task.counters.refits);
        return emit_root(task);
    }
    const Aabb root_a = tree_a.root_box(task.counters.refits);
    const Aabb root_b = tree_b.root_box(task.counters.refits);
    b_from_a = frame_pair(placement_a, placement_b,
                          largest_coordinate(root_a) + largest_coordinate(root_b));
    a_from_b = b_from_a.reversed();
    ++task.counters.box_tests;
    const WideBoxes& roots = tree_a.boxes_as_they_are(0);
    if (overlapping_lanes(roots, turned(b_from_a, root_b), b_from_a, box_test) & 1) emit_root(task);
}

void MeshDescent::emit_root(MeshQuery::Task& task) const {
    const bool leaves = MeshHierarchy::is_leaf_child(hierarchy_a.child[0]) &&
                        MeshHierarchy::is_leaf_child(hierarchy_b.child[0]);
    if (self && leaves) return;
    (leaves ? task.leaf_pairs : task.stack).push_back({0, 0});
}

bool MeshDescent::walk(MeshQuery::Task& task, WorkMeter& work, bool first_only) const {
    return HWY_DYNAMIC_DISPATCH(walk_kernel)(*this, task, work, first_only);
}

void MeshDescent::open_pair(SlotPair pair, MeshQuery::Task& task) const {
    HWY_DYNAMIC_DISPATCH(open_pair_kernel)(*this, pair, task);
}

std::uint32_t overlapping_lanes(const WideBoxes& boxes, const TurnedBox& box,
                                const FramePair& frames, BoxTest test) {
    return HWY_DYNAMIC_DISPATCH(lanes_kernel)(boxes, box, frames, test);
}

bool MeshDescent::share_vertex(std::uint32_t leaf_a, std::uint32_t leaf_b) const {
    for (const std::uint32_t u : hierarchy_a.triangles[leaf_a]) {
        for (const std::uint32_t v : hierarchy_a.triangles[leaf_b]) {
            if (u == v) return true;
        }
    }
    return false;
}

/// Tests the leaf pairs in full batches; `flush` also tests the rest.
void MeshDescent::test_leaves(MeshQuery::Task& task, WorkMeter& work, bool first_only,
                              bool flush) const {
    const auto run_batch = [&] {
        task.counters.triangle_tests += task.batch.size();
        work.charge(4 * task.batch.size());
        task.counters.exact_tests +=
            task.batch.for_overlapping([&](std::uint32_t leaf_a, std::uint32_t leaf_b) {
                TrianglePair pair = {hierarchy_a.triangle_order[leaf_a],
                                     hierarchy_b.triangle_order[leaf_b]};
                if (self && pair.a > pair.b) std::swap(pair.a, pair.b);
                task.pairs.push_back(pair);
                if (first_only) task.first_leaves = {leaf_a, leaf_b};
                return !first_only;
            });
        task.batch.clear();
    };
    // Pairs from one opening share a triangle: its corners are placed, or blended, once.
    constexpr std::uint32_t k_none = 0xffffffffu;
    std::uint32_t last_a = k_none, last_b = k_none;
    TriangleCorners triangle_a, triangle_b;
    std::size_t next = 0;
    const std::size_t capacity = TriangleBatch::k_capacity;
    while (next < task.leaf_pairs.size() && (flush || task.leaf_pairs.size() - next >= capacity)) {
        while (next < task.leaf_pairs.size() && !task.batch.full()) {
            const SlotPair slots = task.leaf_pairs[next++];
            const std::uint32_t leaf_a = MeshHierarchy::leaf_of(hierarchy_a.child[slots.a]);
            const std::uint32_t leaf_b = MeshHierarchy::leaf_of(hierarchy_b.child[slots.b]);
            if (self && share_vertex(leaf_a, leaf_b)) continue;
            if (leaf_a != last_a) triangle_a = corners_a(leaf_a, task.counters.refits);
            if (leaf_b != last_b) triangle_b = corners_b(leaf_b, task.counters.refits);
            last_a = leaf_a, last_b = leaf_b;
            task.batch.add(triangle_a, triangle_b, leaf_a, leaf_b);
        }
        run_batch();
        if (first_only && !task.pairs.empty()) break;
        if (work.exhausted()) break;
    }
    task.leaf_pairs.erase(task.leaf_pairs.begin(), task.leaf_pairs.begin() + std::ptrdiff_t(next));
}

} // namespace fovea
#endif
