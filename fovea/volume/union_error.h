// The error of a set of balls, estimated from the distance lattice: quick enough for choosing
// among candidates.
#pragma once

#include <span>

#include "fovea/volume/sphere_draft.h"

namespace fovea {

struct UnionError {
    double mean = 0;  ///< distance of the union's exposed surface from the shape, by area
    double worst = 0; ///< largest such distance
};

/// Looks at `samples` points on each ball.
UnionError union_error(const ContentModel& content, std::span<const Ball> balls, int samples);

} // namespace fovea
