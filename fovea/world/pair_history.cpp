#include "fovea/world/pair_history.h"

#include <algorithm>

namespace fovea {

void PairHistory::begin(std::span<const ProxyPair> pairs, std::size_t slots, float rim) {
    pairs_.swap(pairs_before_);
    records_.swap(records_before_);
    forgotten_.resize(std::max(slots, forgotten_.size()));
    late_.resize(slots);
    pairs_.assign(pairs.begin(), pairs.end());
    touching_.assign(pairs.size(), 0);
    records_.assign(pairs.size(), {});
    std::size_t old = 0;
    for (std::size_t i = 0; known_ != Known::nothing && i < pairs.size(); ++i) {
        while (old < pairs_before_.size() && pairs_before_[old] < pairs[i]) ++old;
        if (forgotten_[pairs[i].a] || forgotten_[pairs[i].b]) continue;
        if (old < pairs_before_.size() && pairs_before_[old] == pairs[i])
            records_[i] = records_before_[old];
        else if (known_ == Known::others_tested)
            records_[i].tested = true;
        else
            records_[i].gap = rim;
    }
    std::ranges::fill(forgotten_, std::uint8_t(0));
    known_ = Known::all_listed;
}

void PairHistory::note_tested(std::span<const ProxyPair> pairs,
                              std::span<const std::uint8_t> active, float rim) {
    untested_.clear();
    for (const ProxyPair& pair : pairs)
        if (!active[pair.a] && !active[pair.b]) untested_.push_back(pair);
    begin(untested_, active.size(), rim);
    late_.clear();
    known_ = Known::others_tested;
}

bool PairHistory::consistent(std::size_t slots) const {
    const auto bad = [&](const ProxyPair& pair) {
        return pair.a >= slots || pair.b >= slots || pair.a == pair.b;
    };
    return pairs_.size() == records_.size() && forgotten_.size() <= slots &&
           late_.size() <= slots && std::ranges::none_of(pairs_, bad) &&
           std::ranges::is_sorted(pairs_);
}

void PairHistory::forget(std::uint32_t slot) {
    if (forgotten_.size() <= slot) forgotten_.resize(slot + 1);
    forgotten_[slot] = 1;
    if (slot < late_.size()) late_[slot] = 0;
}

float PairHistory::conclude(std::size_t pair, Fate fate, float h) {
    float& held = records_[pair].held;
    const float before = held > 0 ? held : std::max(late_[pairs_[pair].a], late_[pairs_[pair].b]);
    const bool waits = fate == Fate::suppressed || fate == Fate::dropped;
    held = waits ? before + h : 0;
    touching_[pair] = fate == Fate::touching;
    if (fate == Fate::dropped) return held;
    return fate == Fate::touching ? before : 0;
}

void PairHistory::forgive() {
    for (std::size_t i = 0; i < pairs_.size(); ++i)
        if (touching_[i]) late_[pairs_[i].a] = late_[pairs_[i].b] = 0;
}

} // namespace fovea
