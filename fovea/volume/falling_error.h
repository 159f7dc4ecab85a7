// Makes sure that the error never rises from a level to the next.
//
// Children may stick out of their parent to hold its share: few balls around a body with many
// spikes stand off further than one ball around all of it. Where the worst place of a level is
// worse than that of the level above, the balls that reach so far are given the size and place of
// their parents: that costs nothing but tests, holds all that they held of the surface, and leaves
// their own children free to be better.
#pragma once

#include <span>
#include <vector>

#include "fovea/volume/sphere_draft.h"
#include "fovea/volume/sphere_tree.h"

namespace fovea {

/// The largest distance of the exposed surface of balls from the shape: exact at sampled points,
/// and at those around them where they are among the worst.
double worst_error(std::span<const Ball> balls, const ContentModel& content);

/// Keeps the worst error from rising down the levels; and, if `mean_too`, the mean, except where
/// the worst falls by more, as when a bowl loses its lid. Errors are those of the exposed surface,
/// the worst exact at sampled points. What the proof of the surface
/// has shown of the levels stays true: a path through a sphere goes through its parent too.
void keep_errors_falling(std::span<SphereLevel> levels, const ContentModel& content, bool mean_too);

/// Removes siblings that are equal and stay so down to the leaves, all but the first.
void drop_repeated_chains(std::span<SphereLevel> levels);

} // namespace fovea
