// Which spheres of a set overlap which others.
#pragma once

#include <span>
#include <vector>

#include "fovea/volume/sphere_draft.h"

namespace fovea {

/// For every ball the indices of those that touch it or come within `slack`, ascending, without
/// itself.
std::vector<std::vector<std::uint32_t>> overlapping(std::span<const Ball> balls, double slack,
                                                    const Jobs& jobs);

/// Brings `near` up to date after balls [first, end) have moved.
void update_overlapping(std::span<const Ball> balls, std::uint32_t first, std::uint32_t end,
                        double slack, std::vector<std::vector<std::uint32_t>>& near);

} // namespace fovea
