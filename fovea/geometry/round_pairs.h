// Pairs of solids of revolution that have closed forms. All in the frame of A, whose axis is y.
#pragma once

#include <optional>

#include "fovea/geometry/core_proximity.h"

namespace fovea {

struct RoundSolid {
    double radius, half_height;
};

/// `axis` and `centre` are those of B.
LocalProximity capsule_capsule(const RoundSolid& a, const RoundSolid& b, const Vec3d& axis,
                               const Vec3d& centre);

/// Cylinders, cones and cores of capsules with parallel or opposite axes (Stokes 4.2 for two
/// cylinders). Nothing if the axes are askew or the solids are apart corner to corner.
std::optional<LocalProximity> parallel_round_cores(const CorePair& pair);

} // namespace fovea
