#include "fovea/collide/ladder_kernels.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/collide/ladder_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::uint32_t k_width = LadderBlock::k_width;

/// Where registers are narrower than a block, several of them in turn.
using D = hn::CappedTag<float, k_width>;
using DU = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;

/// Spheres of up to eight other nodes where those of the opened ladder are, slack added.
struct Carried {
    HWY_ALIGN float x[k_width], y[k_width], z[k_width], radius[k_width];
};

/// Returns how many nodes there are.
HWY_INLINE std::size_t turn_block(const LadderBlock& from, const Mat3& m, TurnedBlock& to) {
    const D d;
    std::size_t nodes = 0;
    for (std::size_t lane = 0; lane < k_width; lane += hn::Lanes(d)) {
        const V x = hn::Load(d, from.x + lane), y = hn::Load(d, from.y + lane),
                z = hn::Load(d, from.z + lane);
        const auto row = [&](float mx, float my, float mz) HWY_ATTR {
            const V xy = hn::Add(hn::Mul(x, hn::Set(d, mx)), hn::Mul(y, hn::Set(d, my)));
            return hn::Add(xy, hn::Mul(z, hn::Set(d, mz)));
        };
        hn::Store(row(m.x.x, m.y.x, m.z.x), d, to.x + lane);
        hn::Store(row(m.x.y, m.y.y, m.z.y), d, to.y + lane);
        hn::Store(row(m.x.z, m.y.z, m.z.z), d, to.z + lane);
        nodes += hn::CountTrue(d, hn::Ne(x, hn::Set(d, LadderBlock::k_nowhere)));
    }
    return nodes;
}

/// Nodes of one body, turned as they are asked for.
struct Turning {
    TurnedNodes& nodes;
    std::uint64_t turned = 0; ///< nodes, by this thread for all
    TurnedBlock own{};        ///< of a block that another thread is at

    /// Valid until the next call.
    HWY_INLINE const TurnedBlock& centres(std::uint32_t block) {
        return HWY_LIKELY(nodes.is_turned(block)) ? nodes.centres(block) : turn(block);
    }
    HWY_NOINLINE const TurnedBlock& turn(std::uint32_t block) {
        const LadderBlock& stored = nodes.ladder().blocks[block];
        const bool mine = nodes.claim(block);
        TurnedBlock& to = mine ? nodes.centres(block) : own;
        const std::size_t count = turn_block(stored, nodes.rotation(), to);
        if (mine) {
            nodes.mark_turned(block);
            turned += count;
        }
        return to;
    }
};

HWY_INLINE void carry(const Ladder& other, const NodeFrame& frame, const std::uint32_t* slots,
                      std::uint32_t count, Carried& to) {
    const LadderBlock* blocks = other.blocks.data();
    for (std::uint32_t i = 0; i < count; ++i) {
        const LadderBlock& block = blocks[slots[i] / k_width];
        const std::uint32_t lane = slots[i] % k_width;
        to.x[i] = block.x[lane];
        to.y[i] = block.y[lane];
        to.z[i] = block.z[lane];
        to.radius[i] = block.radius[lane];
    }
    const D d;
    const Mat3& m = frame.rotation;
    for (std::size_t lane = 0; lane < k_width; lane += hn::Lanes(d)) {
        const V x = hn::Load(d, to.x + lane), y = hn::Load(d, to.y + lane),
                z = hn::Load(d, to.z + lane);
        const auto row = [&](float mx, float my, float mz, float offset) HWY_ATTR {
            const V xy = hn::Add(hn::Mul(x, hn::Set(d, mx)), hn::Mul(y, hn::Set(d, my)));
            return hn::Add(hn::Add(xy, hn::Mul(z, hn::Set(d, mz))), hn::Set(d, offset));
        };
        const V radius = hn::Add(hn::Load(d, to.radius + lane), hn::Set(d, frame.slack));
        hn::Store(row(m.x.x, m.y.x, m.z.x, frame.offset.x), d, to.x + lane);
        hn::Store(row(m.x.y, m.y.y, m.z.y, frame.offset.y), d, to.y + lane);
        hn::Store(row(m.x.z, m.y.z, m.z.z, frame.offset.z), d, to.z + lane);
        hn::Store(radius, d, to.radius + lane);
    }
}

/// A sphere, in every lane.
struct WideSphere {
    V x, y, z, radius;
};

/// Of the eight spheres with these centres and radii, from `lane` on: which touch it.
template <class Centres>
HWY_INLINE hn::Mask<D> touch(const Centres& centres, const float* radius, std::uint32_t lane,
                             const WideSphere& s) {
    const D d;
    const V dx = hn::Sub(hn::Load(d, centres.x + lane), s.x);
    const V dy = hn::Sub(hn::Load(d, centres.y + lane), s.y);
    const V dz = hn::Sub(hn::Load(d, centres.z + lane), s.z);
    const V r = hn::Add(hn::Load(d, radius + lane), s.radius);
    const V squared = hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz));
    return hn::Le(squared, hn::Mul(r, r));
}

/// The loop over pairs. `prepare` is called for the next up to eight other nodes, then `other_of`
/// for each, by number and slot. `touches(block, lane, other)` is the mask of the lanes of a block
/// of children that touch the other.
template <class Prepare, class OtherOf, class Touches>
HWY_INLINE void open_pairs(const Ladder& opened, const SlotPairs& pairs, std::uint64_t limit,
                           const PassOutput& out, PassProgress& progress, const Prepare& prepare,
                           const OtherOf& other_of, const Touches& touches) {
    const D d;
    const DU du;
    const Ladder::Children* HWY_RESTRICT all_children = opened.children.data();
    const std::uint32_t* HWY_RESTRICT opened_slots = pairs.opened;
    const std::uint32_t* HWY_RESTRICT other_slots = pairs.other;
    std::uint32_t* HWY_RESTRICT out_opened = out.opened;
    std::uint32_t* HWY_RESTRICT out_other = out.other;
    const std::uint32_t count = pairs.count, capacity = out.capacity;
    // Made once: from memory, it would have to wait for its own stores in every turn.
    const auto lanes = hn::Iota(du, 0);
    std::uint32_t found = progress.found, next = progress.next;
    std::uint64_t tests = 0;
    bool stopped = false;
    while (next < count && !stopped) {
        const std::uint32_t batch = std::min(k_width, count - next);
        prepare(other_slots + next, batch);
        for (std::uint32_t i = 0; i < batch; ++i, ++next) {
            const Ladder::Children children = all_children[opened_slots[next]];
            if (tests >= limit || found + children.count + k_pass_room > capacity) {
                stopped = true;
                break;
            }
            tests += children.count;
            const auto other = other_of(i, other_slots[next]);
            const auto other_slot = hn::Set(du, other_slots[next]);
            std::uint32_t block = children.first_block, slot = block * k_width;
            const std::uint32_t end = slot + children.count;
            for (; slot < end; ++block, slot += k_width) {
                for (std::uint32_t lane = 0; lane < k_width; lane += std::uint32_t(hn::Lanes(d))) {
                    const auto mask = hn::RebindMask(du, touches(block, lane, other));
                    // Whole registers are written: what is too much is overwritten by the next.
                    const auto slots = hn::Add(lanes, hn::Set(du, slot + lane));
                    hn::StoreU(hn::Compress(slots, mask), du, out_opened + found);
                    hn::StoreU(other_slot, du, out_other + found);
                    found += std::uint32_t(hn::CountTrue(du, mask));
                }
            }
        }
    }
    progress.next = next, progress.found = found;
    progress.tests += tests;
}

void open_turned_kernel(TurnedNodes& opened, TurnedNodes& other, const Vec3& way, float slack,
                        const SlotPairs& pairs, std::uint64_t limit, const PassOutput& out,
                        PassProgress& progress) {
    const D d;
    Turning children{opened}, others{other};
    const LadderBlock* HWY_RESTRICT stored = opened.ladder().blocks.data();
    const LadderBlock* HWY_RESTRICT stored_others = other.ladder().blocks.data();
    open_pairs(
        opened.ladder(), pairs, limit, out, progress,
        [](const std::uint32_t*, std::uint32_t) HWY_ATTR {},
        [&](std::uint32_t, std::uint32_t slot) HWY_ATTR {
            const std::uint32_t block = slot / k_width, lane = slot % k_width;
            const TurnedBlock& centres = others.centres(block);
            return WideSphere{hn::Set(d, centres.x[lane] + way.x),
                              hn::Set(d, centres.y[lane] + way.y),
                              hn::Set(d, centres.z[lane] + way.z),
                              hn::Set(d, stored_others[block].radius[lane] + slack)};
        },
        [&](std::uint32_t block, std::uint32_t lane, const WideSphere& sphere) HWY_ATTR {
            return touch(children.centres(block), stored[block].radius, lane, sphere);
        });
    progress.moved += children.turned + others.turned;
}

void open_carried_kernel(const Ladder& opened, const Ladder& other, const NodeFrame& frame,
                         const SlotPairs& pairs, std::uint64_t limit, const PassOutput& out,
                         PassProgress& progress) {
    const D d;
    const std::uint32_t first = progress.next;
    const LadderBlock* HWY_RESTRICT blocks = opened.blocks.data();
    Carried carried = {};
    open_pairs(
        opened, pairs, limit, out, progress,
        [&](const std::uint32_t* slots, std::uint32_t count)
            HWY_ATTR { carry(other, frame, slots, count, carried); },
        [&](std::uint32_t i, std::uint32_t) HWY_ATTR {
            return WideSphere{hn::Set(d, carried.x[i]), hn::Set(d, carried.y[i]),
                              hn::Set(d, carried.z[i]), hn::Set(d, carried.radius[i])};
        },
        [&](std::uint32_t block, std::uint32_t lane, const WideSphere& sphere)
            HWY_ATTR { return touch(blocks[block], blocks[block].radius, lane, sphere); });
    progress.moved += progress.next - first;
}

void open_plane_kernel(const Ladder& opened, const NodePlane& plane, const SlotPairs& pairs,
                       std::uint64_t limit, const PassOutput& out, PassProgress& progress) {
    const D d;
    const V nx = hn::Set(d, plane.normal.x), ny = hn::Set(d, plane.normal.y),
            nz = hn::Set(d, plane.normal.z), offset = hn::Set(d, plane.offset);
    const V nowhere = hn::Set(d, LadderBlock::k_nowhere);
    const LadderBlock* HWY_RESTRICT blocks = opened.blocks.data();
    open_pairs(
        opened, pairs, limit, out, progress, [](const std::uint32_t*, std::uint32_t) HWY_ATTR {},
        [](std::uint32_t, std::uint32_t slot) HWY_ATTR { return slot; },
        [&](std::uint32_t number, std::uint32_t lane, std::uint32_t) HWY_ATTR {
            const LadderBlock& block = blocks[number];
            const V x = hn::Load(d, block.x + lane), y = hn::Load(d, block.y + lane),
                    z = hn::Load(d, block.z + lane);
            const V height = hn::Add(hn::Add(hn::Mul(x, nx), hn::Mul(y, ny)), hn::Mul(z, nz));
            const V reach = hn::Add(hn::Load(d, block.radius + lane), offset);
            // Nowhere is far away in every direction but below a plane.
            return hn::And(hn::Le(height, reach), hn::Lt(x, nowhere));
        });
}

Aabb box_of_nodes_kernel(const Ladder& ladder, std::uint32_t first, std::uint32_t end,
                         const Mat3& m) {
    const D d;
    const V nowhere = hn::Set(d, LadderBlock::k_nowhere);
    const V far = hn::Set(d, std::numeric_limits<float>::infinity()), near = hn::Neg(far);
    V low[3] = {far, far, far}, high[3] = {near, near, near};
    for (std::uint32_t b = first; b < end; ++b) {
        const LadderBlock& block = ladder.blocks[b];
        for (std::size_t lane = 0; lane < k_width; lane += hn::Lanes(d)) {
            const V x = hn::Load(d, block.x + lane), y = hn::Load(d, block.y + lane),
                    z = hn::Load(d, block.z + lane), radius = hn::Load(d, block.radius + lane);
            const auto is_node = hn::Ne(x, nowhere);
            const auto along = [&](int axis, float mx, float my, float mz) HWY_ATTR {
                const V xy = hn::Add(hn::Mul(hn::Set(d, mx), x), hn::Mul(hn::Set(d, my), y));
                const V centre = hn::Add(xy, hn::Mul(hn::Set(d, mz), z));
                low[axis] =
                    hn::Min(low[axis], hn::IfThenElse(is_node, hn::Sub(centre, radius), far));
                high[axis] =
                    hn::Max(high[axis], hn::IfThenElse(is_node, hn::Add(centre, radius), near));
            };
            along(0, m.x.x, m.y.x, m.z.x);
            along(1, m.x.y, m.y.y, m.z.y);
            along(2, m.x.z, m.y.z, m.z.z);
        }
    }
    const auto least = [&](V v) HWY_ATTR { return hn::GetLane(hn::MinOfLanes(d, v)); };
    const auto most = [&](V v) HWY_ATTR { return hn::GetLane(hn::MaxOfLanes(d, v)); };
    return {{least(low[0]), least(low[1]), least(low[2])},
            {most(high[0]), most(high[1]), most(high[2])}};
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(open_turned_kernel);
HWY_EXPORT(open_carried_kernel);
HWY_EXPORT(open_plane_kernel);
HWY_EXPORT(box_of_nodes_kernel);

Aabb box_of_nodes(const Ladder& ladder, std::uint32_t first, std::uint32_t end,
                  const Mat3& rotation) {
    return HWY_DYNAMIC_DISPATCH(box_of_nodes_kernel)(ladder, first, end, rotation);
}

void open_turned(TurnedNodes& opened, TurnedNodes& other, const Vec3& way, float slack,
                 const SlotPairs& pairs, std::uint64_t limit, const PassOutput& out,
                 PassProgress& progress) {
    HWY_DYNAMIC_DISPATCH(open_turned_kernel)
    (opened, other, way, slack, pairs, limit, out, progress);
}

void open_carried(const Ladder& opened, const Ladder& other, const NodeFrame& frame,
                  const SlotPairs& pairs, std::uint64_t limit, const PassOutput& out,
                  PassProgress& progress) {
    HWY_DYNAMIC_DISPATCH(open_carried_kernel)
    (opened, other, frame, pairs, limit, out, progress);
}

void open_against_plane(const Ladder& opened, const NodePlane& plane, const SlotPairs& pairs,
                        std::uint64_t limit, const PassOutput& out, PassProgress& progress) {
    HWY_DYNAMIC_DISPATCH(open_plane_kernel)(opened, plane, pairs, limit, out, progress);
}

} // namespace fovea
#endif
