// The last step of GJK and EPA: witness points that face each other along the normal.
//
//            B                     Both searches stop when the distance is right, and a curved
//      \     b    /                side may then have turned the normal by the square root of
//       '---.|.--'                 that error: the points miss each other a little. One of them
//     . a   +    .                 has to give way, and should stay on its surface: here it is
//    (  --->     ) A curved        a, since A's side goes on where B ends in a corner.
#pragma once

#include "fovea/geometry/convex_core.h"

namespace fovea {

/// Moves `a` or `b`, points of the cores' surfaces with the unit `normal` from A to B, sideways
/// until b - a is a multiple of it.
void face_each_other(const CorePair& pair, const Vec3d& normal, Vec3d& a, Vec3d& b);

} // namespace fovea
