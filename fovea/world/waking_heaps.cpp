#include "fovea/world/waking_heaps.h"

#include <limits>

namespace fovea {

void WakingHeaps::begin(const Sleepers& sleepers) {
    sleepers_ = &sleepers;
    on_floor_ = {};
    heaps_.assign(sleepers.heaps().size(), {});
    for (std::size_t i = 0; i < heaps_.size(); ++i) {
        const Sleepers::Heap& heap = sleepers.heaps()[i];
        if (!heap.wakes) continue;
        heaps_[i] = {.pairs = 1, .on_floor = true}; // and no pair can change it
        on_floor_ += heap.load;
    }
}

void WakingHeaps::note_pair(const ProxyPair& pair, bool touches) {
    const std::uint32_t number = sleepers_->heap_of(pair);
    if (number == Sleepers::k_none) return;
    Heap& heap = heaps_[number];
    ++heap.pairs;
    if (!touches || heap.on_floor) return;
    heap.on_floor = true;
    on_floor_ += sleepers_->heaps()[number].load;
}

void WakingHeaps::set_aside(const WakingUnits& units, StepLedger& ledger) {
    double free = ledger.climb_limit() - ledger.used() - ledger.reserved();
    for (std::size_t i = 0; i < heaps_.size(); ++i) {
        Heap& heap = heaps_[i];
        if (heap.pairs == 0) continue;
        const ResponseLoad& load = sleepers_->heaps()[i].load;
        const std::uint64_t join = load.pairs * units.join_pair;
        const auto fits = [&](std::uint64_t respond, double within) {
            const double price = double(respond) * ledger.price(Work::respond) +
                                 double(join) * ledger.price(Work::join);
            if (price > within) return false;
            heap.respond = respond, heap.join = join;
            free -= price;
            return true;
        };
        const std::uint64_t least = units.respond(load, least_plan(units.full));
        const double for_floor = units.floor_fits ? std::numeric_limits<double>::infinity() : free;
        const bool kept = heap.on_floor ? fits(units.respond(load, units.full), free / 2) ||
                                              fits(least, for_floor)
                                        : fits(least, free / 2);
        if (!kept) continue;
        ledger.set_aside(Work::respond, heap.respond);
        ledger.set_aside(Work::join, heap.join);
    }
}

void WakingHeaps::note_apart(const ProxyPair& pair, StepLedger& ledger) {
    const std::uint32_t number = sleepers_->heap_of(pair);
    if (number == Sleepers::k_none || --heaps_[number].pairs > 0) return;
    ledger.release(Work::respond, heaps_[number].respond);
    ledger.release(Work::join, heaps_[number].join);
}

} // namespace fovea
