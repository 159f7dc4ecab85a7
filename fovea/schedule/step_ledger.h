// The accounts of a step: what is spent, what is set aside for work still to come, what is left.
//
//   |<----------------------------- limit ------------------------------->|
//   |  used  | promised |      free      |            set aside           |
//             to the       for further     contacts and response to all
//             batch        rungs           that was found, the step's end
//
// A budget in units counts all work at one a unit. A budget in time takes what the clock says for
// what is done, and the prices of a CostModel for what is to come; everything else is the same.
#pragma once

#include <array>
#include <cstdint>

#include "fovea/base/budget.h"
#include "fovea/schedule/cost_model.h"

namespace fovea {

class StepLedger {
  public:
    /// `start`: of the step, in wall_seconds(). `spare`: of a budget in time, the part that
    /// climbing leaves for hold-ups.
    void begin(const Budget& budget, const CostModel& costs, double start, double spare = 0);

    /// Work that was done.
    void spend(Work work, std::uint64_t units);
    /// Changes what is set aside.
    void set_aside(Work work, std::uint64_t units) { aside_[std::size_t(work)] += units; }
    void release(Work work, std::uint64_t units) { aside_[std::size_t(work)] -= units; }
    std::uint64_t aside(Work work) const { return aside_[std::size_t(work)]; }
    /// Forgets what was set aside for a kind of work: it is about to be spent.
    void open(Work work) { aside_[std::size_t(work)] = 0; }

    /// Brings time up to date. Without effect on budgets in units.
    void look();

    /// Units, or nanoseconds of a budget in time.
    double limit() const { return limit_; }
    /// Of climbing: what may hold up the rest of the step is spared.
    double climb_limit() const { return limit_ - spare_; }
    double spare() const { return spare_; }
    double used() const { return used_; }
    double price(Work work) const { return prices_[std::size_t(work)]; }
    /// What a unit takes in most steps.
    double usual_price(Work work) const { return usual_prices_[std::size_t(work)]; }
    /// All that is set aside, and what is for one kind of work.
    double reserved() const;
    double reserved(Work work) const { return double(aside(work)) * price(work); }
    std::uint64_t spent_units() const { return spent_; }
    std::uint64_t spent_units(Work work) const { return spent_by_[std::size_t(work)]; }
    bool is_timed() const { return timed_; }
    double start() const { return start_; }

  private:
    std::array<double, k_works> prices_{}, usual_prices_{};
    std::array<std::uint64_t, k_works> aside_{}, spent_by_{};
    std::uint64_t spent_ = 0;
    double limit_ = 0, spare_ = 0, used_ = 0, start_ = 0;
    bool timed_ = false;
};

} // namespace fovea
