// What is known of pairs from the step before, whatever the response: how far they were apart, how
// high they climbed, for how long they have been waiting for an answer.
//
// A pair that was proven apart stays so until the bodies can have closed the gap. As long as that
// is certain, coarse rungs whose spheres overlap do not repel it (Dingliana 5.3.1, popping):
//
//   step      1               2               3
//   rung      leaves: gap g   root overlaps   root overlaps
//   motion                    m2              m3              no contact while m2 + m3 < g
//
// A gap along an axis shrinks by the motion along it alone (axis_gap.h). It counts only if it will
// last for the step to come as well: bodies that close in are answered before they meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/collide/broad_phase.h"
#include "fovea/world/axis_gap.h"

namespace fovea {

struct PairRecord {
    float gap = 0;   ///< m; the shapes are at least so far apart; 0 if nothing is known
    AxisGap along{}; ///< likewise, along an axis; what was found once, less what was closed since
    float held = 0;  ///< s for which its contact has been waiting: see conclude()
    std::uint8_t patches = 0;
    bool top = false;    ///< the pair reached the top of its ladders
    bool tested = false; ///< exactly, in a step without a budget: where it has contacts is known
};

class PairHistory {
  public:
    /// Starts a step with these pairs, sorted: each takes over the record it had. Those that were
    /// not there in the step before were `rim` apart at least, which is what boxes have.
    void begin(std::span<const ProxyPair> pairs, std::size_t slots, float rim);
    /// A step without a budget tested all its pairs but for those of which neither body is active
    /// (a flag per slot): of these is known what begin() would know.
    void note_tested(std::span<const ProxyPair> pairs, std::span<const std::uint8_t> active,
                     float rim);
    /// Nothing is known of the body: it is new, was moved by hand, or may touch what it might not.
    void forget(std::uint32_t slot);

    /// Of the pair of this number: of the step before until it is overwritten.
    PairRecord& operator[](std::size_t pair) { return records_[pair]; }

    /// What became of the pair of this number in a step of `h` seconds. Returns for how long, in
    /// simulated seconds, its contact has been waiting for the answer that it got or, `dropped`,
    /// still has not: since its nodes touched, and for as long as its bodies had been held up
    /// until then. That is the longest it can have been: a pair held back because it was proven
    /// apart may have touched much later.
    enum class Fate : std::uint8_t { touching, suppressed, dropped, apart };
    float conclude(std::size_t pair, Fate fate, float h);
    /// The body got so many seconds less far in this step than it should have.
    void hold_up(std::uint32_t slot, float seconds) { late_[slot] += seconds; }
    /// Those that touch something now are late no more.
    void forgive();

    /// For base/bytes.h.
    template <class Bytes>
    friend void fields(Bytes& bytes, PairHistory& history) {
        bytes(history.pairs_, history.records_, history.forgotten_, history.late_);
        bytes.choice(history.known_, 3);
    }
    /// Whether the lists agree, with `slots` body slots; for what was read from outside.
    bool consistent(std::size_t slots) const;

  private:
    std::vector<ProxyPair> pairs_, pairs_before_; ///< with a record each
    std::vector<ProxyPair> untested_;             ///< memory of note_tested()
    std::vector<PairRecord> records_, records_before_;
    std::vector<std::uint8_t> touching_;  ///< per pair, in this step
    std::vector<std::uint8_t> forgotten_; ///< per slot, until the next step
    std::vector<float> late_;             ///< per slot, s: see hold_up()
    enum class Known : std::uint8_t { nothing, all_listed, others_tested };
    Known known_ = Known::nothing; ///< of the step before this one, beside what pairs_ says
};

} // namespace fovea
