// The separating axes of two polyhedra (Gregorius, "The Separating Axis Test between Convex
// Polyhedra", GDC 2013): normals of either's faces, and cross products of those edges whose arcs
// cross on the Gauss map, which are the edge pairs that make faces of the Minkowski difference.
#pragma once

#include "fovea/contact/polyhedron.h"

namespace fovea {

/// Each polyhedron's vertices in the frame of the other, as polyhedron_faces() leaves them.
struct PlacedVertices {
    std::array<float, k_max_vertices> a_x, a_y, a_z; ///< of A in the frame of B
    std::array<float, k_max_vertices> b_x, b_y, b_z; ///< of B in the frame of A
};

struct PlaneChoice {
    std::uint32_t plane;
    float separation; ///< of the other's vertices above the plane
};

struct FaceAxes {
    PlaneChoice a, b; ///< best of each
};

struct EdgeAxis {
    std::uint32_t edge_a, edge_b;
    float separation; ///< minus infinity if no pair of edges counts
};

/// Gap of the polyhedra along the unit vector `axis`, from A to B, in the frame of A.
float polyhedron_gap(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                     const Vec3& axis);

FaceAxes polyhedron_faces(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                          PlacedVertices& placed);

/// For overlapping polyhedra whose best face axes are `faces`. Where an edge of A meets an edge of
/// B in the least deep place, each passes through the inside of the other unless the overlap is
/// deep, so edges that lie wholly above the other's best face are left out.
EdgeAxis polyhedron_edges(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                          const PlacedVertices& placed, const FaceAxes& faces);

} // namespace fovea
