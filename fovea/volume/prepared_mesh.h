// A mesh made fit for sphere fitting: moved and scaled to a unit cube, welded, cleaned, oriented.
//
// Files come with corners listed once per triangle, faces listed twice, slivers and patches turned
// inside out. Here corners that coincide become one, repeated faces are dropped, and, if every edge
// has two triangles, patches are turned to agree with their neighbours. What is closed then has an
// inside: the points that the surface winds around.
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/geometry/triangle_mesh.h"
#include "fovea/volume/triangle_tree.h"

namespace fovea {

struct PreparedMesh {
    Vec3d origin;     ///< of the unit frame, in the mesh's frame
    double scale = 1; ///< metres per unit: the longest side of the bounding box
    Vec3d half_box;   ///< half extents of the bounding box, in units

    std::vector<Vec3d> vertices; ///< in units
    std::vector<TriangleMesh::Triangle> triangles;
    bool closed = false; ///< the surface has an inside
    double area = 0;     ///< in units
    double moved = 0;    ///< metres: the furthest that welding and rounding took a corner

    TriangleTree tree;

    Triangle3d corners(std::size_t i) const {
        const auto& t = triangles[i];
        return {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
    }
    Vec3d to_units(const Vec3& p) const { return (Vec3d(p) - origin) / scale; }
    Vec3d to_metres(const Vec3d& p) const { return origin + p * scale; }
    /// Never true for meshes that are not closed.
    bool inside(const Vec3d& p) const;
};

/// Refuses what check_mesh refuses, and meshes whose vertices all coincide.
Result<PreparedMesh> prepare(const TriangleMesh& mesh, const Jobs& jobs);

} // namespace fovea
