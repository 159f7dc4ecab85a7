// Random places that keep apart: spheres are accepted one by one if they overlap none before
// (random sequential addition), with a hashed grid of cells to find neighbours.
//
// A cell is as wide as the largest sphere's diameter plus the clearance, so whatever could overlap
// lies in the 27 cells around. Acceptance gets rare above a filling of a third; callers choose
// their space so that it stays well below.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "fovea/base/vec3.h"

namespace fovea {

class Scatter {
  public:
    /// Spheres of at most `max_radius`, whose surfaces stay `clearance` apart.
    Scatter(double max_radius, double clearance)
        : clearance_(clearance)
        , cell_(2 * max_radius + clearance) {}

    /// Keeps the sphere if it is clear of all kept before.
    bool try_add(const Vec3d& centre, double radius);

    /// Draws centres from `draw()` until one is clear; gives up after `attempts`.
    template <class Draw>
    std::optional<Vec3d> add(double radius, const Draw& draw, int attempts = 100000) {
        for (int i = 0; i < attempts; ++i)
            if (const Vec3d centre = draw(); try_add(centre, radius)) return centre;
        return std::nullopt;
    }

  private:
    struct Placed {
        Vec3d centre;
        double radius;
    };
    static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z);

    double clearance_, cell_;
    // Looked up by key only; what hash the library uses has no influence on the outcome. Cells
    // that share a key merely cost a few more comparisons.
    std::unordered_map<std::uint64_t, std::vector<Placed>> cells_;
};

} // namespace fovea
