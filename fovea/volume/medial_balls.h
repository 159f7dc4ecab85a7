// Balls that touch the surface from inside in two places or more: their centres make up the medial
// axis.
//
// From a point of the surface a large ball is laid against it and shrunk: as long as some other
// point of the surface lies in the ball, the ball through both points that touches the first takes
// its place (shrinking balls: Ma, Bae and Choi, "3D medial axis point approximation using nearest
// neighbors and the normal field", 2012). The nearest point is looked for on the surface itself.
#pragma once

#include "fovea/volume/cover_elements.h"

namespace fovea {

/// One ball per element. Elements inside the solid get the largest ball about them that stays
/// inside; those of a surface that encloses nothing get their own point.
std::vector<Ball> medial_balls(const ContentModel& content, const CoverElements& elements,
                               const Jobs& jobs);

} // namespace fovea
