// What a budget does to swept tests: how many are set aside, how many can be made.
#include <algorithm>
#include <limits>

#include "fovea/world/world.h"

namespace fovea {

namespace {

// Work units, about two nanoseconds each.
constexpr std::uint64_t k_index_units = 80;  ///< of a body: the search tree of swept tests
constexpr std::uint64_t k_way_units = 200;   ///< of a fast body: what lies in its way
constexpr std::uint64_t k_fast_units = 1000; ///< of the swept test of a fast body

/// Of so many fast bodies one is expected to find something in its way that had nothing in the step
/// before; of fewer none.
constexpr std::uint64_t k_newly_blocked = 8;

} // namespace

void World::set_sweeps_aside(float h) {
    const float gain = length(settings_.gravity) * h;
    fast_.clear();
    const bool obstacles = has_obstacles();
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (bodies_.movable(slot) && active_[slot] && (obstacles || fast_flags_[slot]) &&
            goes_far(slot, (length(bodies_.velocity[slot]) + gain) * h))
            fast_.push_back({slot});
    if (fast_.empty()) return;
    query_index_->set_moved();
    accounts_.ledger.set_aside(Work::index, index_units(fast_.size(), layers_of(fast_)));
    accounts_.ledger.set_aside(Work::sweep, sweeps_expected() * k_fast_units);
}

std::uint64_t World::sweeps_expected() const {
    // Of those with nothing in their way so far some may have now. What is too few makes bodies
    // late; what is too much is time that nothing else may use.
    const std::uint64_t more = fast_.size() / k_newly_blocked;
    return std::min<std::uint64_t>(fast_.size(), blocked_before_ + more);
}

void World::fit_sweeps(double floor) {
    StepLedger& ledger = accounts_.ledger;
    const double left = ledger.limit() - floor - ledger.reserved(Work::index);
    const double fits = left / (double(k_fast_units) * ledger.price(Work::sweep));
    if (fits >= double(sweeps_expected())) return;
    ledger.open(Work::sweep);
    if (fits >= 1)
        ledger.set_aside(Work::sweep, std::uint64_t(fits) * k_fast_units);
    else if (left < 0)
        ledger.open(Work::index);
}

bool World::can_index(std::uint64_t units) {
    if (cut_.limited && settings_.schedule.reserve_response && !replaying_) {
        StepLedger& ledger = accounts_.ledger;
        ledger.look();
        ledger.open(Work::index);
        cut_.searched = ledger.used() + double(units) * ledger.price(Work::index) +
                            ledger.reserved(Work::finish) <=
                        ledger.limit();
    }
    return cut_.searched;
}

std::size_t World::affordable_sweeps(std::size_t done, std::size_t all) {
    const std::size_t left = all - done;
    if (!cut_.limited || !settings_.schedule.reserve_response) return left;
    if (replaying_) return std::min<std::size_t>(left, cut_.sweeps - std::min(cut_.sweeps, done));
    StepLedger& ledger = accounts_.ledger;
    ledger.look();
    const double free = ledger.limit() - ledger.used() - ledger.reserved(Work::finish);
    if (free <= 0) return 0;
    // What takes too long is cut: a price that is too high must not keep tests from being made, or
    // nothing would ever bring it down.
    if (ledger.is_timed()) return std::min(left, std::size_t(jobs_.threads()));
    return std::min(left, std::size_t(free / double(k_fast_units)));
}

double World::sweep_deadline() const {
    const StepLedger& ledger = accounts_.ledger;
    if (!ledger.is_timed() || !settings_.schedule.reserve_response)
        return std::numeric_limits<double>::infinity();
    return ledger.start() + (ledger.limit() - ledger.reserved(Work::finish)) * 1e-9;
}

std::uint64_t World::index_units(std::size_t fast, QueryIndex::Layers layers) const {
    return query_index_->owed(layers) * k_index_units + fast * k_way_units;
}

void World::note_sweeps(std::size_t count) {
    accounts_.ledger.spend(Work::sweep, count * k_fast_units);
}

} // namespace fovea
