// The part of a budget in time that climbing leaves for what may hold up the rest of the step.
//
// How often a machine takes a thread away, and for how long, is not known before. So it is learnt:
// a step that was late takes a little more of the next ones, one that was not a very little less.
// The two are in balance where one step in two thousand is late:
//
//   late        share + k_more                          at most k_most
//   not late    share - k_more * k_wanted               at least 0
//
// A step that was late by more than could be spared says nothing of how much to spare.
#pragma once

#include <algorithm>

namespace fovea {

class SpareTime {
  public:
    /// Of the budget, 0 to k_most.
    double share() const { return share_; }
    /// A step whose floor fitted took so much of its budget, 1 being all of it.
    void note(double taken) {
        if (taken > 1 + k_most) return;
        share_ = taken > 1 ? std::min(share_ + k_more, k_most)
                           : std::max(share_ - k_more * k_wanted, 0.0);
    }

  private:
    static constexpr double k_wanted = 0.0005; ///< part of the steps that may be late
    static constexpr double k_more = 0.04, k_most = 0.25;

    double share_ = 0;
};

} // namespace fovea
