// How much a computation may spend, and the meter that tells it when to stop.
//
// A budget is unlimited, wall-clock time, or counted work units. Work units are deterministic: the
// same inputs are cut at the same place on every machine. One unit is about one test of two boxes;
// dearer operations charge more.
//
//   WorkMeter work(Budget::milliseconds(2));
//   while (there is more && !work.exhausted()) work.charge(cost of the next piece), do it;
//
#pragma once

#include <cstdint>
#include <limits>

namespace fovea {

class Budget {
  public:
    /// Never cuts.
    static constexpr Budget unlimited() { return {}; }
    /// Cuts after this many milliseconds of wall-clock time, counted from the beginning: of a step,
    /// or the making of a meter. What is negative or no number is no time at all.
    static constexpr Budget milliseconds(double ms) {
        Budget budget;
        budget.milliseconds_ = ms > 0 ? ms : 0;
        return budget;
    }
    /// Cuts after this many work units.
    static constexpr Budget work(std::uint64_t units) {
        Budget budget;
        budget.units_ = units;
        return budget;
    }

    constexpr bool is_unlimited() const { return !is_timed() && !is_counted(); }
    constexpr bool is_timed() const {
        return milliseconds_ < std::numeric_limits<double>::infinity();
    }
    constexpr bool is_counted() const { return units_ != k_no_limit; }
    constexpr double milliseconds() const { return milliseconds_; }
    constexpr std::uint64_t units() const { return units_; }

  private:
    static constexpr std::uint64_t k_no_limit = ~std::uint64_t(0);

    double milliseconds_ = std::numeric_limits<double>::infinity();
    std::uint64_t units_ = k_no_limit;
};

class WorkMeter {
  public:
    explicit WorkMeter(Budget budget = Budget::unlimited());
    /// Cut by whichever comes first, so many units or the moment `deadline`, in wall_seconds().
    /// `seconds_per_unit`: of what affords() is asked about.
    WorkMeter(std::uint64_t units, double deadline, double seconds_per_unit = 0);

    void charge(std::uint64_t units) { spent_ += units; }
    std::uint64_t spent() const { return spent_; }

    /// True from the moment the budget is spent. Reads the clock only once per few hundred units,
    /// so that asking is cheap.
    bool exhausted() {
        if (spent_ < next_check_) return false;
        return check();
    }

    /// Units that may still be charged before exhausted() can have anything new to say: loops that
    /// must not ask at every turn run this far and ask then.
    std::uint64_t until_check() const { return next_check_ > spent_ ? next_check_ - spent_ : 0; }
    /// Units left to be charged; of budgets in time any number.
    std::uint64_t left() const { return units_ > spent_ ? units_ - spent_ : 0; }
    /// Whether so many units of work, which what was found makes necessary later, still fit. Where
    /// it is the clock that says no, the meter is exhausted.
    bool affords(std::uint64_t units);
    /// It was the clock that ended it.
    bool late() const { return late_; }

  private:
    bool check();

    std::uint64_t units_, spent_ = 0;
    std::uint64_t next_check_ = 0;
    double deadline_; ///< in wall_seconds(); infinite: none
    double seconds_per_unit_;
    bool late_ = false;
};

} // namespace fovea
