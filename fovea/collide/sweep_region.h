// Baraff's sorted endpoint lists for the boxes of one region of space (Stokes 4.5).
//
// Each axis has a sequence of endpoints, a lower and an upper one per box, kept sorted by an
// insertion sort that finds it nearly sorted from the step before. Sequences hold numbers of
// endpoints; their values are read from the boxes for each sort, so that a sequence already in
// order is not even written to. A flat array holds the place of each endpoint in its sequence,
// six per box:
//
//   places     xmin xmax ymin ymax zmin zmax | xmin xmax ...       box i starts at 6i
//   x sequence   a(   b(   a)   c(   b)   c)                       a overlaps b, b overlaps c
//
// Two boxes overlap in the sequences if on every axis the lower end of each stands before the
// upper end of the other. Exchanging two neighbours changes this only for their own two boxes on
// that axis, so a change of status is noticed in the exchange: if the boxes overlap on the other
// two axes, they begin or cease to overlap. Those axes are compared by places, never by values:
// sequences not yet sorted in this step still describe the old state, and only places agree with
// the set of pairs kept so far. At equal values a lower end sorts before an upper one, so that
// touching boxes overlap.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/collide/pair_ledger.h"

namespace fovea {

/// Memory that regions use while they are sorted, shared between them.
struct SweepScratch {
    std::array<std::vector<std::uint64_t>, 3> values; ///< of the endpoints on each axis
    std::vector<std::uint32_t> renumbered;
    std::vector<std::uint32_t> active;
};

class SweepRegion {
  public:
    /// A box enters behind all others, overlapping none; sort() carries it to its place.
    void add(std::uint32_t proxy, bool fixed);
    void remove(std::uint32_t proxy);
    void clear();

    /// Members, including those about to go.
    std::uint32_t size() const { return std::uint32_t(owners_.size()); }
    bool empty() const { return owners_.size() == leaving_.size(); }
    std::uint32_t proxy(std::uint32_t box) const { return owners_[box] & ~k_fixed; }

    /// Whether there is anything to sort: members came, went or moved (a flag for each proxy).
    bool needs_sort(std::span<const std::uint8_t> moved) const;

    /// Sorts all three sequences by the new boxes (by proxy number) and notes the pairs that begin
    /// and cease to overlap. With `presort`, a great many additions are sorted in O(n log n) and
    /// their pairs found by a sweep; else all are inserted one by one.
    void sort(std::span<const Aabb> boxes, bool presort, SweepScratch& scratch, PairNotes& notes,
              BroadPhaseCounters& counters);

    /// Starts to load this region's own memory into the cache, or its members' boxes.
    void prefetch() const;
    void prefetch(std::span<const Aabb> boxes) const;

    /// Place of a box's lower or upper end in the sequence of an axis.
    std::uint32_t place(std::uint32_t box, int axis, bool upper) const {
        return places_[6 * box + 2 * axis + upper] - 1;
    }

  private:
    // An endpoint is 2 box + upper. Its value is one number, so that comparing numbers compares
    // coordinate, then side, then box:
    //   | coordinate, order-preserving : 32 | upper : 1 | box : 31 |
    using Endpoint = std::uint32_t;
    using Value = std::uint64_t;
    static std::size_t place_index(Endpoint endpoint, int axis) {
        return 6 * std::size_t(endpoint >> 1) + 2 * axis + (endpoint & 1);
    }
    static constexpr std::uint32_t k_fixed = 0x80000000u; ///< in owners_

    void read(std::span<const Aabb> boxes, SweepScratch& scratch) const;
    void drop_one(std::uint32_t box, PairNotes& notes, BroadPhaseCounters& counters);
    void drop_many(SweepScratch& scratch, PairNotes& notes, BroadPhaseCounters& counters);
    void sort_anew(const SweepScratch& scratch);
    void sort_axis(int axis, const Value* values, PairNotes& notes, BroadPhaseCounters& counters);
    template <class Visit>
    void sweep(SweepScratch& scratch, BroadPhaseCounters& counters, Visit&& visit) const;
    bool overlap_on(int axis, std::uint32_t box_a, std::uint32_t box_b) const {
        const std::uint32_t* a = places_.data() + 6 * std::size_t(box_a) + 2 * axis;
        const std::uint32_t* b = places_.data() + 6 * std::size_t(box_b) + 2 * axis;
        return (a[0] < b[1]) & (b[0] < a[1]);
    }
    void note(std::uint32_t box_a, std::uint32_t box_b, int change, PairNotes& notes) const;

    std::vector<std::uint32_t> owners_; ///< proxy number and fixed flag of each box
    std::vector<std::uint32_t> places_; ///< six per box; counted from 1 because of the sentinel
    std::array<std::vector<Endpoint>, 3> sequences_; ///< each begins with a sentinel
    std::vector<std::uint32_t> leaving_;             ///< boxes removed since the last sort
    std::uint32_t added_ = 0;                        ///< boxes since the last sort
};

} // namespace fovea
