// Boxes for trees to hold and to look for.
#pragma once

#include "fovea/base/random.h"
#include "fovea/geometry/aabb.h"

namespace fovea {

/// Its low corner is in a cube of half edge `space` about the origin, no edge is longer than
/// `size`.
inline Aabb random_box(Random& random, double space, double size) {
    const Vec3d low(random.uniform(-space, space), random.uniform(-space, space),
                    random.uniform(-space, space));
    const Vec3d extent(random.uniform(0, size), random.uniform(0, size), random.uniform(0, size));
    return {Vec3(low), Vec3(low + extent)};
}

} // namespace fovea
