// The ledger of a step together with the prices that all steps teach it.
#pragma once

#include "fovea/base/clock.h"
#include "fovea/schedule/step_ledger.h"

namespace fovea {

class StepAccounts {
  public:
    StepLedger ledger;

    void begin(const Budget& budget) {
        mark_ = wall_seconds();
        ledger.begin(budget, costs_, mark_);
    }
    /// All that was done since the last call, or the beginning, was this.
    void done(Work work, std::uint64_t units) {
        ledger.spend(work, units);
        done(work);
    }
    /// The same of work that the ledger knows already.
    void done(Work work) {
        const double before = mark_;
        skip();
        ledger.open(work);
        costs_.note(work, ledger.spent_units(work), mark_ - before);
    }
    /// What was done since the last call is no work of any kind.
    void skip() {
        mark_ = wall_seconds();
        ledger.look();
    }
    /// Seconds since the step began, as of the last call of done().
    double elapsed() const { return mark_ - ledger.start(); }

  private:
    CostModel costs_;
    double mark_ = 0;
};

} // namespace fovea
