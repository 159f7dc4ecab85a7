// Shapes as triangle meshes, for drawing and for oracles in tests.
#pragma once

#include "fovea/geometry/shape.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

/// A closed mesh of the shape's surface with about `segments` segments around curved parts.
/// A half-space becomes a square patch of its plane, `half_space_size` metres along an edge.
TriangleMesh tessellate(const Shape& shape, int segments, float half_space_size);

} // namespace fovea
