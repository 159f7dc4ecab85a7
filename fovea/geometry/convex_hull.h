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

    /// Vertices and face planes again, one run of floats per coordinate, and the faces around each
    /// vertex: what pair tests read. Each run is filled up with copies of the last element to a
    /// multiple of k_padding, so that SIMD loops need no remainder.
    struct Lanes {
        static constexpr std::uint32_t k_padding = 16;

        std::vector<float> values;         ///< x, y, z of vertices; x, y, z of normals; offsets
        std::uint32_t padded_vertices = 0; ///< length of each of the first three runs
        std::uint32_t padded_faces = 0;    ///< length of each of the other four
        std::vector<std::uint32_t> vertex_first; ///< into vertex_faces, and one past the last
        std::vector<std::uint32_t> vertex_faces;
    };

    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> face_vertices;
    std::vector<Face> faces;
    std::vector<Edge> edges; ///< each undirected edge once
    Lanes lanes;
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
