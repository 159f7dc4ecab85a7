// What a step with a budget says of its pairs: how they were answered, and how late.
#include <algorithm>

#include "fovea/world/world.h"

namespace fovea {

namespace {

/// Viewers notice a response that comes so late (Dingliana 6.2.1).
constexpr double k_noticed_delay_ms = 100;
constexpr double k_rounding = 1e-4; ///< of times that are sums of steps

PairHistory::Fate fate_of(PairAnswer::Kind kind, bool touching, bool brief) {
    if (kind == PairAnswer::Kind::suppressed) return PairHistory::Fate::suppressed;
    if (kind == PairAnswer::Kind::dropped) return PairHistory::Fate::dropped;
    if (touching) return PairHistory::Fate::touching;
    // A few hits may have missed where it touches.
    return brief ? PairHistory::Fate::suppressed : PairHistory::Fate::apart;
}

} // namespace

std::vector<AnsweredPair> World::pair_answers() const {
    std::vector<AnsweredPair> list;
    const std::span<const PairAnswer> all = answers();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto [a, b] = pairs()[i];
        if (!active_[a] && !active_[b]) continue;
        const PairAnswer& answer = all[i];
        const bool exact_rung = answer.kind == PairAnswer::Kind::rung && answer.descent.exact;
        list.push_back({id_of(a), id_of(b), exact_rung ? PairAnswer::Kind::exact : answer.kind,
                        answer.descent.rung, refinement_.was_cut(i), brief_.flags()[i] != 0});
    }
    return list;
}

void World::note_delays(BudgetReport& report) {
    if (!cut_.limited) return;
    const double answered = accounts_.elapsed() + accounts_.ledger.start();
    std::uint64_t count = 0, so_far = 0;
    for (const Refinement::Found& found : refinement_.found()) count += found.pairs;
    for (const Refinement::Found& found : refinement_.found()) {
        if (found.pairs == 0) continue;
        const double delay = (answered - found.at) * 1e3;
        if (so_far == 0) report.causality_max_ms = delay;
        if (2 * so_far < count) report.causality_p50_ms = delay;
        if (delay >= k_noticed_delay_ms) report.late_by_clock += found.pairs;
        so_far += found.pairs;
    }
}

void World::note_waiting_pairs(float h, BudgetReport& report) {
    // Patches are of soft_step, contacts of impulse; both come in the order of the pairs.
    const std::span<const ProxyPair> all = pairs();
    const std::span<const Contact> blows = contacts();
    std::size_t blow = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        bool touching = history_[i].patches > 0;
        for (; blow < blows.size() && ProxyPair{blows[blow].a, blows[blow].b} == all[i]; ++blow)
            touching = true;
        const PairHistory::Fate fate = fate_of(answers()[i].kind, touching, brief_.flags()[i]);
        const double delay = double(history_.conclude(i, fate, h)) * 1e3;
        report.late_by_steps += delay >= k_noticed_delay_ms * (1 - k_rounding);
        report.held_max_ms = std::max(report.held_max_ms, delay);
    }
    history_.forgive();
}

} // namespace fovea
