#include "fovea/base/budget.h"

#include <algorithm>

#include "fovea/base/clock.h"

namespace fovea {

namespace {
/// Between two looks at the clock: a few microseconds of work.
constexpr std::uint64_t k_units_per_look = 256;
} // namespace

WorkMeter::WorkMeter(Budget budget)
    : WorkMeter(budget.units(), budget.is_timed() ? wall_seconds() + budget.milliseconds() * 1e-3
                                                  : std::numeric_limits<double>::infinity()) {}

WorkMeter::WorkMeter(std::uint64_t units, double deadline, double seconds_per_unit)
    : units_(units)
    , deadline_(deadline)
    , seconds_per_unit_(seconds_per_unit) {
    // Without a deadline there is nothing to look at before the units are spent.
    if (deadline == std::numeric_limits<double>::infinity()) next_check_ = units;
}

bool WorkMeter::affords(std::uint64_t units) {
    if (units == 0) return true;
    if (units > left() || late_) return false;
    if (deadline_ < std::numeric_limits<double>::infinity())
        late_ = wall_seconds() + double(units) * seconds_per_unit_ >= deadline_;
    if (late_) next_check_ = spent_;
    return !late_;
}

bool WorkMeter::check() {
    if (spent_ >= units_ || late_) return true;
    late_ = wall_seconds() >= deadline_;
    next_check_ = std::min(spent_ + k_units_per_look, units_);
    return late_;
}

} // namespace fovea
