// How rungs of nodes become contacts where a pair is not answered exactly.
#pragma once

#include "fovea/base/result.h"
#include "fovea/collide/pair_descent.h"
#include "fovea/contact/contact_reduction.h"
#include "fovea/contact/node_contact.h"

namespace fovea {

constexpr std::uint32_t k_descent_policies = 2, k_reductions = 5, k_point_formulas = 3,
                        k_node_placings = 2;

/// How nodes of two bodies get to where they can be compared. Hits are the same but for rounding.
enum class NodePlacing : std::uint8_t {
    carried, ///< pair by pair, from one body's frame into the other's: needs no memory
    turned,  ///< body by body, once a step, when they are first needed: see collide/turned_nodes.h
};

struct CoarseContactSettings {
    /// Which tree of a pair goes down from rung to rung. Exact rungs start from the same leaves
    /// either way, but in another order.
    DescentPolicy descent = DescentPolicy::staircase;
    /// From the hits of nodes to a few contacts.
    Reduction reduction = Reduction::grouped;
    /// Where between two nodes their contact is.
    PointFormula point = PointFormula::ratio;
    /// Which pays depends on the scene: docs/ladders.md has figures.
    NodePlacing nodes = NodePlacing::carried;
};

/// Refuses values that are none of the choices.
Result<void> check_settings(const CoarseContactSettings& settings);

} // namespace fovea
