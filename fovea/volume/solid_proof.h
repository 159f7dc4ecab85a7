// The proof that a set of balls which encloses a closed surface also fills the solid inside it.
//
// What the balls leave free inside the solid is a set of bounded holes, since no hole can cross the
// enclosed surface. Take the convex hull of a hole: it has a corner. There the hole cannot be
// bounded by one sphere alone, nor by two: along a tangent of the sphere, or of the circle in which
// two spheres meet, both ways lead on through the hole, because balls are convex. So the corner is
// a point where three spheres meet and which no other ball covers:
//
//      ball  | hole |  ball      Proof: compute all points where three spheres meet. If none that
//           ) |    | (           is left uncovered lies inside the solid, there is no hole.
//            ) |  | (
//              '--' corner
//
// Where there is a hole, one ball grows until it holds all its corners, hence their convex hull,
// hence the hole.
#pragma once

#include <span>

#include "fovea/volume/sphere_draft.h"

namespace fovea {

struct SolidProof {
    bool holds = false;
    std::uint32_t grown = 0;
};

/// Proves that `balls`, in units, leave no hole in the solid, enlarging some where they do.
SolidProof prove_solid(const ContentModel& content, std::span<Ball> balls, const Jobs& jobs);

/// The corners of holes: uncovered points inside the solid where three spheres meet.
std::vector<Vec3d> hole_corners(const ContentModel& content, std::span<const Ball> balls,
                                const Jobs& jobs);

} // namespace fovea
