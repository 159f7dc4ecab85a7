// The floor of a step: every pair is opened.
#include <algorithm>
#include <cmath>

#include "fovea/base/clock.h"
#include "fovea/contact/solid_nodes.h"
#include "fovea/world/refinement.h"

namespace fovea {

namespace {

constexpr std::size_t k_open_block = 128; ///< pairs per job

// Work units.
constexpr std::uint64_t k_look_units = 75;     ///< of opening a pair, beside its tests
constexpr std::uint64_t k_order_units = 12;    ///< of a candidate's place in the order
constexpr std::uint32_t k_carry_units = 40;    ///< of a manifold that is carried along
constexpr std::uint32_t k_quick_units = 60;    ///< exact contacts that are had at once
constexpr std::uint32_t k_boxes_units = 350;   ///< exact contacts of two boxes
constexpr std::uint32_t k_solids_units = 1000; ///< of other convex solids
constexpr std::uint32_t k_surface_units = 400; ///< of a solid and a surface, per node of it
constexpr std::uint32_t k_opened_units = 200;  ///< more, if boxes may have to be refitted first

/// A solid whose contacts cost no more than those of its sphere.
bool is_round(const CollisionShape& shape) {
    const ShapeType type = type_of(shape.shape);
    return type == ShapeType::sphere || type == ShapeType::half_space;
}

std::uint32_t parts_of(const CollisionShape& shape) {
    const Compound* compound = compound_of(shape);
    return compound ? std::uint32_t(compound->parts.size()) : 1;
}

/// Of the exact contacts of two solids, or of a solid and a surface that it meets in `nodes`.
std::uint32_t exact_units(const CollisionShape& a, const CollisionShape& b, std::uint32_t nodes) {
    const ShapeType type_a = type_of(a.shape), type_b = type_of(b.shape);
    // Most parts of compounds are not near most of the other's.
    const std::uint32_t pairs =
        std::min(parts_of(a) * parts_of(b), 2 * (parts_of(a) + parts_of(b)));
    if (is_surface(type_a) || is_surface(type_b)) {
        const bool deforms = a.deforming || b.deforming;
        return pairs * (k_surface_units + (deforms ? k_opened_units : 0)) * std::max(nodes, 1u);
    }
    if (is_round(a) || is_round(b)) return pairs * k_quick_units;
    if (type_a == ShapeType::box && type_b == ShapeType::box) return k_boxes_units;
    return pairs * k_solids_units;
}

bool all_reusable(const PairMemory& before, const Transform& at_a, const Transform& at_b,
                  const RecycleLimits& limits) {
    WorldManifold world;
    for (const PartContact& part : before.parts)
        if (!recycle(part.manifold, part.cache, at_a, at_b, limits, world)) return false;
    return !before.parts.empty();
}

/// What boxes show, where that lasts longer than what is known.
void take_boxes(const RefinementScene& scene, std::size_t i, AxisGap& along) {
    const auto [a, b] = scene.pairs[i];
    const auto rim = [&](std::uint32_t slot) {
        return scene.active[slot] && !scene.bodies.deforms(slot) ? scene.contact.margin : 0;
    };
    const Vec3 way = (scene.bodies.velocity[b] - scene.bodies.velocity[a]) * scene.bodies.h;
    const AxisGap boxes = gap_of_boxes(scene.boxes[a], scene.boxes[b], rim(a) + rim(b), way);
    if (boxes.gap > 0 && boxes.left(way) > along.left(way)) along = boxes;
}

} // namespace

float Refinement::exact_gap(const RefinementScene& scene, const LadderPair& pair, bool by_ladder) {
    if (!by_ladder) return scene.contact.margin;
    // Coarse trees have leaves larger than what is inside the bodies, which must not pass by
    // unseen.
    float most = scene.schedule.tolerance * pair.leaf_radius;
    for (const Ladder* ladder : {&pair.a.ladder, &pair.b.ladder})
        if (ladder->inner.radius > 0) most = std::min(most, ladder->inner.radius);
    return pair.exact_margin + most;
}

bool Refinement::capped(const LadderPair& pair, PairDescent& descent) {
    if (at_leaves(pair.a.ladder, pair.b.ladder, descent)) return false;
    const auto may_open = [&](const Ladder& ladder, std::uint8_t level) {
        return opens(ladder, level) && ladder.largest_radius[std::size_t(level) + 1] >= pair.motion;
    };
    const bool opens_a = may_open(pair.a.ladder, descent.level_a);
    const bool opens_b = may_open(pair.b.ladder, descent.level_b);
    if (opens_a != opens_b) descent.opens_b_next = opens_b;
    return !opens_a && !opens_b;
}

void Refinement::recall(const RefinementScene& scene, const PairRecord& known, std::size_t i) {
    const auto [a, b] = scene.pairs[i];
    Pair& pair = pairs_[i];
    const BodyShift &moved_a = scene.shifts[a], &moved_b = scene.shifts[b];
    const Vec3 shift = moved_a.shift - moved_b.shift;
    const float swing = moved_a.swing + moved_b.swing;
    pair.gap = std::max(known.gap - length(shift) - swing, 0.0f);
    pair.along = {known.along.axis, known.along.gap - dot(known.along.axis, shift) - swing};
}

void Refinement::open_pair(const RefinementScene& scene, const PairMemory& before,
                           PairHistory& history, std::size_t i, LadderWorker& worker) {
    const auto [a, b] = scene.pairs[i];
    const CollisionShape& shape_a = scene.bodies.shapes[scene.bodies.shape_of[a]];
    const CollisionShape& shape_b = scene.bodies.shapes[scene.bodies.shape_of[b]];
    PairAnswer& answer = answers_[i] = PairAnswer();
    Pair& pair = pairs_[i] = Pair();
    if (!scene.active[a] && !scene.active[b]) return;
    pair.by_ladder = collides_by_ladder(shape_a) || collides_by_ladder(shape_b);
    const auto exact_at_once = [&](std::uint32_t units, std::size_t patches) {
        pair.model_units = units;
        pair.patches = std::uint8_t(std::min<std::size_t>(patches, 4));
    };
    if (!scene.bodies.deforms(a) && !scene.bodies.deforms(b) &&
        all_reusable(before, scene.bodies.placement[a], scene.bodies.placement[b],
                     scene.contact.recycle))
        return exact_at_once(k_carry_units * std::uint32_t(before.parts.size()),
                             before.parts.size());
    if (!shape_a.ladder || !shape_b.ladder)
        return exact_at_once(exact_units(shape_a, shape_b, 4), 2);
    if (!pair.by_ladder && (is_round(shape_a) || is_round(shape_b)) && !has_parts(shape_a) &&
        !has_parts(shape_b))
        return exact_at_once(k_quick_units, 1);

    const LadderPair ladders = ladders_of(scene, i);
    // Contacts of the impulse response are not remembered.
    if (history[i].tested && scene.memory && before.parts.empty())
        history[i].gap = exact_gap(scene, ladders, pair.by_ladder);
    recall(scene, history[i], i);
    const Ladder &ladder_a = ladders.a.ladder, &ladder_b = ladders.b.ladder;
    answer.margin = ladders.margin;
    pair.hit_units = std::uint32_t(node_hit_units(ladder_a, ladder_b));
    const Root &root_a = roots_[a], &root_b = roots_[b];
    if (root_a.radius > 0 && root_b.radius > 0) {
        float apart = length(root_b.centre - root_a.centre) - root_a.radius - root_b.radius;
        // Rounding of the centres: a few in the last place of what made them.
        const float slack = 1e-6f * (std::abs(root_a.centre.x) + std::abs(root_a.centre.y) +
                                     std::abs(root_a.centre.z) + root_a.radius + root_b.radius);
        pair.spent = 1;
        // A solid is where it is itself, not where its sphere is.
        const SolidSides solid = solid_sides(ladder_a, 0, ladder_b, 0);
        if (apart <= answer.margin + slack && (solid.a || solid.b)) {
            const Root& ball = solid.a ? root_b : root_a;
            const Vec3 centre = to_local(solid.a ? ladders.a.at : ladders.b.at, ball.centre);
            const Ladder& solids = solid.a ? ladder_a : ladder_b;
            apart = nearest_solid(solids, {centre, ball.radius}).proximity.separation;
            pair.spent += near_solid_units(solids);
        }
        if (apart > answer.margin + slack) {
            answer.kind = PairAnswer::Kind::apart;
            pair.gap = std::max(pair.gap, apart - slack);
            return;
        }
        answer.kind = PairAnswer::Kind::rung;
        answer.descent.a = answer.descent.b = roots_alone_.data();
        answer.descent.count = 1;
        answer.descent.opens_b_next = opens_b_first(ladder_a, ladder_b, answer.descent);
    } else {
        LadderDescent descent = worker.climb(ladders);
        WorkMeter work;
        descent.open(work, worker.arena, answer.descent);
        pair.spent = work.spent();
        answer.kind = PairAnswer::Kind::rung;
        if (answer.descent.outcome == Outcome::apart) {
            answer.kind = PairAnswer::Kind::apart;
            pair.gap = std::max(pair.gap, answer.margin);
            return;
        }
    }
    take_boxes(scene, i, pair.along);
    pair.suppressed =
        pair.gap > 0 || pair.along.left(ladders.approach * scene.bodies.h) > ladders.swing;
    if (pair.by_ladder && scene.schedule.recursion_cap && capped(ladders, answer.descent)) {
        answer.descent.outcome = Outcome::colliding;
        return set_units(i);
    }
    pair.climbs = true;
    pair.exact_units = exact_units(shape_a, shape_b, answer.descent.count);
    pair.next_units = pair.by_ladder
                          ? next_units(ladder_a, ladder_b, ladders.coarse.descent, answer.descent)
                          : std::uint64_t(1);
    set_units(i);
}

void Refinement::open(const RefinementScene& scene, PairHistory& history, StepLedger& ledger,
                      const Jobs& jobs) {
    const std::size_t count = scene.pairs.size();
    const std::size_t blocks = (count + k_open_block - 1) / k_open_block;
    while (workers_.size() < std::max(blocks, k_batch / k_climb_block))
        workers_.push_back(std::make_unique<LadderWorker>());
    for (auto& each : workers_) each->arena.reset();
    answers_.resize(count);
    pairs_.resize(count);

    const std::size_t slots = scene.bodies.placement.size();
    roots_.resize(slots);
    jobs.for_blocks(slots, 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t slot = begin; slot < end; ++slot) {
            const auto& shape = scene.bodies.shapes[scene.bodies.shape_of[slot]];
            const Ladder* ladder = shape.ladder.get();
            roots_[slot].radius = -1;
            if (!ladder || ladder->is_half_space() || ladder->fixed_surface || ladder->levels() < 2)
                continue;
            const BoundingBall ball = ladder->ball(k_root_slot);
            roots_[slot] = {scene.bodies.placement[slot] * ball.centre, ball.radius};
        }
    });
    block_units_.assign(blocks, 0);
    jobs.for_blocks(count, k_open_block, [&](std::size_t begin, std::size_t end) {
        const std::size_t block = begin / k_open_block;
        LadderWorker& mine = worker(block, jobs);
        ContactStore::Reader reader(scene.memory, scene.pairs[begin]);
        for (std::size_t i = begin; i < end; ++i) {
            open_pair(scene, reader.of(scene.pairs[i]), history, i, mine);
            block_units_[block] += k_look_units + pairs_[i].spent;
        }
    });
    std::uint64_t units = 0, patches = 0;
    for (const std::uint64_t of_block : block_units_) units += of_block;

    waking_.begin(scene.sleepers);
    counts_ = {};
    candidates_.clear();
    views_.clear();
    priorities_.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
        ledger.set_aside(Work::model, pairs_[i].model_units);
        patches += pairs_[i].patches;
        if (pairs_[i].patches > 0 || pairs_[i].climbs)
            waking_.note_pair(scene.pairs[i], pairs_[i].patches > 0);
        if (!pairs_[i].climbs) continue;
        candidates_.push_back(i);
        units += k_order_units;
        const auto [a, b] = scene.pairs[i];
        // Planes and landscapes have no middle: the other body stands for both.
        const Root& one = roots_[a].radius > 0 ? roots_[a] : roots_[b];
        const Root& two = roots_[b].radius > 0 ? roots_[b] : roots_[a];
        PairView view{
            {a, 0}, {b, 0}, (one.centre + two.centre) * 0.5f, std::min(one.radius, two.radius), 0};
        const Vec3 speed = scene.bodies.velocity[b] - scene.bodies.velocity[a];
        const Vec3 between = two.centre - one.centre;
        const float distance = length(between);
        view.approach = distance > 0 ? -dot(speed, between) / distance : length(speed);
        if (!scene.bodies.surface_speed.empty())
            view.approach += scene.bodies.surface_speed[a] + scene.bodies.surface_speed[b];
        views_.push_back(view);
        // Slow pairs count too, for what rests on others must not sink in.
        const float importance = (std::max(view.approach, 0.0f) + 0.5f) * view.radius;
        priorities_.push_back(importance);
        pairs_[i].was_at_top = history[i].top;
    }
    ledger.set_aside(Work::respond, patches * scene.patch_units);
    ledger.spend(Work::open, units);
    found_.assign(1, {wall_seconds(), 0});
}

} // namespace fovea
