// Where two bodies meet.
#pragma once

#include <cstdint>

#include "fovea/base/vec3.h"

namespace fovea {

/// One place where bodies `a` < `b` (slots) meet. The normal points from A to B; the bodies
/// approach there while dot(normal, velocity of B - velocity of A) < 0.
struct Contact {
    std::uint32_t a, b;
    std::uint32_t feature; ///< tells the contacts of a pair apart, steady from step to step
    Vec3 point_a, point_b; ///< each body's deepest point inside the other, world space
    Vec3 normal;
    float separation; ///< negative: depth
    /// Of A's surface relative to B's, beside the motion of the bodies: of meshes that deform.
    Vec3 surface_velocity{};

    Vec3 point() const { return (point_a + point_b) * 0.5f; }
};

} // namespace fovea
