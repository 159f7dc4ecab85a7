// Bounding boxes and spheres of shapes.
#pragma once

#include "fovea/geometry/aabb.h"
#include "fovea/geometry/shape.h"

namespace fovea {

/// The tightest box around the placed shape. A half-space whose normal is parallel to an axis is
/// half-infinite along it; any other is infinite everywhere (Stokes 4.5).
Aabb bounds(const Shape& shape, const Transform& placement);

/// Radius about the shape's origin that encloses it in any orientation; infinite for half-spaces.
float bounding_radius(const Shape& shape);

} // namespace fovea
