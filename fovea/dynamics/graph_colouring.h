// Sorting constraints into colours: no two of one colour touch the same movable body, so they can
// be solved at the same time, in SIMD lanes or on threads, with a result that does not depend on
// the order.
//
//   constraints:  (1,2) (2,3) (3,4) (1,wall)        colour 0: (1,2) (3,4)
//                                                   colour 1: (2,3)
//                                                   ...  last: (1,wall)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fovea {

/// The two solver rows of a constraint; k_immovable for a body that cannot move.
struct ConstraintEnds {
    std::uint32_t a, b;
};

class GraphColouring {
  public:
    static constexpr int k_colours = 32;
    /// What fits no colour: to be solved one by one, after all others.
    static constexpr int k_overflow = k_colours;

    /// Colours all constraints, in order, but leaves out those without a movable body. Constraints
    /// with immovable bodies take the last colours: solved last, they have the last word, which
    /// keeps things from sinking into the ground.
    void colour(std::span<const ConstraintEnds> constraints, std::uint32_t bodies);

    /// The constraints of a colour, in their original order.
    std::span<const std::uint32_t> of_colour(int colour) const {
        return std::span(order_).subspan(start_[colour], start_[colour + 1] - start_[colour]);
    }

  private:
    std::vector<std::uint32_t> used_;  ///< colours at each body, a bit each
    std::vector<std::uint8_t> chosen_; ///< per constraint
    std::vector<std::uint32_t> order_; ///< constraints, colour by colour
    std::uint32_t start_[k_colours + 2] = {};
};

} // namespace fovea
