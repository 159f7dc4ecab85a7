// The separating axes of two polyhedra (Gregorius, "The Separating Axis Test between Convex
// Polyhedra", GDC 2013): normals of either's faces, and cross products of those edges whose arcs
// cross on the Gauss map, which are the edge pairs that make faces of the Minkowski difference.
#pragma once

#include "fovea/contact/polyhedron.h"

namespace fovea {

/// The vertices of one polyhedron in the frame of the other.
struct PlacedVertices {
    std::array<float, k_max_vertices> x, y, z;
};

/// What polyhedron_faces() leaves for polyhedron_edges().
struct PlacedPolyhedra {
    PlacedVertices a; ///< of A in the frame of B
    PlacedVertices b; ///< of B in the frame of A
    /// For each vertex of A, a bit for each of the first 64 planes of B above which it lies by more
    /// than the depth.
    std::array<std::uint64_t, k_max_vertices> above;
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
                          PlacedPolyhedra& placed);

/// For overlapping polyhedra whose best face axes are `faces`. Only edges that may beat them are
/// looked at: where two edges meet, the point of one is no farther than the depth from the point of
/// the other, which is a point of the other polyhedron. So an edge that lies farther than that
/// above a plane of the other is left out.
EdgeAxis polyhedron_edges(const PolyhedronView& a, const PolyhedronView& b, const PairPose& pose,
                          const PlacedPolyhedra& placed, const FaceAxes& faces);

} // namespace fovea
