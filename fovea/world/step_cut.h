// Where a step was cut: with it, the same step can be taken again without a budget or a clock.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "fovea/world/response_plan.h"

namespace fovea {

struct StepCut {
    static constexpr std::uint64_t k_all = std::numeric_limits<std::uint64_t>::max();

    static constexpr std::uint32_t k_all_sub_steps = std::numeric_limits<std::uint32_t>::max();

    bool limited = false;               ///< there was a budget: pairs were opened and climbed
    std::uint64_t grants = k_all;       ///< rungs that were climbed, in the order of the schedule
    std::uint64_t exact_units = k_all;  ///< granted to one pair's exact rung at most
    std::vector<std::uint32_t> batches; ///< rungs granted at once, one batch after the other
    /// Of the rungs granted, in order: those that the clock cut before they were complete, or found
    /// more than there was time to answer.
    std::vector<std::uint32_t> late;
    std::vector<std::uint32_t> brief; ///< pairs that were modelled briefly, in order
    ResponsePlan plan;
    std::uint32_t solved = k_all_sub_steps; ///< sub-steps until time ran out
    bool searched = true;                   ///< fast bodies know what lies in their way
    std::uint64_t sweeps = k_all;           ///< swept tests that were made, the farthest ways first
    std::vector<float> priorities; ///< of the host, for each pair that could climb; else empty

    /// As new, but for memory.
    void clear() {
        limited = false;
        grants = exact_units = sweeps = k_all;
        batches.clear();
        late.clear();
        brief.clear();
        priorities.clear();
        searched = true;
        plan = {};
        solved = k_all_sub_steps;
    }
};

} // namespace fovea
