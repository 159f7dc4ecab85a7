// Meshes made by formula: closed, consistently oriented, without self-intersection.
#pragma once

#include <string_view>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

/// Subdivided icosahedron on a sphere: 20 * 4^subdivisions triangles.
TriangleMesh make_icosphere(float radius, int subdivisions);

/// Tube of `tube_radius` along the (p, q) torus knot of the given radius.
TriangleMesh make_torus_knot(float radius, float tube_radius, int p, int q, int segments,
                             int sides);

/// Extruded L with arms of length `arm` and thickness `thickness`.
TriangleMesh make_l_shape(float arm, float thickness, float depth);

/// Extruded spur gear.
TriangleMesh make_gear(float radius, float tooth_height, float depth, int teeth);

/// Sphere with `spikes` cones pulled out of it.
TriangleMesh make_spiky(float radius, float spike_height, int spikes, int subdivisions);

/// A thick sheet folded like a fan: deep concave grooves.
TriangleMesh make_folded(float width, float height, float thickness, int folds);

/// The procedural meshes by name, each about one metre across ("icosphere", "torusknot", "lshape",
/// "gear", "spiky", "folded"), with `detail` >= 1 scaling the number of triangles. An unknown
/// name is refused with the list of known ones.
Result<TriangleMesh> make_procedural(std::string_view name, int detail);

std::vector<std::string_view> procedural_names();

} // namespace fovea
