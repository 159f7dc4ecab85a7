// Where EPA starts: four points of B - A that span a volume, found from the fewer GJK ended with.
#pragma once

#include "fovea/geometry/simplex.h"

namespace fovea {

/// Fills `simplex` up to four vertices that span a volume. If B - A is flat, returns false and
/// leaves its normal in `flat_normal`.
bool span_volume(const CorePair& pair, Simplex& simplex, Vec3d& flat_normal);

} // namespace fovea
