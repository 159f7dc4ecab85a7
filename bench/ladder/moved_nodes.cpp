#include "bench/ladder/moved_nodes.h"

#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/ladder/moved_nodes.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::uint32_t k_width = LadderBlock::k_width;
using D = hn::CappedTag<float, k_width>;
using DU = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;

HWY_INLINE void move_block(const LadderBlock& from, const NodeFrame& frame, LadderBlock& to) {
    const D d;
    const Mat3& m = frame.rotation;
    for (std::size_t lane = 0; lane < k_width; lane += hn::Lanes(d)) {
        const V x = hn::Load(d, from.x + lane), y = hn::Load(d, from.y + lane),
                z = hn::Load(d, from.z + lane);
        const auto row = [&](float mx, float my, float mz, float offset) HWY_ATTR {
            const V xy = hn::Add(hn::Mul(x, hn::Set(d, mx)), hn::Mul(y, hn::Set(d, my)));
            return hn::Add(hn::Add(xy, hn::Mul(z, hn::Set(d, mz))), hn::Set(d, offset));
        };
        hn::Store(row(m.x.x, m.y.x, m.z.x, frame.offset.x), d, to.x + lane);
        hn::Store(row(m.x.y, m.y.y, m.z.y, frame.offset.y), d, to.y + lane);
        hn::Store(row(m.x.z, m.y.z, m.z.z, frame.offset.z), d, to.z + lane);
        hn::Store(hn::Load(d, from.radius + lane), d, to.radius + lane);
    }
}

void open_moved_kernel(MovedPass& pass) {
    const D d;
    const DU du;
    const auto lanes = hn::Iota(du, 0);
    const Ladder::Children* HWY_RESTRICT all_children = pass.opened.ladder.children.data();
    const LadderBlock* HWY_RESTRICT stored = pass.opened.ladder.blocks.data();
    LadderBlock* blocks = pass.opened.blocks.data();
    const LadderBlock* others = pass.other.blocks.data();
    std::uint32_t* HWY_RESTRICT moved_in = pass.opened.moved_in.data();
    std::uint32_t* HWY_RESTRICT to_opened = pass.to_opened;
    std::uint32_t* HWY_RESTRICT to_other = pass.to_other;
    const NodeFrame frame = pass.opened.frame;
    const std::uint32_t step = pass.opened.step;
    std::uint32_t found = 0;
    for (std::uint32_t next = 0; next < pass.count; ++next) {
        const Ladder::Children children = all_children[pass.from_opened[next]];
        const std::uint32_t other_slot = pass.from_other[next];
        const LadderBlock& other = others[other_slot / k_width];
        const std::uint32_t at = other_slot % k_width;
        const V ox = hn::Set(d, other.x[at]), oy = hn::Set(d, other.y[at]),
                oz = hn::Set(d, other.z[at]), reach = hn::Set(d, other.radius[at] + pass.slack);
        const auto other_slots = hn::Set(du, other_slot);
        std::uint32_t b = children.first_block;
        const std::uint32_t end = b * k_width + children.count;
        for (; b * k_width < end; ++b) {
            if (moved_in[b] != step) {
                moved_in[b] = step;
                move_block(stored[b], frame, blocks[b]);
            }
            const LadderBlock& block = blocks[b];
            for (std::uint32_t lane = 0; lane < k_width; lane += std::uint32_t(hn::Lanes(d))) {
                const V dx = hn::Sub(hn::Load(d, block.x + lane), ox);
                const V dy = hn::Sub(hn::Load(d, block.y + lane), oy);
                const V dz = hn::Sub(hn::Load(d, block.z + lane), oz);
                const V r = hn::Add(hn::Load(d, block.radius + lane), reach);
                const V squared =
                    hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz));
                const auto mask = hn::RebindMask(du, hn::Le(squared, hn::Mul(r, r)));
                const auto slots = hn::Add(lanes, hn::Set(du, b * k_width + lane));
                hn::StoreU(hn::Compress(slots, mask), du, to_opened + found);
                hn::StoreU(other_slots, du, to_other + found);
                found += std::uint32_t(hn::CountTrue(du, mask));
            }
        }
    }
    pass.found = found;
}

} // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(open_moved_kernel);

MovedNodes::MovedNodes(const Ladder& of)
    : ladder(of)
    , blocks(of.blocks.size())
    , moved_in(of.blocks.size(), 0) {}

void MovedNodes::place(const Transform& at) {
    ++step;
    frame = {to_matrix(at.orientation), at.position, 0};
    const BoundingBall root = ladder.ball(k_root_slot);
    const Vec3 centre = frame.rotation * root.centre + frame.offset;
    LadderBlock& block = blocks.front();
    block.x[0] = centre.x, block.y[0] = centre.y, block.z[0] = centre.z;
    block.radius[0] = root.radius;
}

BoundingBall MovedNodes::root() const {
    const LadderBlock& block = blocks.front();
    return {{block.x[0], block.y[0], block.z[0]}, block.radius[0]};
}

void MovedDescent::open(MovedNodes& a, MovedNodes& b, bool opens_a, float slack) {
    MovedNodes &opened = opens_a ? a : b, &other = opens_a ? b : a;
    const auto side = [&](List& list, bool of_opened) -> std::vector<std::uint32_t>& {
        return of_opened == opens_a ? list.a : list.b;
    };
    std::size_t most = LadderBlock::k_width;
    for (std::uint32_t i = 0; i < from_.count; ++i)
        most += opened.ladder.children[side(from_, true)[i]].count + LadderBlock::k_width;
    if (to_.a.size() < most) to_.a.resize(most), to_.b.resize(most);
    MovedPass pass{opened,
                   other,
                   side(from_, true).data(),
                   side(from_, false).data(),
                   from_.count,
                   side(to_, true).data(),
                   side(to_, false).data(),
                   slack};
    HWY_DYNAMIC_DISPATCH(open_moved_kernel)(pass);
    to_.count = pass.found;
    std::swap(from_, to_);
}

std::uint32_t MovedDescent::finish(MovedNodes& a, MovedNodes& b, float slack) {
    const BoundingBall root_a = a.root(), root_b = b.root();
    const float reach = root_a.radius + root_b.radius + slack;
    if (length_squared(root_a.centre - root_b.centre) > reach * reach) return 0;
    if (from_.a.empty()) from_.a.resize(1), from_.b.resize(1);
    from_.a[0] = from_.b[0] = k_root_slot;
    from_.count = 1;
    std::uint8_t level_a = 0, level_b = 0;
    bool opens_b = opens_b_first(a.ladder, b.ladder, {});
    while (from_.count > 0) {
        const bool can_a = opens(a.ladder, level_a), can_b = opens(b.ladder, level_b);
        if (!can_a && !can_b) break;
        const bool opens_a = can_a && (!can_b || !opens_b);
        open(a, b, opens_a, slack);
        ++(opens_a ? level_a : level_b);
        opens_b = opens_a;
    }
    return from_.count;
}

} // namespace fovea
#endif
