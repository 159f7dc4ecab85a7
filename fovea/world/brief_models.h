// Pairs that are modelled by a few of their hits, because something held the step up.
//
// What climbing leaves to be modelled has its time set aside. Where that is lost amid modelling,
// the pairs still to come are looked at less closely, so that the rest of the step ends in time.
// When that begins, so much time is left as the others will take that way:
//
//   |  climbed  |  modelled  |  held up  |  modelled briefly  | join, respond, finish |
//                                        ^ latest moment      ^ end                   ^ budget
//
// Which pairs these are is part of the step's cut: a replay models them alike.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/clock.h"
#include "fovea/contact/ladder_pair.h"

namespace fovea {

class BriefModels {
  public:
    /// None of so many pairs.
    void begin(std::size_t pairs) {
        flags_.assign(pairs, 0);
        timed_ = false;
    }
    /// Those of a recording.
    void begin(std::size_t pairs, std::span<const std::uint32_t> recorded) {
        begin(pairs);
        for (const std::uint32_t pair : recorded)
            if (pair < pairs) flags_[pair] = 1;
    }
    /// As the clock says. `end`: when all is to be modelled, in wall_seconds(); `seconds`: what all
    /// would take if it were brief; `asking`: how many will ask.
    void begin(std::size_t pairs, double end, double seconds, std::size_t asking) {
        begin(pairs);
        timed_ = true;
        end_ = end;
        seconds_each_ = asking > 0 ? seconds / double(asking) : 0;
        to_come_ = std::uint32_t(asking);
    }

    /// Whether brevity would change anything.
    static bool asks(const PairDescent& hits) { return hits.count > k_brief_hits; }
    /// To be asked once for each pair that `asks`, when its turn comes, by any thread.
    bool is_brief(std::size_t pair) {
        if (timed_) {
            const std::uint32_t left =
                std::atomic_ref(to_come_).fetch_sub(1, std::memory_order_relaxed);
            flags_[pair] = wall_seconds() > end_ - seconds_each_ * left;
        }
        return flags_[pair];
    }
    /// What became of them, a flag each.
    std::span<const std::uint8_t> flags() const { return flags_; }

  private:
    std::vector<std::uint8_t> flags_;
    bool timed_ = false;
    double end_ = 0, seconds_each_ = 0;
    std::uint32_t to_come_ = 0; ///< of those that ask
};

} // namespace fovea
