// Convex hulls of point sets, with the adjacency that exact tests need.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/base/vec3.h"

namespace fovea {

/// A convex polyhedron with planar polygonal faces.
struct ConvexHull {
    struct Face {
        Vec3 normal;         ///< unit, outwards
        float offset;        ///< dot(normal, x) = offset on the face
        std::uint32_t first; ///< into face_vertices
        std::uint32_t count; ///< corners, counter-clockwise seen from outside
    };
    struct Edge {
        std::uint32_t from, to;    ///< vertices
        std::uint32_t left, right; ///< faces; `left` runs along from -> to
    };

    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> face_vertices;
    std::vector<Face> faces;
    std::vector<Edge> edges; ///< each undirected edge once
};

/// The hull of `points`; its vertices are some of them, and depend on neither order nor repetition.
///
/// Nearly coplanar triangles are merged into polygons. Nearly means: within the tolerance
/// t(n) = 3e (|n.x| X + |n.y| Y + |n.z| Z) of a plane of normal n, where e = 2^-23 and X, Y, Z are
/// the largest coordinates in size. Corners of a face lie at most t below its plane, and no point
/// more than t above any plane, apart from the rounding of normal and offset to float.
///
/// Refuses fewer than four points, points that are not finite, and point sets without volume,
/// which are those no thicker than t in some direction.
Result<ConvexHull> make_convex_hull(std::span<const Vec3> points);

} // namespace fovea
