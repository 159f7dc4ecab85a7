// The pairs that a sweep keeps from step to step.
//
// While endpoints are sorted, pairs begin and end to overlap; each change is noted as +1 or -1. At
// the end of the step the few notes are sorted, added up per pair and merged into the sorted list,
// which costs one linear pass and no tree. A pair may be known in several regions at once, so the
// list holds how many know it:
//
//   kept     (0,1):1  (0,5):2  (3,4):1
//   notes             (0,5):-1         (2,9):+1 (3,4):-1
//   becomes  (0,1):1  (0,5):1          (2,9):1
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/collide/pair_runs.h"

namespace fovea {

/// How many regions know a pair, or how many more do.
struct PairCount {
    std::uint64_t key; ///< a in the upper half, b in the lower
    std::int64_t count;
};

/// Changes, in any order.
class PairNotes {
  public:
    /// Notes that one more region (+1) or one fewer (-1) knows the pair {a, b}.
    void note(std::uint32_t a, std::uint32_t b, int change) {
        const std::uint64_t low = a < b ? a : b, high = a < b ? b : a;
        notes_.push_back({low << 32 | high, change});
    }
    std::span<const PairCount> all() const { return notes_; }
    void clear() { notes_.clear(); }

  private:
    std::vector<PairCount> notes_;
};

class PairLedger {
  public:
    /// Takes the notes over, and leaves none.
    void take(PairNotes& notes);

    /// Brings the list up to date with the notes taken.
    void settle();

    /// Forgets all pairs and notes.
    void clear();

    /// Appends the pairs as one run.
    void append_to(PairRuns& runs) const;

    std::size_t size() const { return kept_.size(); }

  private:
    std::vector<PairCount> kept_, notes_, scratch_;
};

} // namespace fovea
