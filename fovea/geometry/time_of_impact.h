// When two bodies that move and turn first come within some distance of each other.
//
// Conservative advancement (Mirtich, "Impulse-based Dynamic Simulation", 1996): let n be the unit
// vector from A to B across their separation s. Along n a point of A at r from the centre of
// rotation goes at n.v + n.(w x r) <= n.v + |n x w| |r|, whatever the pose. So they stay apart for
//
//   (s - target) / (n.(vA - vB) + |n x wA| RA + |n x wB| RB)      R: reach about the centre
//
// and the clock may be put forward by that much without missing anything. Each round takes a share
// of the remaining gap that depends on how tight the bound is, so it ends a little before the
// target is reached, at `tolerance` from it.
#pragma once

#include <array>

#include "fovea/geometry/motion.h"
#include "fovea/geometry/proximity.h"

namespace fovea {

struct ImpactSettings {
    float target = 1e-3f;      ///< the separation looked for, m; positive
    float tolerance = 2.5e-4f; ///< found when within this of the target, m; less takes more rounds
    int max_rounds = 100;      ///< bodies that spin fast past each other may need many
};

struct Impact {
    enum class Outcome {
        apart,    ///< the separation stays above the target
        touching, ///< at `time` it is within the tolerance of the target, for the first time
        /// It is less than the target already at the start, or about that and growing; `time` is 0.
        overlapping,
        undecided, ///< rounds ran out: apart at least until `time`
    };

    Outcome outcome;
    double time;         ///< s; the duration if apart. Never later than the target is reached.
    Proximity proximity; ///< at that time, in world coordinates; not set if apart
    int rounds;          ///< measurements made

    bool stops() const { return outcome != Outcome::apart; }
};

/// Two convex solids, or a convex solid A and a half-space B that stays at rest, over `duration`
/// seconds. All numbers are finite.
Impact time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                      const Motion& motion_b, float duration, const ImpactSettings& settings = {});

/// A convex solid and a triangle that stays, given in world coordinates.
Impact time_of_impact(const Shape& a, const Motion& motion_a, const std::array<Vec3, 3>& triangle,
                      float duration, const ImpactSettings& settings = {});

/// A triangle that moves, given in the frame of its body, as A of the above.
Impact time_of_impact(const std::array<Vec3, 3>& triangle, const Motion& motion, const Shape& b,
                      const Motion& motion_b, float duration, const ImpactSettings& settings = {});
Impact time_of_impact(const std::array<Vec3, 3>& triangle, const Motion& motion,
                      const std::array<Vec3, 3>& standing, float duration,
                      const ImpactSettings& settings = {});

} // namespace fovea
