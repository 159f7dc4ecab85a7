// Steps from which the procedural meshes are made.
#pragma once

#include <span>

#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

/// Splits every edge into `parts` and every triangle into parts^2 similar ones, in its plane. New
/// vertices on an edge are shared by the triangles beside it, so a closed mesh stays closed.
///
///        /\            /\             .
///       /  \    2     /__\            .
///      /    \  --->  /\  /\           .
///     /______\      /__\/__\          .
///
TriangleMesh subdivided(const TriangleMesh& mesh, int parts);

/// Icosahedron whose triangles are split into frequency^2 parts and pushed out to a sphere.
TriangleMesh make_geodesic_sphere(double radius, int frequency);

/// A corner of an outline in the xy plane.
struct OutlinePoint {
    double x, y;
};

/// The solid between z = -depth/2 and z = +depth/2 over a polygon. `outline` runs
/// counter-clockwise; `inner` are further points inside; `cap` are counter-clockwise triangles that
/// fill the outline, indexing the outline's points and then the inner ones.
TriangleMesh extruded(std::span<const OutlinePoint> outline, std::span<const OutlinePoint> inner,
                      std::span<const TriangleMesh::Triangle> cap, double depth);

/// The icosphere's vertices pulled out along `spikes` evenly spread directions.
TriangleMesh with_spikes(TriangleMesh sphere, double radius, double spike_height, int spikes);

} // namespace fovea
