#include "fovea/dynamics/graph_colouring.h"

#include <algorithm>
#include <bit>

#include "fovea/dynamics/solver_bodies.h"

namespace fovea {

namespace {

/// The colours that contacts between movable bodies may take; the others are for contacts with
/// immovable ones, of which a body seldom has many.
constexpr std::uint32_t k_movable_colours = 0x00ffffffu;

constexpr std::uint8_t k_left_out = 0xff; ///< instead of a colour

} // namespace

void GraphColouring::colour(std::span<const ConstraintEnds> constraints, std::uint32_t bodies) {
    used_.assign(bodies, 0);
    chosen_.resize(constraints.size());
    std::fill(std::begin(start_), std::end(start_), 0);

    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const auto [a, b] = constraints[i];
        if (a == k_immovable && b == k_immovable) {
            chosen_[i] = k_left_out;
            continue;
        }
        const bool both_move = a != k_immovable && b != k_immovable;
        const std::uint32_t taken =
            (a != k_immovable ? used_[a] : 0) | (b != k_immovable ? used_[b] : 0);
        std::uint32_t free = ~taken;
        if (both_move) free &= k_movable_colours;
        // Contacts with the ground take the highest colour that is free, others the lowest.
        const int colour = free == 0   ? k_overflow
                           : both_move ? std::countr_zero(free)
                                       : 31 - std::countl_zero(free);
        if (colour != k_overflow) {
            const std::uint32_t bit = std::uint32_t(1) << colour;
            if (a != k_immovable) used_[a] |= bit;
            if (b != k_immovable) used_[b] |= bit;
        }
        chosen_[i] = std::uint8_t(colour);
        ++start_[colour + 1];
    }
    for (int c = 0; c <= k_overflow; ++c) start_[c + 1] += start_[c];

    order_.resize(start_[k_overflow + 1]);
    std::uint32_t next[k_colours + 1];
    std::copy(start_, start_ + k_colours + 1, next);
    for (std::uint32_t i = 0; i < constraints.size(); ++i)
        if (chosen_[i] != k_left_out) order_[next[chosen_[i]]++] = i;
}

} // namespace fovea
