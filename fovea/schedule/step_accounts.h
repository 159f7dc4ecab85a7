// The ledger of a step together with the prices that all steps teach it.
#pragma once

#include "fovea/base/clock.h"
#include "fovea/schedule/spare_time.h"
#include "fovea/schedule/step_ledger.h"

namespace fovea {

class StepAccounts {
  public:
    StepLedger ledger;

    /// `alone`: all work is done by the calling thread. Its CPU time then tells what work takes,
    /// without the times in which the machine did something else.
    void begin(const Budget& budget, bool alone) {
        alone_ = alone;
        done_ = {};
        mark_ = wall_seconds();
        price_mark_ = alone ? thread_cpu_seconds() : mark_;
        ledger.begin(budget, costs_, mark_, spare_.share());
    }
    /// All that was done since the last call, or the beginning, was this.
    void done(Work work, std::uint64_t units) {
        ledger.spend(work, units);
        note(work, true);
    }
    /// The same of work that the ledger knows already.
    void done(Work work) { note(work, true); }
    /// Of which the last was cut: nobody knows what it would have taken, and prices learn nothing.
    void cut(Work work) { note(work, false); }
    /// What was done since the last call is no work of any kind.
    void skip() {
        mark_ = wall_seconds();
        price_mark_ = alone_ ? thread_cpu_seconds() : mark_;
        ledger.look();
    }
    /// The step is done; it was given this, and its floor fitted.
    void end(const Budget& budget) {
        if (ledger.is_timed())
            spare_.note((wall_seconds() - ledger.start()) * 1e3 / budget.milliseconds());
    }
    /// Seconds since the step began, as of the last call of done().
    double elapsed() const { return mark_ - ledger.start(); }

    const std::array<WorkDone, k_works>& done() const { return done_; }

  private:
    void note(Work work, bool whole) {
        const double before = price_mark_;
        skip();
        ledger.open(work);
        const std::uint64_t units = ledger.spent_units(work);
        done_[std::size_t(work)] = {units, (price_mark_ - before) * 1e3,
                                    double(units) * costs_.nanoseconds(work) * 1e-6};
        if (whole) costs_.note(work, units, price_mark_ - before);
    }

    CostModel costs_;
    SpareTime spare_;
    std::array<WorkDone, k_works> done_{};
    double mark_ = 0, price_mark_ = 0;
    bool alone_ = true;
};

} // namespace fovea
