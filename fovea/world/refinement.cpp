#include "fovea/world/refinement.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "fovea/base/clock.h"

namespace fovea {

namespace {

constexpr double k_batch_share = 0.5; ///< of what is left, for one batch

// Work units.
constexpr std::uint64_t k_climb_units = 400; ///< of a rung, beside its tests
/// An exact rung is granted so many times what it is guessed to take, and some more; then it is
/// cut.
constexpr std::uint64_t k_exact_times = 4, k_exact_more = 4096;
/// A share that no pair exhausts, some 30 ms: exact rungs are not cut by guesses then.
constexpr std::uint64_t k_ample_share = std::uint64_t(1) << 24;
constexpr std::uint32_t k_most_hits = TreeContactSettings().most_hits;

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

bool Refinement::is_at_leaves(const RefinementScene& scene, std::uint32_t i) const {
    const auto ladder = [&](std::uint32_t slot) -> const Ladder& {
        return *scene.bodies.shapes[scene.bodies.shape_of[slot]].ladder;
    };
    return pairs_[i].by_ladder &&
           at_leaves(ladder(scene.pairs[i].a), ladder(scene.pairs[i].b), answers_[i].descent);
}

bool Refinement::waits_at_leaves(const RefinementScene& scene, std::uint32_t i) const {
    // What may wake a heap does not: a wrong answer would cost the response to all of it.
    return is_at_leaves(scene, i) && scene.sleepers.heap_of(scene.pairs[i]) == Sleepers::k_none;
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
    claim.exact = is_at_leaves(scene, i);
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
    const Ladder &ladder_a = ladders.a.ladder, &ladder_b = ladders.b.ladder;
    const bool exact = at_leaves(ladder_a, ladder_b, answer.descent);
    LadderDescent descent = mine.climb(ladders, answer.descent);
    const Outcome outcome = descent.advance(work, mine.arena, answer.descent);
    pair.spent = k_climb_units + work.spent();
    pair.late = work.late();
    pair.interrupted = outcome == Outcome::interrupted;
    pair.next_units = pair.interrupted
                          ? 0
                          : next_units(ladder_a, ladder_b, ladders.coarse.descent, answer.descent);
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
    } else if (!scene.schedule.exact && at_leaves(ladder_a, ladder_b, answer.descent)) {
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
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        if (!pairs_[candidates_[k]].was_at_top) continue;
        float& priority = priorities_[k];
        priority = priority > 0 ? priority * schedule.hysteresis : priority / schedule.hysteresis;
    }
    order_.start(schedule, priorities_, seed);
    done_.assign(candidates_.size(), 0);
}

bool Refinement::take_up_again(const ScheduleSettings& schedule, std::uint64_t seed) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        if (!was_cut(candidates_[k])) continue;
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
        : schedule.reserve_response ? ledger.climb_limit()
                                    : ledger.limit();
    const auto needed = [&] {
        double sum = ledger.used();
        if (separate || !schedule.reserve_response)
            sum += ledger.reserved(Work::model);
        else
            sum += ledger.reserved();
        return sum;
    };

    if (!separate && schedule.reserve_response) waking_.set_aside(scene.waking, ledger);

    bool more = !candidates_.empty(), stop = false;
    bool to_leaves = true; // the first round
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
            const Pair& pair = pairs_[candidates_[candidate]];
            granted_[batch_.size()] = {
                cut.exact_units < k_ample_share ? claim.climb
                                                : std::max(claim.climb, cut.exact_units),
                pair.model_units + claim.model, pair.model_units, pair.patches};
            ++counts_.grants;
            batch_.push_back(candidate);
        }
        const double deadline = ledger.is_timed() ? ledger.start() + last_moment * 1e-9
                                                  : std::numeric_limits<double>::infinity();
        const double model_seconds = ledger.price(Work::model) * 1e-9;
        // What exact rungs of the batch found is more than was claimed: those that begin later have
        // to be done so much earlier. Each counts all that it finds, though a part is set aside.
        std::atomic<double> owed = 0;
        jobs.for_blocks(batch_.size(), k_climb_block, [&](std::size_t begin, std::size_t end) {
            LadderWorker& mine = worker(begin / k_climb_block, jobs);
            for (std::size_t k = begin; k < end; ++k) {
                const Grant& grant = granted_[k];
                Pair& pair = pairs_[candidates_[batch_[k]]];
                pair.found = std::uint32_t(found_.size());
                const bool late = recorded && std::ranges::binary_search(cut.late, first + k);
                climb_pair(scene, candidates_[batch_[k]],
                           WorkMeter(late ? 0 : grant.units, deadline - owed, model_seconds), mine);
                if (pair.model_units > grant.model_units)
                    owed += double(pair.model_units - grant.model_units) * model_seconds;
            }
        });
        for (std::size_t k = 0; k < batch_.size(); ++k) {
            Pair& pair = pairs_[candidates_[batch_[k]]];
            ledger.spend(Work::climb, pair.spent);
            ledger.release(Work::model, granted_[k].model_before);
            ledger.set_aside(Work::model, pair.model_units);
            ledger.release(Work::respond, granted_[k].patches_before * scene.patch_units);
            ledger.set_aside(Work::respond, pair.patches * scene.patch_units);
            const std::uint32_t i = candidates_[batch_[k]];
            if (answers_[i].kind == PairAnswer::Kind::apart)
                waking_.note_apart(scene.pairs[i], ledger);
            done_[batch_[k]] = pair.next_units == 0 || (to_leaves && waits_at_leaves(scene, i));
            if (pair.late) cut.late.push_back(std::uint32_t(first + k));
            pair.granted = pair.interrupted ? granted_[k].units : 0;
        }
        found_.push_back({wall_seconds(), 0});
        if (!batch_.empty()) ++batches;
        if (!recorded && !batch_.empty()) cut.batches.push_back(std::uint32_t(batch_.size()));
        more = order_.end_batch(done_) && !stop;
        if (!more && !stop) {
            more = take_up_again(schedule, seed);
            to_leaves = false;
        }
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

std::uint64_t Refinement::model_units(std::size_t i, bool brief) const {
    const PairAnswer& answer = answers_[i];
    if (!answer.responds()) return 0;
    if (!brief || !BriefModels::can_be_brief(answer)) return pairs_[i].model_units;
    PairDescent few = answer.descent;
    few.count = hits_looked_at(few.count, k_brief_hits);
    return contact_units(few, k_brief_hits, pairs_[i].hit_units);
}

std::uint64_t Refinement::model_units(std::span<const std::uint8_t> brief) const {
    std::uint64_t units = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) units += model_units(i, brief[i]);
    return units;
}

void Refinement::remember(const RefinementScene& scene, std::span<const ContactPatch> patches,
                          std::span<const std::uint8_t> brief, PairHistory& history) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < answers_.size(); ++i) {
        const auto [a, b] = scene.pairs[i];
        const std::size_t first = next;
        while (next < patches.size() && patches[next].a == a && patches[next].b == b) ++next;
        if (!scene.active[a] && !scene.active[b]) continue;
        PairRecord& record = history[i];
        record = {pairs_[i].gap, pairs_[i].along, record.held, std::uint8_t(next - first),
                  answers_[i].at_top()};
        const bool proven = answers_[i].responds() && answers_[i].at_top() && !brief[i];
        if (proven) record.gap = scene.contact.margin;
        for (const ContactPatch& patch : patches.subspan(first, next - first))
            for (int k = 0; k < patch.count; ++k)
                record.gap = proven ? std::min(record.gap, patch.points[k].separation) : 0;
        record.gap = std::max(record.gap, 0.0f);
    }
}

} // namespace fovea
