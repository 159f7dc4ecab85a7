// How far the surface of a ball stands off the shape, where no other ball covers it: the question
// that fitting asks thousands of times per sphere, eight or sixteen directions at once.
//
//        ___  other ball: covers the cap of directions u with
//    .--/. .\        u . (c' - c)  >  (r^2 + |c' - c|^2 - r'^2) / 2 r
//   (  ( c  )c')
//    '--\'_'/   the rest is bare; there the lattice tells the distance
//
// Single precision is plenty for an estimate. Lanes never mix, so that every instruction set gives
// the same bits.
#pragma once

#include <span>
#include <vector>

#include "fovea/volume/sphere_draft.h"

namespace fovea {

/// What another ball covers of a ball's surface: directions u with u . axis > limit.
struct CoveredCap {
    float axis[3];
    float limit;
};

class ExposedSurface {
  public:
    /// Directions that are looked at together.
    static constexpr int k_block = 32;

    /// At least `directions` of them, a multiple of k_block.
    ExposedSurface(const DistanceGrid& grid, int directions);

    int blocks() const { return int(x_.size()) / k_block; }
    int directions() const { return int(x_.size()); }
    /// The one behind an entry of distances().
    Vec3d direction(int block, int lane) const {
        const std::size_t i = std::size_t(block) * k_block + std::size_t(lane);
        return {x_[i], y_[i], z_[i]};
    }

    /// Adds what `other` covers of `ball`; false if that is all of it. Of two equal balls neither
    /// covers the other.
    static bool add_cap(const Ball& ball, const Ball& other, std::vector<CoveredCap>& caps);

    /// The distances from the shape in the directions of a block, 0 where the surface is covered or
    /// inside the solid. Every block is spread over the whole sphere.
    void distances(const Ball& ball, std::span<const CoveredCap> caps, int block,
                   float (&out)[k_block]) const;

  private:
    DistanceGrid::View grid_;
    std::vector<float> x_, y_, z_;
};

/// What the neighbours `near` of ball i cover of it; false if that is all. Of equal balls the first
/// is bare.
bool caps_around(std::span<const Ball> balls, std::uint32_t i, std::span<const std::uint32_t> near,
                 std::vector<CoveredCap>& caps);

/// Sum of the distances, each to the power of 2, 3 or 6, those above `cap` a thousandfold.
double power_sum(const float (&distances)[ExposedSurface::k_block], int exponent, double cap);

} // namespace fovea
