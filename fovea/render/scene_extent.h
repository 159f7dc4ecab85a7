// How large a scene is to the eye: sets the scale of grids, walls and contact shading.
#pragma once

#include "fovea/render/draw_plan.h"

namespace fovea {

struct SceneExtent {
    Vec3 centre;            ///< of the bounded bodies' box as the scene starts
    float radius = 10;      ///< half the diagonal of that box
    float body_reach = 0.5; ///< of the median body
};

/// A scene without bounded bodies has the extent stated above.
SceneExtent extent_of(const Scene& scene, const DrawPlan& plan);

/// Spacing of grid lines, metres: 1, 2 or 5 times a power of ten, a few per radius.
float grid_spacing(const SceneExtent& extent);

} // namespace fovea
