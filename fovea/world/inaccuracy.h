// How wrong a step's answers were, against exact geometry: outside any budget, when asked for.
#pragma once

#include <cstdint>
#include <span>

#include "fovea/world/narrow_phase.h"
#include "fovea/world/pair_answer.h"

namespace fovea {

struct Inaccuracy {
    std::uint32_t touching = 0; ///< pairs answered as touching by nodes
    /// Sum over these of the distance between the centres of the last two nodes found to
    /// intersect, m: geometric inaccuracy as O'Sullivan (4) defines it. True contacts of leaves
    /// contribute too, those found by exact geometry do not.
    double delta = 0;
    /// Of these, pairs whose surfaces were in truth apart: repelled at a distance.
    std::uint32_t repelled = 0;
    double gap = 0;         ///< between the surfaces of these, m: sum
    double worst_gap = 0;   ///< and largest
    double penetration = 0; ///< depth of all those measured that do touch, m: the largest

    /// Pairs that were not answered though nodes touch: suppressed or dropped.
    std::uint32_t left_out = 0;
    std::uint32_t missed = 0; ///< of these, pairs whose surfaces do touch
    double missed_depth = 0;  ///< of these, m: the largest
};

/// Of the answers to `pairs`. Takes far longer than the step did.
Inaccuracy measure_inaccuracy(std::span<const ProxyPair> pairs, const PlacedShapes& bodies,
                              std::span<const PairAnswer> answers);

/// Distance between the surfaces of two bodies, m; negative, and a local measure, where they cross;
/// infinite beyond `reach`.
double exact_separation(const LadderPair& pair, double reach, LadderWorker& worker);

} // namespace fovea
