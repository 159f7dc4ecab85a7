// From a triangulated hull to one with polygonal faces.
#pragma once

#include <span>
#include <vector>

#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/quickhull.h"

namespace fovea {

/// How far rounding of the coordinates may move a point along a direction: each coordinate carries
/// an error of its own size times the precision of a float, so the tolerance depends on the
/// direction (after Gregorius, "Implementing QuickHull", GDC 2014). A flat box far along x still
/// has exact heights.
struct HullTolerance {
    Vec3d largest; ///< coordinate, in size, along each axis

    double along(const Vec3d& direction) const {
        return 3 * 1.1920929e-7 * dot(abs(direction), largest);
    }
};

/// The hull's points twice: as given, and on the lattice on which the triangles were found.
struct HullPoints {
    std::vector<Vec3> exact;
    std::vector<LatticePoint> lattice;
    Vec3d lattice_scale; ///< lattice units per metre along each axis
};

/// Joins triangles in one plane, and those so nearly in one plane that rounding of the input may
/// have bent them, into polygons; leaves out the vertices that no longer bound three faces.
ConvexHull joined_facets(const HullPoints& points, std::span<const HullTriangle> triangles,
                         const HullTolerance& tolerance);

} // namespace fovea
