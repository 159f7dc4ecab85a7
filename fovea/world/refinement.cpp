#include "fovea/world/refinement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/clock.h"
#include "fovea/contact/solid_nodes.h"

namespace fovea {

namespace {

constexpr std::size_t k_open_block = 128; ///< pairs per job
constexpr std::size_t k_climb_block = 4;  ///< of these per job
constexpr double k_batch_share = 0.5;     ///< of what is left, for one batch

// Work units.
constexpr std::uint64_t k_look_units = 75;     ///< of opening a pair, beside its tests
constexpr std::uint64_t k_order_units = 12;    ///< of a candidate's place in the order
constexpr std::uint64_t k_climb_units = 400;   ///< of a rung, beside its tests
constexpr std::uint32_t k_carry_units = 40;    ///< of a manifold that is carried along
constexpr std::uint32_t k_quick_units = 60;    ///< exact contacts that are had at once
constexpr std::uint32_t k_boxes_units = 350;   ///< exact contacts of two boxes
constexpr std::uint32_t k_solids_units = 1000; ///< of other convex solids
constexpr std::uint32_t k_surface_units = 400; ///< of a solid and a surface, per node of it
constexpr std::uint32_t k_opened_units = 200;  ///< more, if boxes may have to be refitted first
/// An exact rung is granted so many times what it is guessed to take, and some more; then it is
/// cut.
constexpr std::uint64_t k_exact_times = 4, k_exact_more = 4096;
/// A share that no pair exhausts, some 30 ms: exact rungs are not cut by guesses then.
constexpr std::uint64_t k_ample_share = std::uint64_t(1) << 24;
constexpr std::uint32_t k_most_hits = TreeContactSettings().most_hits;

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

/// What an exact test that found nothing proves, and a little more: see
/// ScheduleSettings::tolerance.
float exact_gap(const RefinementScene& scene, const LadderPair& pair, bool by_ladder) {
    return by_ladder ? pair.exact_margin + scene.schedule.tolerance * pair.leaf_radius
                     : scene.contact.margin;
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

/// The recursion cap: whether no ladder has nodes left to open that are as large as the way. One
/// that has goes on alone.
bool capped(const LadderPair& pair, PairDescent& descent) {
    if (next_is_exact(pair, descent)) return false;
    const auto opens = [&](const Ladder& ladder, std::uint8_t level) {
        return !ladder.is_half_space() && level + 1 < ladder.levels() &&
               ladder.largest_radius[std::size_t(level) + 1] >= pair.motion;
    };
    const bool opens_a = opens(pair.a.ladder, descent.level_a);
    const bool opens_b = opens(pair.b.ladder, descent.level_b);
    if (opens_a != opens_b) descent.opens_b_next = opens_b;
    return !opens_a && !opens_b;
}

} // namespace

LadderWorker& Refinement::worker(std::size_t block, const Jobs& jobs) {
    return *workers_[jobs.threads() == 1 ? 0 : block];
}

LadderPair Refinement::ladders_of(const RefinementScene& scene, std::size_t i) const {
    LadderPair pair =
        ladder_pair(scene.bodies, scene.pairs[i].a, scene.pairs[i].b, scene.contact.margin);
    // Spheres of solids are compared as their exact contacts are.
    if (!pairs_[i].by_ladder) pair.margin = scene.contact.margin;
    return pair;
}

void Refinement::set_units(std::size_t i) {
    Pair& pair = pairs_[i];
    const PairAnswer& answer = answers_[i];
    if (answer.kind == PairAnswer::Kind::rung && !pair.suppressed) {
        pair.model_units =
            std::uint32_t(contact_units(answer.descent, k_most_hits, pair.hit_units));
        pair.patches = std::uint8_t(std::min(answer.descent.count, 2u));
    } else {
        pair.model_units = 0;
        pair.patches = 0;
    }
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
        answer.descent.a = answer.descent.b = &root_slot_;
        answer.descent.count = 1;
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
    pair.next_units =
        pair.by_ladder ? worker.climb(ladders).next_units(answer.descent) : std::uint64_t(1);
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

    counts_ = {};
    candidates_.clear();
    views_.clear();
    priorities_.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
        ledger.set_aside(Work::model, pairs_[i].model_units);
        patches += pairs_[i].patches;
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
        priorities_.push_back(history[i].top ? importance * scene.schedule.hysteresis : importance);
    }
    ledger.set_aside(Work::respond, patches * scene.patch_units);
    ledger.spend(Work::open, units);
    found_.assign(1, {wall_seconds(), 0});
}

Refinement::Claim Refinement::claim_of(const RefinementScene& scene, std::uint32_t i,
                                       std::uint64_t exact_share) const {
    const Pair& pair = pairs_[i];
    Claim claim;
    if (!pair.by_ladder) {
        claim.model = pair.exact_units - std::min(pair.exact_units, pair.model_units);
        claim.respond = pair.patches == 0 ? scene.patch_units : 0;
        return claim;
    }
    const PairDescent& descent = answers_[i].descent;
    claim.exact = next_is_exact(ladders_of(scene, i), descent);
    if (pair.granted > 0)
        claim.climb = k_exact_times * pair.granted;
    else if (claim.exact)
        claim.climb = std::min(k_exact_times * pair.next_units + k_exact_more, exact_share);
    else
        claim.climb = std::min(k_climb_units + pair.next_units, exact_share);
    // All children may touch, and make two patches. What an exact rung finds it pays for itself.
    constexpr std::uint32_t k_width = LadderBlock::k_width;
    const bool together = scene.bodies.coarse.descent == DescentPolicy::together;
    const std::uint32_t children = together ? k_width * k_width : k_width;
    const std::uint64_t model =
        k_pair_units + pair.hit_units * std::min<std::uint64_t>(
                                            std::uint64_t(descent.count) * children, k_most_hits);
    claim.model = model - std::min<std::uint64_t>(model, pair.model_units);
    claim.respond = pair.patches < 2 ? (2u - pair.patches) * scene.patch_units : 0;
    return claim;
}

void Refinement::climb_pair(const RefinementScene& scene, std::uint32_t i, WorkMeter work,
                            LadderWorker& mine) {
    Pair& pair = pairs_[i];
    PairAnswer& answer = answers_[i];
    pair.spent = 0;
    if (!pair.by_ladder) {
        answer.kind = PairAnswer::Kind::exact;
        pair.model_units = pair.exact_units;
        pair.patches = std::max(pair.patches, std::uint8_t(1));
        pair.next_units = 0;
        pair.suppressed = false;
        return;
    }
    const LadderPair ladders = ladders_of(scene, i);
    const bool exact = next_is_exact(ladders, answer.descent);
    LadderDescent descent = mine.climb(ladders, answer.descent);
    const Outcome outcome = descent.advance(work, mine.arena, answer.descent);
    pair.spent = k_climb_units + work.spent();
    pair.late = work.late();
    pair.interrupted = outcome == Outcome::interrupted;
    pair.next_units = pair.interrupted ? 0 : descent.next_units(answer.descent);
    if (outcome == Outcome::apart) {
        answer.kind = PairAnswer::Kind::apart;
        pair.gap = std::max(pair.gap, exact ? exact_gap(scene, ladders, true) : ladders.margin);
        pair.suppressed = false;
        const auto [a, b] = scene.pairs[i];
        const auto shape = [&](std::uint32_t slot) -> const CollisionShape& {
            return scene.bodies.shapes[scene.bodies.shape_of[slot]];
        };
        const Vec3 way = ladders.approach * scene.bodies.h;
        const AxisGap along = gap_of_shapes(shape(a), ladders.a.at, shape(b), ladders.b.at, way);
        if (along.gap > 0 && along.left(way) > pair.along.left(way)) pair.along = along;
    } else if (answer.descent.finished) {
        pair.suppressed = false;
    } else if (!scene.schedule.exact && next_is_exact(ladders, answer.descent)) {
        pair.next_units = 0;
    } else if (scene.schedule.recursion_cap && capped(ladders, answer.descent)) {
        answer.descent.outcome = Outcome::colliding;
        pair.next_units = 0;
    }
    set_units(i);
}

void Refinement::order(const ScheduleSettings& schedule, const StepCut& cut, std::uint64_t seed) {
    if (cut.priorities.size() == candidates_.size())
        priorities_.assign(cut.priorities.begin(), cut.priorities.end());
    order_.start(schedule, priorities_, seed);
    done_.assign(candidates_.size(), 0);
}

bool Refinement::take_up_again(const ScheduleSettings& schedule, std::uint64_t seed) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        if (!pairs_[candidates_[k]].interrupted) continue;
        candidates_[kept] = candidates_[k];
        priorities_[kept++] = priorities_[k];
    }
    candidates_.resize(kept);
    priorities_.resize(kept);
    order_.start(schedule, priorities_, seed);
    done_.assign(kept, 0);
    return kept > 0;
}

void Refinement::climb(const RefinementScene& scene, StepLedger& ledger, StepCut& cut,
                       std::uint64_t seed, const Jobs& jobs) {
    const ScheduleSettings& schedule = scene.schedule;
    // Separate schedules: detection has a part of its own, and knows of no other needs.
    const bool separate = schedule.detection_share > 0;
    const double after_floor = ledger.used() + ledger.reserved(Work::model);
    detection_limit_ =
        separate ? after_floor + double(schedule.detection_share) * (ledger.limit() - after_floor)
                 : ledger.limit();
    const auto needed = [&] {
        double sum = ledger.used();
        if (separate || !schedule.reserve_response)
            sum += ledger.reserved(Work::model);
        else
            sum += ledger.reserved();
        return sum;
    };

    bool more = !candidates_.empty(), stop = false;
    const bool recorded = !cut.batches.empty();
    std::size_t batches = 0; // of those that were not empty, as the end of a queue may be
    while (more) {
        if (recorded && batches == cut.batches.size()) break;
        const std::size_t most =
            recorded ? std::min<std::size_t>(cut.batches[batches], k_batch) : k_batch;
        ledger.look();
        double taken = needed();
        if (taken > detection_limit_) break;
        // Prices err: what is promised before the next look at the clock is a part of what is left.
        const double enough = taken + k_batch_share * (detection_limit_ - taken);
        batch_.clear();
        const std::uint64_t first = counts_.grants;
        double last_moment = detection_limit_ - (taken - ledger.used());
        std::uint32_t candidate = 0;
        while (batch_.size() < most && order_.take(candidate)) {
            const Claim claim = claim_of(scene, candidates_[candidate], cut.exact_units);
            const double climb_price =
                claim.exact ? std::max(ledger.price(Work::climb), ledger.price(Work::model))
                            : ledger.price(Work::climb);
            double aside = double(claim.model) * ledger.price(Work::model);
            if (!separate && schedule.reserve_response)
                aside += double(claim.respond) * ledger.price(Work::respond);
            const double price = double(claim.climb) * climb_price + aside;
            if (taken + price > detection_limit_ || counts_.grants == cut.grants) {
                // A batch that is full of promises may turn out cheaper: the next one sees.
                order_.untake();
                stop = batch_.empty() || counts_.grants == cut.grants;
                break;
            }
            if (!recorded && !batch_.empty() && taken + price > enough) {
                order_.untake();
                break;
            }
            taken += price;
            last_moment -= aside;
            granted_[batch_.size()] =
                cut.exact_units < k_ample_share ? claim.climb : cut.exact_units;
            if (recorded && std::ranges::binary_search(cut.late, counts_.grants))
                granted_[batch_.size()] = 0;
            ++counts_.grants;
            batch_.push_back(candidate);
        }
        const double deadline = ledger.is_timed() ? ledger.start() + last_moment * 1e-9
                                                  : std::numeric_limits<double>::infinity();
        jobs.for_blocks(batch_.size(), k_climb_block, [&](std::size_t begin, std::size_t end) {
            LadderWorker& mine = worker(begin / k_climb_block, jobs);
            for (std::size_t k = begin; k < end; ++k) {
                Pair& pair = pairs_[candidates_[batch_[k]]];
                before_batch_[k] = {pair.model_units, pair.patches};
                pair.found = std::uint32_t(found_.size());
                climb_pair(scene, candidates_[batch_[k]], WorkMeter(granted_[k], deadline), mine);
            }
        });
        for (std::size_t k = 0; k < batch_.size(); ++k) {
            Pair& pair = pairs_[candidates_[batch_[k]]];
            ledger.spend(Work::climb, pair.spent);
            ledger.release(Work::model, before_batch_[k].model_units);
            ledger.set_aside(Work::model, pair.model_units);
            ledger.release(Work::respond, before_batch_[k].patches * scene.patch_units);
            ledger.set_aside(Work::respond, pair.patches * scene.patch_units);
            done_[batch_[k]] = pair.next_units == 0;
            if (pair.late) cut.late.push_back(std::uint32_t(first + k));
            if (pair.interrupted) pair.granted = granted_[k];
        }
        found_.push_back({wall_seconds(), 0});
        if (!batch_.empty()) ++batches;
        if (!recorded && !batch_.empty()) cut.batches.push_back(std::uint32_t(batch_.size()));
        more = order_.end_batch(done_) && !stop;
        if (!more && !stop) more = take_up_again(schedule, seed);
    }
    cut.grants = counts_.grants;
    ledger.look();
    climbed_over_ = std::max(needed() - detection_limit_, 0.0);
}

bool Refinement::was_cut(std::size_t i) const {
    return pairs_[i].next_units > 0 || pairs_[i].interrupted;
}

void Refinement::conclude(const RefinementScene& scene) {
    for (std::size_t i = 0; i < answers_.size(); ++i) {
        PairAnswer& answer = answers_[i];
        const Pair& pair = pairs_[i];
        if (answer.kind == PairAnswer::Kind::exact) {
            counts_.exact += scene.active[scene.pairs[i].a] || scene.active[scene.pairs[i].b];
            continue;
        }
        if (answer.kind == PairAnswer::Kind::rung) {
            counts_.cut += was_cut(i);
            if (pair.suppressed)
                answer.kind = PairAnswer::Kind::suppressed;
            else if (!answer.descent.is_real(scene.schedule.drop_undecided))
                answer.kind = PairAnswer::Kind::dropped;
        }
        counts_.apart += answer.kind == PairAnswer::Kind::apart;
        counts_.suppressed += answer.kind == PairAnswer::Kind::suppressed;
        counts_.dropped += answer.kind == PairAnswer::Kind::dropped;
        if (!answer.responds()) continue;
        ++found_[pair.found].pairs;
        const std::size_t rung = answer.descent.rung;
        if (answer.descent.exact)
            ++counts_.exact;
        else
            ++counts_.rungs[std::min(rung, RefinementCounts::k_rungs - 1)];
    }
}

std::uint64_t Refinement::model_units() const {
    std::uint64_t units = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i)
        if (answers_[i].responds()) units += pairs_[i].model_units;
    return units;
}

void Refinement::remember(float margin, std::span<const ProxyPair> pairs,
                          std::span<const ContactPatch> patches, PairHistory& history) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < answers_.size(); ++i) {
        PairRecord& record = history[i];
        record = {pairs_[i].gap, pairs_[i].along, record.held, 0, answers_[i].at_top()};
        const bool proven = answers_[i].responds() && answers_[i].at_top();
        if (proven) record.gap = margin;
        for (; next < patches.size() && ProxyPair{patches[next].a, patches[next].b} == pairs[i];
             ++next) {
            ++record.patches;
            for (int k = 0; k < patches[next].count; ++k)
                record.gap = proven ? std::min(record.gap, patches[next].points[k].separation) : 0;
        }
        record.gap = std::max(record.gap, 0.0f);
    }
}

} // namespace fovea
