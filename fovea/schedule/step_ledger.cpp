#include "fovea/schedule/step_ledger.h"

#include <limits>

#include "fovea/base/clock.h"

namespace fovea {

namespace {

/// Part of a time that is left for what nobody foresees: the last piece of work is never exactly as
/// long as its price says.
constexpr double k_spare = 0.04;

} // namespace

void StepLedger::begin(const Budget& budget, const CostModel& costs, double start, double spare) {
    *this = StepLedger();
    timed_ = budget.is_timed();
    start_ = start;
    limit_ = timed_                ? budget.milliseconds() * 1e6 * (1 - k_spare)
             : budget.is_counted() ? double(budget.units())
                                   : std::numeric_limits<double>::infinity();
    spare_ = timed_ ? limit_ * spare : 0;
    for (std::size_t i = 0; i < k_works; ++i) {
        prices_[i] = timed_ ? costs.nanoseconds(Work(i)) : 1;
        usual_prices_[i] = timed_ ? costs.usual_nanoseconds(Work(i)) : 1;
    }
}

void StepLedger::spend(Work work, std::uint64_t units) {
    spent_ += units;
    spent_by_[std::size_t(work)] += units;
    if (!timed_) used_ = double(spent_);
}

void StepLedger::look() {
    if (timed_) used_ = (wall_seconds() - start_) * 1e9;
}

double StepLedger::reserved() const {
    double sum = 0;
    for (std::size_t i = 0; i < k_works; ++i) sum += reserved(Work(i));
    return sum;
}

} // namespace fovea
