// The general test of two convex cores, in the frame of the first.
//
// GJK (Gilbert, Johnson and Keerthi 1988; van den Bergen 1999) walks towards the point of the
// Minkowski difference B - A that is nearest to the origin. If that is the origin itself, the
// cores overlap and EPA (van den Bergen 2001) grows a polytope inside B - A towards the nearest
// point of its surface, which gives the depth.
#pragma once

#include "fovea/geometry/simplex.h"

namespace fovea {

/// A Proximity in double precision, in the frame of A.
struct LocalProximity {
    Vec3d point_a, point_b, normal;
    double separation;
};

inline LocalProximity flipped(const LocalProximity& p) {
    return {p.point_b, p.point_a, -p.normal, p.separation};
}

/// Error of distance and depth allowed to the iterations, relative to the smaller solid. Flat
/// faced solids come out exact; only curved ones make use of it.
constexpr double k_convergence = 1e-9;

struct GjkResult {
    bool apart;
    LocalProximity proximity; ///< valid if apart
    Simplex simplex;          ///< otherwise: touches or encloses the origin
};

/// Closest points of the cores, or the news that there are none.
GjkResult gjk(const CorePair& pair);

/// The least translation that parts overlapping cores, from the simplex GJK ended with.
LocalProximity epa(const CorePair& pair, const Simplex& simplex);

/// Adds the rounding of the cores to what was found for them.
LocalProximity rounded(const CorePair& pair, LocalProximity p);

/// GJK and if need be EPA, with the rounding added.
LocalProximity core_proximity(const CorePair& pair);

} // namespace fovea
