// What a budget does to swept tests: what is set aside for them, how many can be made.
#pragma once

#include <cstdint>

#include "fovea/schedule/step_ledger.h"
#include "fovea/world/step_cut.h"

namespace fovea {

/// Work units of finding what lies in the way of fast bodies, where so many bodies of the search
/// tree have to be brought up to date before.
std::uint64_t search_units(std::size_t owed, std::size_t fast);

class SweepBudget {
  public:
    /// `reserves`: whether anything is set aside at all. `replaying`: whether `cut` says what is
    /// done; else it is told.
    SweepBudget(StepLedger& ledger, StepCut& cut, bool reserves, bool replaying)
        : ledger_(ledger)
        , cut_(cut)
        , reserves_(reserves)
        , replaying_(replaying) {}

    void set_aside(std::uint64_t search_units, std::uint64_t tests);
    /// Keeps of that what fits beside the floor; so many tests are expected.
    void fit(double floor, std::uint64_t tests);

    bool can_search(std::uint64_t units);
    /// How many tests of `all` to make next, after `done`; 0: no more.
    std::size_t affordable(std::size_t done, std::size_t all, int threads);
    /// When tests are to end although they are not done, in wall_seconds().
    double deadline() const;
    /// So many were made.
    void spend(std::size_t tests);

  private:
    StepLedger& ledger_;
    StepCut& cut_;
    bool reserves_, replaying_;
};

} // namespace fovea
