// What a step did, for how long and at what cost.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "fovea/schedule/cost_model.h"

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

/// What a budget did to a step. Without one only the times and units used say something.
struct BudgetReport {
    bool limited = false; ///< there was a budget
    double asked_ms = std::numeric_limits<double>::infinity();
    std::uint64_t asked_units = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t used_units = 0;
    std::array<WorkDone, k_works> works{}; ///< by Work
    /// The least that is ever done: every pair's coarsest answer and the least response to it, as
    /// predicted once all pairs were opened. Milliseconds are of budgets in time.
    std::uint64_t floor_units = 0;
    double floor_ms = 0;
    bool floor_fits = true;

    /// What climbing left unused for what might hold up the rest of the step, because steps were
    /// late before. Of budgets in time.
    double spare_ms = 0;

    // Every pair of bodies that are not both asleep is counted in one of these.
    std::array<std::uint32_t, 16> pairs_at_rung{}; ///< answered by nodes; the last: all above
    std::uint32_t exact_pairs = 0;                 ///< answered by exact geometry
    std::uint32_t pairs_apart = 0;
    std::uint32_t pairs_suppressed = 0; ///< not repelled: proven apart in an earlier step
    std::uint32_t pairs_dropped = 0;    ///< undecided, where such pairs are to be dropped

    std::uint32_t pairs_cut = 0;     ///< of all, those that could have climbed on
    std::uint64_t rungs_climbed = 0; ///< beyond the first of each pair
    /// By so much climbing took longer than what was left for it, of budgets in time: the last
    /// look at the clock came so late. What was set aside has to make up for it.
    double climb_overrun_ms = 0;

    /// Pairs whose contacts were made of a few of their hits: something held the step up while
    /// contacts were modelled. Of budgets in time.
    std::uint32_t pairs_brief = 0;
    std::uint64_t contacts_left_out = 0; ///< of pairs with more than the response had time for
    std::uint32_t sub_steps_left_out = 0, iterations_left_out = 0;
    /// Of the step's time, ms, that was not simulated: something held the response up for so long
    /// that the step was ended after fewer sub-steps. Of budgets in time.
    double time_left_out_ms = 0;
    /// Fast bodies that were not followed: they went no farther than slow ones may.
    std::uint32_t sweeps_left_out = 0;

    /// Time from finding a contact to the end of the response to it, over the pairs.
    double causality_p50_ms = 0, causality_max_ms = 0;
    /// Pairs for which that was 100 ms or more, which viewers notice (Dingliana 6.2.1).
    std::uint32_t late_by_clock = 0;
    /// The same in simulated time: pairs that are answered only now, or are still dropped, 100 ms
    /// or more after their nodes touched or their bodies were held up (see sweeps_left_out).
    std::uint32_t late_by_steps = 0;
    double held_max_ms = 0; ///< the longest such delay, simulated
};

struct StepReport {
    std::uint64_t frame = 0;  ///< number of this step, from 0
    double time = 0;          ///< simulated seconds at its end: see time_left_out_ms
    double wall_ms = 0;       ///< wall-clock time of the whole step
    double cpu_ms = 0;        ///< CPU time of all threads for the whole step
    double thread_cpu_ms = 0; ///< CPU time of the calling thread alone
    PhaseTimes ms;
    BudgetReport budget;

    std::uint64_t bodies = 0;        ///< in the world
    std::uint64_t pairs = 0;         ///< from the broad phase; without a budget all are tested
    std::uint64_t tests = 0;         ///< box tests made by the broad phase
    std::uint64_t swaps = 0;         ///< endpoint exchanges (sweep and prune only)
    std::uint64_t hits = 0;          ///< pairs that intersect
    std::uint64_t contacts = 0;      ///< places where they do
    std::uint64_t awake = 0;         ///< bodies that were moved (soft_step)
    std::uint64_t islands = 0;       ///< of bodies that were moved together (soft_step)
    std::uint64_t colours = 0;       ///< groups of contacts that were solved one after the other
    std::uint64_t joints = 0;        ///< that were solved: those of bodies asleep are not
    std::uint64_t taken_along = 0;   ///< bodies that a surface would have passed through
    std::uint64_t stopped_short = 0; ///< fast bodies that would have passed through something
    std::uint64_t recycled = 0;      ///< manifolds carried along instead of made anew (soft_step)
    /// Groups of sibling nodes that were turned to the axes of the world: see NodePlacing::turned.
    std::uint64_t siblings_turned = 0;
    std::uint64_t refits = 0; ///< boxes of deforming meshes brought up to date
    float worst_depth = 0;    ///< deepest contact found, before it was resolved, m

    /// What the host should know: a refused time step, bodies that had to be stopped.
    std::vector<std::string> warnings;
};

} // namespace fovea
