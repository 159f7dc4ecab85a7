// How the surface of a mesh that deforms moves where something touches it.
//
// The points p_i of a contact lie on triangles whose corners moved since the last step, with
// velocities u_i. What a rigid body in place of the surface would have to do to move so there, as
// nearly as it can, is all the solver asks:
//
//   v = mean of u_i,   (sum of |d|^2 - d d^T) w = sum of d_i x (u_i - v),   d_i = p_i - mean of p
#pragma once

#include "fovea/collide/deforming_surface.h"
#include "fovea/contact/contact_patch.h"
#include "fovea/dynamics/soft_step.h"

namespace fovea {

/// A surface in the world, `h` seconds after it was last at rest.
struct PlacedSurface {
    const DeformingSurface& surface;
    const Transform& at;
    float h;
};

/// Velocity of the point of the surface nearest to `point`, which should be within `distance`.
Vec3 surface_velocity(const PlacedSurface& placed, const Vec3& point, float distance);

/// `origin`: position of the body. `margin`: up to which points that are apart make contacts.
SurfaceMotion surface_motion(const PlacedSurface& placed, const ContactPatch& patch,
                             const Vec3& origin, float margin);

} // namespace fovea
