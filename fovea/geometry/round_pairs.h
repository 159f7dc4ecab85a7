// Pairs of capsules and of cylinders that have closed forms. All in the frame of A, axes along y
// there; B's axis and centre are given.
#pragma once

#include <optional>

#include "fovea/geometry/core_proximity.h"

namespace fovea {

struct RoundSolid {
    double radius, half_height;
};

LocalProximity capsule_capsule(const RoundSolid& a, const RoundSolid& b, const Vec3d& axis,
                               const Vec3d& centre);

/// Cylinders with parallel or opposite axes one of which can pass the other or rest on it
/// (Stokes 4.2). Nothing if the axes are askew or the solids face each other rim to rim.
std::optional<LocalProximity> parallel_cylinders(const RoundSolid& a, const RoundSolid& b,
                                                 const Vec3d& axis, const Vec3d& centre);

} // namespace fovea
