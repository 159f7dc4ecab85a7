// The distance query: pairs of nodes in the order of the least distance their boxes allow.
#include <algorithm>
#include <cmath>

#include "fovea/collide/mesh_descent.h"
#include "fovea/geometry/triangle_distance.h"

namespace fovea {

namespace {

/// Distance between two boxes of one frame, rounded down: the last factor exceeds the roundings.
double box_gap(const Aabb& a, const Aabb& b) {
    double squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double gap =
            std::max(double(a.low[axis]) - b.high[axis], double(b.low[axis]) - a.high[axis]);
        if (gap > 0) squared += gap * gap;
    }
    return std::sqrt(squared) * (1 - 1e-12);
}

} // namespace

DistanceAnswer MeshQuery::distance(const PlacedMesh& a, const PlacedMesh& b, double bound,
                                   const MeshQuerySettings& settings) {
    constexpr std::uint32_t width = MeshHierarchy::k_block_width;
    MeshDescent descent(a, b, settings.box_test, false);
    descent.start(main_);
    WorkMeter work(settings.budget);
    DistanceAnswer answer;
    double best = bound;
    MeshQueryCounters& counters = main_.counters;

    // The standard heaps keep the largest on top.
    const auto farther = [](const Candidate& p, const Candidate& q) {
        return p.at_least > q.at_least;
    };
    const auto push = [&](double at_least, SlotPair slots) {
        if (at_least > best) return;
        heap_.push_back({at_least, slots});
        std::push_heap(heap_.begin(), heap_.end(), farther);
    };
    const auto lane = [](MeshTree& tree, std::uint32_t slot) {
        return tree.boxes_as_they_are(slot / width).lane(slot % width);
    };

    heap_.clear();
    push(box_gap(lane(a.tree, 0), turned(descent.b_from_a, lane(b.tree, 0)).around), {0, 0});
    while (!heap_.empty() && heap_.front().at_least <= best && !work.exhausted()) {
        const SlotPair slots = heap_.front().slots;
        std::pop_heap(heap_.begin(), heap_.end(), farther);
        heap_.pop_back();
        const ChildPair child(descent.hierarchy_a, descent.hierarchy_b, slots);
        if (child.both_leaves()) {
            const std::uint32_t i = MeshHierarchy::leaf_of(child.a);
            const std::uint32_t j = MeshHierarchy::leaf_of(child.b);
            ++counters.triangle_tests;
            work.charge(16);
            const TriangleGap gap = triangle_gap(descent.corners_a(i, counters.refits),
                                                 descent.corners_b(j, counters.refits));
            if (gap.distance > best || (answer.distance && gap.distance == best)) continue;
            best = gap.distance;
            answer.distance = best;
            answer.pair = {descent.hierarchy_a.triangle_order[i],
                           descent.hierarchy_b.triangle_order[j]};
            answer.on_a = gap.on_a, answer.on_b = gap.on_b;
            if (best == 0) break;
            continue;
        }
        const Aabb box_a = lane(a.tree, slots.a), box_b = lane(b.tree, slots.b);
        const bool open_a = child.opens_a(box_a, box_b);
        const std::uint32_t block = open_a ? child.a : child.b;
        const std::uint64_t updated = counters.refits.nodes_updated;
        const WideBoxes& boxes = (open_a ? a : b).tree.open(block, counters.refits);
        const FramePair& frames = open_a ? descent.b_from_a : descent.a_from_b;
        const Aabb other = turned(frames, open_a ? box_b : box_a).around;
        const std::uint32_t count =
            (open_a ? descent.hierarchy_a : descent.hierarchy_b).child_count[block];
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t slot = block * width + i;
            push(box_gap(boxes.lane(i), other),
                 open_a ? SlotPair{slot, slots.b} : SlotPair{slots.a, slot});
        }
        counters.box_tests += count;
        work.charge(count + 2 * (counters.refits.nodes_updated - updated));
    }
    const bool open_ended = !heap_.empty() && heap_.front().at_least <= best && best > 0;
    answer.complete = !(open_ended && work.exhausted());
    answer.at_least = answer.complete ? best : std::min(best, heap_.front().at_least);
    answer.counters = counters;
    answer.work = work.spent();
    return answer;
}

} // namespace fovea
