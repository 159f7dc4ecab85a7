#include "fovea/collide/pair_descent.h"

#include <algorithm>

#include "fovea/base/assert.h"
#include "fovea/collide/node_shapes.h"
#include "fovea/geometry/proximity.h"

namespace fovea {

namespace {

/// Rounding of two nodes that are turned, or one that is carried, and tested, relative to the
/// lengths involved: a dozen operations, each good to 2^-24.
constexpr double k_rounding = 0x1p-20;

/// Floats are never exactly unit length.
Transformd exactly_rigid(const Transform& t) {
    return {Vec3d(t.position), normalized(Quatd(t.orientation))};
}

/// Swells a volume by a margin on all sides.
NodeVolumed swollen(NodeVolumed volume, double by) {
    if (volume.type == VolumeType::cube) {
        const double half = length(volume.u);
        volume.u *= (half + by) / half;
        volume.v *= (half + by) / half;
    } else {
        volume.radius += by;
    }
    return volume;
}

/// Which sides the next rung opens.
struct Turn {
    bool a, b;
};

Turn turn_of(const Ladder& a, const Ladder& b, DescentPolicy policy, const PairDescent& pair) {
    const bool can_a = opens(a, pair.level_a), can_b = opens(b, pair.level_b);
    if (policy == DescentPolicy::together) return {can_a, can_b};
    const bool opens_a = can_a && (!can_b || !pair.opens_b_next);
    return {opens_a, can_b && !opens_a};
}

void make_room(DescentScratch::List& list, std::size_t capacity) {
    if (list.a.size() >= capacity) return;
    list.a.resize(capacity);
    list.b.resize(capacity);
}

} // namespace

bool opens_b_first(const Ladder& a, const Ladder& b, const PairDescent& roots) {
    const auto gain = [](const Ladder& ladder, std::uint8_t level) {
        if (!opens(ladder, level)) return -1.0f;
        return ladder.largest_radius[level] - ladder.largest_radius[std::size_t(level) + 1];
    };
    return gain(b, roots.level_b) > gain(a, roots.level_a);
}

std::uint64_t next_units(const Ladder& a, const Ladder& b, DescentPolicy policy,
                         const PairDescent& pair) {
    if (pair.finished) return 0;
    const Turn turn = turn_of(a, b, policy, pair);
    if (!turn.a && !turn.b) return k_leaf_pair_units * pair.count;
    std::uint64_t tests = 0;
    for (std::uint32_t i = 0; i < pair.count; ++i)
        tests += std::uint64_t(turn.a ? a.children[pair.a[i]].count : 1) *
                 (turn.b ? b.children[pair.b[i]].count : 1);
    const auto units = [](const Ladder& ladder, int level) -> std::uint64_t {
        if (ladder.is_half_space()) return 0;
        switch (ladder.kinds[std::size_t(level)]) {
        case LevelKind::volumes:
            return k_volume_test_units;
        case LevelKind::solids:
            return k_solid_test_units;
        case LevelKind::spheres:
            break;
        }
        return 0;
    };
    return tests * (1 + std::max(units(a, pair.level_a + turn.a), units(b, pair.level_b + turn.b)));
}

LadderDescent::LadderDescent(const PlacedLadder& a, const PlacedLadder& b,
                             const DescentSettings& settings, DescentScratch& scratch)
    : a_(a.ladder)
    , b_(b.ladder)
    , at_a_(a.at)
    , at_b_(b.at)
    , settings_(settings)
    , scratch_(scratch)
    , nodes_a_(a.nodes)
    , nodes_b_(b.nodes) {
    FOVEA_ASSERT(!(a_.is_half_space() && b_.is_half_space()));
    const Vec3d way = Vec3d(b.at.position) - Vec3d(a.at.position);
    way_ = Vec3(way);
    slack_ = settings.margin + float(k_rounding * (length(way) + a_.reach + b_.reach));
}

const LadderDescent::Relation& LadderDescent::relation() {
    if (relation_) return *relation_;
    const Transformd b_in_a = relative(exactly_rigid(at_a_), exactly_rigid(at_b_));
    const Mat3d turn = to_matrix(b_in_a.orientation);
    const auto frame = [&](const Mat3d& m, const Vec3d& offset) {
        return NodeFrame{{Vec3(m.x), Vec3(m.y), Vec3(m.z)}, Vec3(offset), slack_};
    };
    relation_ = {b_in_a, turn, frame(turn, b_in_a.position),
                 frame(transposed(turn), -transposed_times(turn, b_in_a.position))};
    return *relation_;
}

NodePlane LadderDescent::plane_for(Side opened) {
    const Transformd pose = opened == k_a ? relation().b_in_a : inverse(relation().b_in_a);
    const HalfSpace& plane = opened == k_a ? b_.plane : a_.plane;
    const Vec3d normal = rotate(pose.orientation, Vec3d(plane.normal));
    const double offset = plane.offset + dot(normal, pose.position);
    const double rounding = k_rounding * (std::abs(offset) + ladder(opened).reach);
    return {Vec3(normal), float(offset + rounding + settings_.margin)};
}

bool LadderDescent::roots_touch() {
    if (a_.is_half_space() || b_.is_half_space()) {
        const Side side = a_.is_half_space() ? k_b : k_a;
        const BoundingBall root = ladder(side).ball(k_root_slot);
        const NodePlane plane = plane_for(side);
        return dot(plane.normal, root.centre) <= root.radius + plane.offset;
    }
    const BoundingBall root_a = a_.ball(k_root_slot), root_b = b_.ball(k_root_slot);
    Vec3 d;
    if (nodes_a_ && nodes_b_) {
        d = nodes_b_->rotation() * root_b.centre + way_ - nodes_a_->rotation() * root_a.centre;
    } else {
        const NodeFrame& into_a = relation().into_a;
        d = into_a.rotation * root_b.centre + into_a.offset - root_a.centre;
    }
    const float reach = root_a.radius + root_b.radius + slack_;
    return length_squared(d) <= reach * reach;
}

void LadderDescent::open_some(Side opened, Below below, const SlotPairs& pairs, std::uint64_t limit,
                              const PassOutput& out, PassProgress& progress) {
    const Ladder& other = ladder(opened == k_a ? k_b : k_a);
    if (other.is_half_space())
        open_against_plane(ladder(opened), plane_for(opened), pairs, limit, out, progress);
    else if (below == Below::leaves || !nodes_a_ || !nodes_b_)
        open_carried(ladder(opened), other, opened == k_a ? relation().into_a : relation().into_b,
                     pairs, limit, out, progress);
    else if (opened == k_a)
        open_turned(*nodes_a_, *nodes_b_, way_, slack_, pairs, limit, out, progress);
    else
        open_turned(*nodes_b_, *nodes_a_, -way_, slack_, pairs, limit, out, progress);
}

/// Spheres alone. False if the budget ended it.
bool LadderDescent::pass(Side opened, Below below, std::span<const std::uint32_t> from_a,
                         std::span<const std::uint32_t> from_b, List& to, WorkMeter& work) {
    const SlotPairs pairs = {opened == k_a ? from_a.data() : from_b.data(),
                             opened == k_a ? from_b.data() : from_a.data(),
                             std::uint32_t(from_a.size())};
    std::vector<std::uint32_t>& out_opened = opened == k_a ? to.a : to.b;
    std::vector<std::uint32_t>& out_other = opened == k_a ? to.b : to.a;
    PassProgress progress;
    make_room(to, 256);
    while (progress.next < pairs.count) {
        if (work.exhausted()) return false;
        const PassProgress before = progress;
        open_some(opened, below, pairs, work.until_check(),
                  {out_opened.data(), out_other.data(), std::uint32_t(to.a.size())}, progress);
        work.charge(progress.tests - before.tests);
        scratch_.counters.node_tests += progress.tests - before.tests;
        scratch_.counters.transforms += progress.moved - before.moved;
        if (progress.next == before.next) make_room(to, 2 * to.a.size());
    }
    to.count = progress.found;
    return true;
}

/// All children of A's nodes, untested.
void LadderDescent::expand(std::span<const std::uint32_t> from_a,
                           std::span<const std::uint32_t> from_b, List& to) {
    to.count = 0;
    for (std::size_t i = 0; i < from_a.size(); ++i) {
        const auto [first_block, count] = a_.children[from_a[i]];
        if (to.a.size() < to.count + count) make_room(to, 2 * (to.count + count));
        for (std::uint32_t k = 0; k < count; ++k, ++to.count) {
            to.a[to.count] = first_block * LadderBlock::k_width + k;
            to.b[to.count] = from_b[i];
        }
    }
}

/// Drops pairs whose spheres touch but which do not touch themselves. False if the budget ended it.
bool LadderDescent::filter(int level_a, int level_b, List& list, WorkMeter& work) {
    const auto kind = [](const Ladder& ladder, int level) {
        return ladder.is_half_space() ? LevelKind::spheres : ladder.kinds[std::size_t(level)];
    };
    const LevelKind kind_a = kind(a_, level_a), kind_b = kind(b_, level_b);
    if (kind_a == LevelKind::spheres && kind_b == LevelKind::spheres) return true;
    const bool solids = kind_a == LevelKind::solids || kind_b == LevelKind::solids;
    const bool plane = a_.is_half_space() || b_.is_half_space();
    const Side side = a_.is_half_space() ? k_b : k_a;
    const NodePlane boundary = plane ? plane_for(side) : NodePlane{};
    const auto touch = [&](std::uint32_t a, std::uint32_t b) {
        if (plane) {
            const int level = side == k_a ? level_a : level_b;
            const std::uint32_t slot = side == k_a ? a : b;
            if (solids) {
                const PlacedShape node = node_shape(ladder(side), level, slot, Transformd());
                const HalfSpace below{boundary.normal, boundary.offset};
                return proximity(node.shape, node.at, below, Transform()).separation <= 0;
            }
            return lowest(node_volume(ladder(side), level, slot, Transformd()),
                          Vec3d(boundary.normal)) <= boundary.offset;
        }
        if (solids) {
            const PlacedShape shape_a = node_shape(a_, level_a, a, Transformd());
            const PlacedShape shape_b = node_shape(b_, level_b, b, relation().b_in_a);
            return proximity(shape_a.shape, shape_a.at, shape_b.shape, shape_b.at).separation <=
                   slack_;
        }
        const NodeVolumed volume_a = swollen(node_volume(a_, level_a, a, Transformd()), slack_);
        const NodeVolumed volume_b = node_volume(b_, level_b, b, relation().b_in_a);
        return pair_model(volume_a.type, volume_b.type, settings_.cubes).touch(volume_a, volume_b);
    };
    return keep(list, solids ? k_solid_test_units : k_volume_test_units,
                scratch_.counters.volume_tests, work, touch);
}

void LadderDescent::commit(const List& list, Arena& arena, PairDescent& pair) {
    if (list.count > pair.capacity) {
        pair.a = arena.allocate<std::uint32_t>(list.count).data();
        pair.b = arena.allocate<std::uint32_t>(list.count).data();
        pair.capacity = list.count;
    }
    std::copy_n(list.a.data(), list.count, pair.a);
    std::copy_n(list.b.data(), list.count, pair.b);
    pair.count = list.count;
    ++scratch_.counters.rungs;
}

void LadderDescent::open(WorkMeter& work, Arena& arena, PairDescent& pair) {
    pair = PairDescent();
    WorkMeter unlimited;
    unlimited.charge(1);
    ++scratch_.counters.node_tests;
    List* list = &scratch_.lists_[0];
    List* other = &scratch_.lists_[1];
    make_room(*list, 256);
    list->count = roots_touch() ? 1 : 0;
    list->a[0] = list->b[0] = k_root_slot;
    const bool plane = a_.is_half_space() || b_.is_half_space();
    if (list->count > 0 && !plane && a_.fixed_surface != b_.fixed_surface) {
        const Side surface = a_.fixed_surface ? k_a : k_b;
        const float size = ladder(surface == k_a ? k_b : k_a).largest_radius.front();
        std::uint8_t& level = surface == k_a ? pair.level_a : pair.level_b;
        while (list->count > 0 && level + 1 < ladder(surface).levels() &&
               ladder(surface).largest_radius[level] > size) {
            pass(surface, Below::nodes, {list->a.data(), list->count},
                 {list->b.data(), list->count}, *other, unlimited);
            std::swap(list, other);
            ++level;
        }
    }
    pair.opens_b_next = opens_b_first(a_, b_, pair);
    work.charge(unlimited.spent());
    commit(*list, arena, pair);
    pair.outcome = pair.count == 0           ? Outcome::apart
                   : at_leaves(a_, b_, pair) ? Outcome::colliding
                                             : Outcome::open;
    pair.finished = pair.count == 0 || (at_leaves(a_, b_, pair) && !has_top());
}

Outcome LadderDescent::advance(WorkMeter& work, Arena& arena, PairDescent& pair) {
    if (pair.finished) return pair.outcome;
    const Outcome before = pair.outcome;
    int level_a = pair.level_a, level_b = pair.level_b;
    bool opens_b = pair.opens_b_next;
    List* result = &scratch_.lists_[0];
    const bool exact = at_leaves(a_, b_, pair);
    bool done;
    Enclosed enclosed = Enclosed::none;
    if (exact) {
        done = exact_rung(pair, work, result, enclosed) &&
               work.affords(settings_.hit_units * result->count);
    } else {
        const Turn turn = turn_of(a_, b_, settings_.policy, pair);
        if (turn.a && turn.b) {
            expand(pair.of_a(), pair.of_b(), scratch_.lists_[1]);
            const List& all = scratch_.lists_[1];
            done = pass(k_b, Below::nodes, {all.a.data(), all.count}, {all.b.data(), all.count},
                        *result, work);
        } else {
            done = pass(turn.a ? k_a : k_b, Below::nodes, pair.of_a(), pair.of_b(), *result, work);
            opens_b = turn.a;
        }
        level_a += turn.a, level_b += turn.b;
        done = done && filter(level_a, level_b, *result, work);
    }
    if (!done) {
        ++scratch_.counters.cuts;
        pair.outcome = before == Outcome::colliding ? before : Outcome::interrupted;
        return Outcome::interrupted;
    }
    commit(*result, arena, pair);
    pair.level_a = std::uint8_t(level_a), pair.level_b = std::uint8_t(level_b);
    pair.opens_b_next = opens_b;
    pair.exact = exact;
    pair.enclosed = enclosed;
    ++pair.rung;
    const bool leaves = at_leaves(a_, b_, pair);
    pair.outcome = pair.count == 0 ? Outcome::apart : leaves ? Outcome::colliding : Outcome::open;
    pair.finished = pair.count == 0 || exact || (leaves && !has_top());
    return pair.outcome;
}

Outcome LadderDescent::finish(WorkMeter& work, Arena& arena, PairDescent& pair) {
    while (!pair.finished)
        if (advance(work, arena, pair) == Outcome::interrupted) return Outcome::interrupted;
    return pair.outcome;
}

} // namespace fovea
