// Fits all spheres of a level to the error that is measured of them.
//
// The level's error is the integral of a power of the distance to the shape over the exposed
// surface of the union, a power that rises towards the end: first the mean falls, then the worst
// places. One sphere at a time: the elements that no other sphere holds are its duty, all
// else it may let go. Among the balls that do their duty, the one of least error is looked for;
// it is taken if the error of the sphere and its neighbours together falls. Coverage never lapses,
// and the error falls monotonously. A sphere that can be spared is then taken away and put where
// the error is largest, if that helps. (Wang et al., "Variational sphere set approximation for
// solid objects", 2006, alternate assignment and fitting of the outside volume; here assignment is
// implicit and the error is that of the union, not of single spheres.)
#pragma once

#include <span>
#include <vector>

#include "fovea/volume/cover_elements.h"

namespace fovea {

struct FittedBall {
    Ball ball;
    std::uint32_t parent = 0;
    std::vector<std::uint32_t> holds; ///< elements in the ball and in the parent's reach; ascending
    std::vector<std::uint32_t> owned; ///< elements that it is responsible for; ascending
};

/// Improves the balls of one level. `reach[p]` are the elements that children of parent p may be
/// responsible for; together the balls own every element before and after.
///
/// If `tied`, every ball keeps holding what it owns, save what goes over to a ball nearer by. That
/// shares the work evenly among the balls, which serves the levels below; without it the level
/// itself fits better. Stand-off above `cap`, or above the largest that the level has at the start
/// if that is less, counts a thousandfold. `effort` is that of the settings. If `watch` is given
/// and the build is cancelled, the balls are left as they are by then, which is complete.
void fit_level(const ContentModel& content, const CoverElements& elements,
               std::span<const std::vector<std::uint32_t>> reach, std::vector<FittedBall>& balls,
               bool tied, double cap, double effort, const Jobs& jobs, BuildWatch* watch);

} // namespace fovea
