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
#include "fovea/world/pair_answer.h"

namespace fovea {

class BriefModels {
  public:
    /// Of so many pairs none is brief.
    void begin_whole(std::size_t pairs) {
        recorded_.assign(pairs, 0);
        flags_.assign(pairs, 0);
        timed_ = false;
    }
    /// Those of a recording are, as far as that means anything.
    void begin_recorded(std::size_t pairs, std::span<const std::uint32_t> brief) {
        begin_whole(pairs);
        for (const std::uint32_t pair : brief)
            if (pair < pairs) recorded_[pair] = 1;
    }
    /// The clock decides. `end`: when all are to be modelled, in wall_seconds(). `seconds`: of each
    /// pair, if it were brief where it can be.
    void begin_timed(double end, std::span<const float> seconds) {
        begin_whole(seconds.size());
        seconds_.assign(seconds.begin(), seconds.end());
        to_come_ = 0;
        for (const float each : seconds) to_come_ += double(each);
        end_ = end;
        timed_ = true;
    }

    static bool can_be_brief(const PairAnswer& answer) {
        return answer.kind == PairAnswer::Kind::rung && answer.descent.count > k_brief_hits;
    }
    /// It is the turn of this pair: is it to be brief? Asked once for every pair, by any thread.
    bool turn(std::size_t pair, const PairAnswer& answer) {
        bool brief = recorded_[pair] != 0;
        if (timed_) {
            const double to_come = std::atomic_ref(to_come_).fetch_sub(double(seconds_[pair]),
                                                                       std::memory_order_relaxed);
            brief = can_be_brief(answer) && wall_seconds() > end_ - to_come;
        }
        flags_[pair] = brief && can_be_brief(answer);
        return flags_[pair] != 0;
    }
    /// Which pairs were, a flag each.
    std::span<const std::uint8_t> flags() const { return flags_; }

  private:
    std::vector<std::uint8_t> recorded_, flags_;
    std::vector<float> seconds_;
    bool timed_ = false;
    double end_ = 0;
    double to_come_ = 0; ///< s, of those whose turn has not come
};

} // namespace fovea
