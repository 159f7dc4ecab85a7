// Manifolds of pairs that hardly moved.
//
//     made here            now                    Each contact point is remembered as a point of A
//      .-----.            .-----.                 and a point of B. While B has moved little
//      |  B  |            |  B  |->               against A, the pair need not be tested again:
//    --o-----o--        --o.----o.--              the points are carried along, and their distance
//         A                   A                   along the normal is the new separation.
//
// The manifold itself stays as it was made, so errors do not add up from step to step.
#pragma once

#include "fovea/contact/manifold.h"

namespace fovea {

/// How far a pair may move, since its manifold was made, for the manifold still to be good.
struct RecycleLimits {
    /// Metres that any contact point of B may have moved against A. The points are then at most
    /// half as far from where a new test would put them, separations of flat faces off by far less.
    float distance = 0.001f;
    /// Radians that B may have turned against A: the normal is off by no more than this.
    float angle = 0.01f;
};

/// Fills `world` from a manifold that was made at the placement noted in `cache`. False, with
/// `world` unspecified, if the pair has moved beyond `limits` or holds no manifold: then
/// collide_convex() must make a new one.
bool recycle(const Manifold& manifold, const PairCache& cache, const Transform& at_a,
             const Transform& at_b, const RecycleLimits& limits, WorldManifold& world);

/// Notes in `cache` that a manifold was made with B at `relative` in the frame of A.
/// collide_convex() does so itself; contacts with surfaces, which have several manifolds, keep one
/// cache for all.
void remember_placement(const Transform& relative, PairCache& cache);

/// A manifold just made at these placements, for a solver.
WorldManifold to_world(const Manifold& manifold, const Transform& at_a, const Transform& at_b);

} // namespace fovea
