// Triangle pairs decided by CGAL's exact kernel. Apart from the tests because CGAL takes long to
// compile and brings compiler flags of its own.
#pragma once

#include "fovea/geometry/triangle_overlap.h"

/// Triangles with area only.
bool oracle_triangles_overlap(const fovea::TriangleCorners& a, const fovea::TriangleCorners& b);

bool oracle_collinear(const fovea::TriangleCorners& t);
