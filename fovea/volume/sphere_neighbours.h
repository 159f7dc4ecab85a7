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

} // namespace fovea
