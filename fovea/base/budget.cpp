#include "fovea/base/budget.h"

#include "fovea/base/clock.h"

namespace fovea {

namespace {
/// Between two looks at the clock: a few microseconds of work.
constexpr std::uint64_t k_units_per_look = 256;
} // namespace

WorkMeter::WorkMeter(Budget budget)
    : budget_(budget) {
    if (budget.is_timed())
        deadline_ = wall_seconds() + budget.milliseconds() * 1e-3;
    else
        next_check_ = budget.units();
}

bool WorkMeter::check() {
    if (budget_.is_counted() && spent_ >= budget_.units()) return true;
    if (budget_.is_timed() && wall_seconds() >= deadline_) return true;
    // An unlimited budget comes here only after 2^64 units.
    if (budget_.is_timed()) next_check_ = spent_ + k_units_per_look;
    return false;
}

} // namespace fovea
