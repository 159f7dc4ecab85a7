#include "fovea/world/sweep_budget.h"

#include <algorithm>
#include <limits>

namespace fovea {

namespace {

// Work units, about two nanoseconds each.
constexpr std::uint64_t k_index_units = 80;  ///< of a body: the search tree of swept tests
constexpr std::uint64_t k_way_units = 200;   ///< of a fast body: what lies in its way
constexpr std::uint64_t k_test_units = 1000; ///< of the swept test of a fast body

} // namespace

std::uint64_t search_units(std::size_t owed, std::size_t fast) {
    return owed * k_index_units + fast * k_way_units;
}

void SweepBudget::set_aside(std::uint64_t search_units, std::uint64_t tests) {
    ledger_.set_aside(Work::index, search_units);
    ledger_.set_aside(Work::sweep, tests * k_test_units);
}

void SweepBudget::fit(double floor, std::uint64_t tests) {
    const double left = ledger_.limit() - floor - ledger_.reserved(Work::index);
    const double fits = left / (double(k_test_units) * ledger_.price(Work::sweep));
    if (fits >= double(tests)) return;
    ledger_.open(Work::sweep);
    if (fits >= 1)
        ledger_.set_aside(Work::sweep, std::uint64_t(fits) * k_test_units);
    else if (left < 0)
        ledger_.open(Work::index);
}

bool SweepBudget::can_search(std::uint64_t units) {
    if (cut_.limited && reserves_ && !replaying_) {
        ledger_.look();
        ledger_.open(Work::index);
        cut_.searched = ledger_.used() + double(units) * ledger_.price(Work::index) +
                            ledger_.reserved(Work::finish) <=
                        ledger_.limit();
    }
    return cut_.searched;
}

std::size_t SweepBudget::affordable(std::size_t done, std::size_t all, int threads) {
    const std::size_t left = all - done;
    if (!cut_.limited || !reserves_) return left;
    if (replaying_) return std::min<std::size_t>(left, cut_.sweeps - std::min(cut_.sweeps, done));
    ledger_.look();
    const double free = ledger_.limit() - ledger_.used() - ledger_.reserved(Work::finish);
    if (free <= 0) return 0;
    // What takes too long is cut: a price that is too high must not keep tests from being made, or
    // nothing would ever bring it down.
    if (ledger_.is_timed()) return std::min(left, std::size_t(threads));
    return std::min(left, std::size_t(free / double(k_test_units)));
}

double SweepBudget::deadline() const {
    if (!ledger_.is_timed() || !reserves_) return std::numeric_limits<double>::infinity();
    return ledger_.start() + (ledger_.limit() - ledger_.reserved(Work::finish)) * 1e-9;
}

void SweepBudget::spend(std::size_t tests) {
    ledger_.spend(Work::sweep, tests * k_test_units);
}

} // namespace fovea
