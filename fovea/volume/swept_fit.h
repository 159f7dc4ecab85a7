// Swept volumes fitted to points: the smallest sphere, capsule and rounded rectangle that a look
// along the points' principal axes finds.
#pragma once

#include <span>

#include "fovea/volume/node_volume.h"
#include "fovea/volume/volume_tree.h"

namespace fovea {

/// A volume that holds all `points`: of the types allowed by the settings, the cheapest to test
/// that none of the others beats by enough.
NodeVolumed fitted_volume(std::span<const Vec3d> points, const SweptTreeSettings& settings);

} // namespace fovea
