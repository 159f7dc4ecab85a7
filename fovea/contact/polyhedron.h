// Boxes, hulls and triangles alike, as the separating axis test wants them: coordinates in arrays
// of their own, each padded with copies to a multiple of ConvexHull::Lanes::k_padding.
//
// A triangle is a solid of no thickness: two faces, and between them, along each edge, one with
// only two corners, so that the normals of neighbouring planes are never opposite.
#pragma once

#include <array>
#include <span>

#include "fovea/contact/feature.h"
#include "fovea/geometry/convex_hull.h"

namespace fovea {

struct PolyhedronView {
    const float *x, *y, *z;                               ///< vertices
    const float *normal_x, *normal_y, *normal_z, *offset; ///< planes
    std::uint32_t vertices, planes;
    std::uint32_t padded_vertices, padded_planes;
    float size; ///< some length between the half width and the diameter
    std::span<const ConvexHull::Edge> edges;
    const ConvexHull::Face* faces; ///< where their corners are
    const std::uint32_t* face_vertices;
    const std::uint32_t *vertex_first, *vertex_faces; ///< as in ConvexHull::Lanes

    Vec3 vertex(std::uint32_t i) const { return {x[i], y[i], z[i]}; }
    Vec3 normal(std::uint32_t i) const { return {normal_x[i], normal_y[i], normal_z[i]}; }
};

/// Larger hulls are left to GJK: the separating axis test grows with the product of both sizes.
constexpr std::uint32_t k_max_vertices = 64;
constexpr std::uint32_t k_max_planes = 2 * k_max_vertices;
constexpr std::uint32_t k_max_edges = 3 * k_max_vertices;

PolyhedronView view_of(const ConvexHull& hull);

/// Coordinates of a polyhedron that is made on the spot.
struct SmallPolyhedron {
    static constexpr std::uint32_t k_room = ConvexHull::Lanes::k_padding;

    std::array<float, k_room> x, y, z;
    std::array<float, k_room> normal_x, normal_y, normal_z, offset;
};

/// A view into `storage`, which is filled.
PolyhedronView view_of(const Box& box, SmallPolyhedron& storage);
PolyhedronView view_of(const std::array<Vec3, 3>& triangle, SmallPolyhedron& storage);

/// A face as a feature. If it must be thinned out, `vertex` stays in.
void face_of(const PolyhedronView& polyhedron, std::uint32_t number, std::uint32_t vertex,
             Feature& feature);

} // namespace fovea
