// Normals that EPA would find too slowly: those of the side of a solid of revolution.
//
// Where such a solid surrounds another, its side or slope is about equally near all around, and a
// polytope would have to be refined all around before it could tell where it is nearest.
#pragma once

#include "fovea/geometry/simplex.h"

namespace fovea {

/// A direction in which B - A ends: moved by `depth` along it the cores just touch.
struct Exit {
    double depth = std::numeric_limits<double>::infinity();
    Vec3d normal{0, 1, 0}; ///< unit, out of B - A
    MinkowskiVertex extreme{};
};

/// The least depth found along the ends and around the rings of cylinders and cones; infinite if
/// neither core is one.
Exit nearest_exit_of_rings(const CorePair& pair);

} // namespace fovea
