// A ball around something, or inside it.
#pragma once

#include "fovea/base/vec3.h"

namespace fovea {

struct BoundingBall {
    Vec3 centre;
    float radius;
};

} // namespace fovea
