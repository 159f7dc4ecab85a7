// The last step of GJK and EPA: witness points that face each other along the normal.
//
//            B                     Both searches stop when the distance is right, and a curved
//      \     b    /                side may then have turned the normal by the square root of
//       '---.|.--'                 that error: the points miss each other a little. One of them
//     . a   +    .                 has to give way, and should stay on its surface: here it is
//    (  --->     ) A curved        a, since A's side goes on where B ends in a corner.
#pragma once

#include "fovea/geometry/core_proximity.h"
#include "fovea/geometry/ring_normals.h"

namespace fovea {

/// Moves `a` or `b`, points of the cores' surfaces with the unit `normal` from A to B, sideways
/// until b - a is a multiple of it.
void face_each_other(const CorePair& pair, const Vec3d& normal, Vec3d& a, Vec3d& b);

/// Puts points found for an exit on the supporting planes of A and B, one straight above the other,
/// so that the reported depth parts the cores even if the search ended early.
LocalProximity on_supporting_planes(const CorePair& pair, const Exit& exit, Vec3d a, Vec3d b);

/// The points where the exit's foot of the origin lies on a face of B - A, given by its corners.
LocalProximity on_face(const CorePair& pair, const Exit& exit,
                       const std::array<MinkowskiVertex, 3>& corners);

/// The points for an exit without a face: the middle of the smaller of both extreme patches.
LocalProximity on_smaller(const CorePair& pair, const Exit& exit);

} // namespace fovea
