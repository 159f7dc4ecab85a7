// What a step did, for how long and at what cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fovea {

/// Wall-clock milliseconds of the phases of one step.
struct PhaseTimes {
    double broad = 0;    ///< boxes and pairs
    double narrow = 0;   ///< exact tests
    double islands = 0;  ///< who belongs together, wakes or falls asleep (soft_step)
    double response = 0; ///< impulses and displacements; with soft_step, motion too
    double fast = 0;     ///< swept tests of fast bodies (soft_step)
    double motion = 0;   ///< forces, velocities, poses (impulse)
    double events = 0;   ///< what began and ended, sensors
};

struct StepReport {
    std::uint64_t frame = 0; ///< number of this step, from 0
    double time = 0;         ///< simulated seconds at its end
    double wall_ms = 0;      ///< wall-clock time of the whole step
    double cpu_ms = 0;       ///< CPU time of all threads for the whole step
    PhaseTimes ms;

    std::uint64_t bodies = 0;        ///< in the world
    std::uint64_t pairs = 0;         ///< from the broad phase; each is tested exactly
    std::uint64_t tests = 0;         ///< box tests made by the broad phase
    std::uint64_t swaps = 0;         ///< endpoint exchanges (sweep and prune only)
    std::uint64_t hits = 0;          ///< pairs that intersect
    std::uint64_t contacts = 0;      ///< places where they do
    std::uint64_t awake = 0;         ///< bodies that were moved (soft_step)
    std::uint64_t islands = 0;       ///< of bodies that were moved together (soft_step)
    std::uint64_t colours = 0;       ///< groups of contacts that were solved one after the other
    std::uint64_t joints = 0;        ///< that were solved: those of bodies asleep are not
    std::uint64_t stopped_short = 0; ///< fast bodies that would have passed through something
    std::uint64_t recycled = 0;      ///< manifolds carried along instead of made anew (soft_step)
    float worst_depth = 0;           ///< deepest contact found, before it was resolved, m

    /// What the host should know: a refused time step, bodies that had to be stopped.
    std::vector<std::string> warnings;
};

} // namespace fovea
