#include "fovea/collide/sweep_region.h"

#include <algorithm>
#include <bit>
#include <functional>

#include <hwy/cache_control.h>

#include "fovea/base/assert.h"

namespace fovea {

namespace {

constexpr std::uint32_t k_gone = 0xffffffffu;

/// Unsigned numbers that compare as the floats do; -0 becomes 0.
std::uint32_t ordered(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value + 0.0f);
    return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}

} // namespace

void SweepRegion::add(std::uint32_t proxy, bool fixed) {
    const std::uint32_t box = size();
    owners_.push_back(proxy | (fixed ? k_fixed : 0));
    for (int axis = 0; axis < 3; ++axis) {
        auto& sequence = sequences_[axis];
        if (sequence.empty()) sequence.push_back(0);
        for (std::uint32_t upper = 0; upper < 2; ++upper) {
            places_.push_back(std::uint32_t(sequence.size()));
            sequence.push_back(2 * box + upper);
        }
    }
    ++added_;
}

void SweepRegion::remove(std::uint32_t proxy) {
    // The latest first: a number may have left and come back since the last sort.
    for (std::uint32_t box = size(); box-- > 0;) {
        if (this->proxy(box) != proxy) continue;
        FOVEA_ASSERT(std::find(leaving_.begin(), leaving_.end(), box) == leaving_.end());
        leaving_.push_back(box);
        return;
    }
    FOVEA_ASSERT(false);
}

void SweepRegion::clear() {
    owners_.clear();
    places_.clear();
    for (auto& sequence : sequences_) sequence.clear();
    leaving_.clear();
    added_ = 0;
}

bool SweepRegion::needs_sort(std::span<const std::uint8_t> moved) const {
    if (added_ > 0 || !leaving_.empty()) return true;
    std::uint8_t any = 0;
    for (const std::uint32_t owner : owners_) any |= moved[owner & ~k_fixed];
    return any != 0;
}

void SweepRegion::prefetch() const {
    const auto fetch = [](const auto& vector) {
        constexpr std::size_t k_line = 64 / sizeof(vector[0]);
        for (std::size_t i = 0; i < vector.size(); i += k_line) hwy::Prefetch(&vector[i]);
    };
    fetch(owners_);
    fetch(places_);
    for (const auto& sequence : sequences_) fetch(sequence);
}

void SweepRegion::prefetch(std::span<const Aabb> boxes) const {
    for (const std::uint32_t owner : owners_) hwy::Prefetch(&boxes[owner & ~k_fixed]);
}

void SweepRegion::note(std::uint32_t box_a, std::uint32_t box_b, int change,
                       PairNotes& notes) const {
    if (owners_[box_a] & owners_[box_b] & k_fixed) return;
    notes.note(proxy(box_a), proxy(box_b), change);
}

/// Visits all pairs that overlap in the sequences: along x, each box meets those still open.
template <class Visit>
void SweepRegion::sweep(SweepScratch& scratch, BroadPhaseCounters& counters, Visit&& visit) const {
    auto& active = scratch.active;
    active.clear();
    for (const Endpoint endpoint : std::span(sequences_[0]).subspan(1)) {
        const std::uint32_t box = endpoint >> 1;
        if (endpoint & 1) {
            *std::find(active.begin(), active.end(), box) = active.back();
            active.pop_back();
            continue;
        }
        counters.tests += active.size();
        for (const std::uint32_t other : active)
            if (overlap_on(1, box, other) && overlap_on(2, box, other)) visit(box, other);
        active.push_back(box);
    }
}

/// Takes a box out of the sequences and gives its number to the last one.
void SweepRegion::drop_one(std::uint32_t box, PairNotes& notes, BroadPhaseCounters& counters) {
    for (std::uint32_t other = 0; other < size(); ++other)
        if (overlap_on(0, box, other) & overlap_on(1, box, other) & overlap_on(2, box, other))
            if (other != box) note(box, other, -1, notes);
    counters.tests += size() - 1;

    const std::uint32_t last = size() - 1;
    for (int axis = 0; axis < 3; ++axis) {
        auto& sequence = sequences_[axis];
        const std::uint32_t lower = places_[place_index(2 * box, axis)];
        const std::uint32_t upper = places_[place_index(2 * box + 1, axis)];
        const auto close_up = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t by) {
            for (std::uint32_t i = begin; i < end; ++i) {
                sequence[i - by] = sequence[i];
                places_[place_index(sequence[i], axis)] = i - by;
            }
        };
        close_up(lower + 1, upper, 1);
        close_up(upper + 1, std::uint32_t(sequence.size()), 2);
        sequence.resize(sequence.size() - 2);
        if (box == last) continue;
        for (Endpoint upper_end = 0; upper_end < 2; ++upper_end) {
            const std::uint32_t place = places_[place_index(2 * last + upper_end, axis)];
            sequence[place] = 2 * box + upper_end;
            places_[place_index(2 * box + upper_end, axis)] = place;
        }
    }
    owners_[box] = owners_[last];
    owners_.pop_back();
    places_.resize(6 * owners_.size());
}

/// Takes all leaving boxes out in one pass; the others keep their order.
void SweepRegion::drop_many(SweepScratch& scratch, PairNotes& notes, BroadPhaseCounters& counters) {
    auto& renumbered = scratch.renumbered;
    renumbered.assign(size(), 0);
    for (const std::uint32_t box : leaving_) renumbered[box] = k_gone;
    sweep(scratch, counters, [&](std::uint32_t a, std::uint32_t b) {
        if (renumbered[a] == k_gone || renumbered[b] == k_gone) note(a, b, -1, notes);
    });

    std::uint32_t kept = 0;
    for (std::uint32_t box = 0; box < size(); ++box) {
        if (renumbered[box] == k_gone) continue;
        owners_[kept] = owners_[box];
        renumbered[box] = kept++;
    }
    for (int axis = 0; axis < 3; ++axis) {
        auto& sequence = sequences_[axis];
        std::uint32_t end = 1;
        for (std::size_t i = 1; i < sequence.size(); ++i) {
            const std::uint32_t box = renumbered[sequence[i] >> 1];
            if (box == k_gone) continue;
            sequence[end] = 2 * box + (sequence[i] & 1);
            places_[place_index(sequence[end], axis)] = end;
            ++end;
        }
        sequence.resize(end);
    }
    owners_.resize(kept);
    places_.resize(6 * kept);
}

void SweepRegion::read(std::span<const Aabb> boxes, SweepScratch& scratch) const {
    constexpr Value k_upper = Value(1) << 31;
    for (auto& values : scratch.values) values.resize(2 * owners_.size() + 1);
    for (Value i = 0; i < owners_.size(); ++i) {
        const Aabb& box = boxes[owners_[i] & ~k_fixed];
        for (int axis = 0; axis < 3; ++axis) {
            Value* const values = scratch.values[axis].data() + 2 * i;
            values[0] = Value(ordered(box.low[axis])) << 32 | i;
            values[1] = Value(ordered(box.high[axis])) << 32 | k_upper | i;
        }
    }
    for (auto& values : scratch.values) values.back() = 0; // the sentinel is less than all
}

void SweepRegion::sort_anew(const SweepScratch& scratch) {
    for (int axis = 0; axis < 3; ++axis) {
        auto& sequence = sequences_[axis];
        const auto& values = scratch.values[axis];
        std::sort(sequence.begin() + 1, sequence.end(),
                  [&](Endpoint a, Endpoint b) { return values[a] < values[b]; });
        for (std::size_t i = 1; i < sequence.size(); ++i)
            places_[place_index(sequence[i], axis)] = std::uint32_t(i);
    }
}

void SweepRegion::sort_axis(int axis, const Value* values, PairNotes& notes,
                            BroadPhaseCounters& counters) {
    Endpoint* const sequence = sequences_[axis].data();
    const std::size_t size = sequences_[axis].size();
    std::uint32_t* const places = places_.data();
    const int second = (axis + 1) % 3, third = (axis + 2) % 3;
    std::uint64_t swaps = 0, tests = 0;
    sequence[0] = Endpoint(size - 1);
    Value largest = 0; // of those sorted so far
    for (std::size_t i = 1; i < size; ++i) {
        const Endpoint moving = sequence[i];
        const Value value = values[moving];
        if (largest < value) {
            largest = value;
            continue;
        }
        std::size_t to = i;
        Endpoint passed = sequence[to - 1];
        do {
            sequence[to] = passed;
            places[place_index(passed, axis)] = std::uint32_t(to);
            --to;
            // One seldom taken branch instead of three that cannot be predicted.
            const bool opposite = (passed ^ moving) & 1;
            tests += opposite;
            const std::uint32_t box = moving >> 1, other = passed >> 1;
            if (opposite & overlap_on(second, box, other) & overlap_on(third, box, other))
                note(box, other, passed & 1 ? +1 : -1, notes);
            passed = sequence[to - 1];
        } while (values[passed] > value);
        sequence[to] = moving;
        places[place_index(moving, axis)] = std::uint32_t(to);
        swaps += i - to;
    }
    counters.swaps += swaps;
    counters.tests += tests;
}

void SweepRegion::sort(std::span<const Aabb> boxes, bool presort, SweepScratch& scratch,
                       PairNotes& notes, BroadPhaseCounters& counters) {
    // Taking out or inserting one box costs about as many steps as there are endpoints.
    constexpr std::uint32_t k_few = 8;
    if (leaving_.size() > k_few) {
        drop_many(scratch, notes, counters);
    } else {
        // From the highest: the last box, which takes a dropped one's number, then stays.
        std::sort(leaving_.begin(), leaving_.end(), std::greater<>());
        for (const std::uint32_t box : leaving_) drop_one(box, notes, counters);
    }
    leaving_.clear();
    read(boxes, scratch);
    if (presort && added_ > k_few && added_ > size() / 16) {
        sweep(scratch, counters, [&](std::uint32_t a, std::uint32_t b) { note(a, b, -1, notes); });
        sort_anew(scratch);
        sweep(scratch, counters, [&](std::uint32_t a, std::uint32_t b) { note(a, b, +1, notes); });
    } else {
        for (int axis = 0; axis < 3; ++axis)
            sort_axis(axis, scratch.values[axis].data(), notes, counters);
    }
    added_ = 0;
}

} // namespace fovea
