// Meshes made by formula: closed, consistently oriented, without self-intersection.
#pragma once

#include <string_view>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

/// Subdivided icosahedron on a sphere: 20 * 4^subdivisions triangles.
TriangleMesh make_icosphere(float radius, int subdivisions);

/// Tube of `tube_radius` along the (p, q) torus knot: p times around the axis of a torus of that
/// radius, q times around its ring, whose own radius is half as large. The tube must be thin
/// enough for its windings not to meet; p and q must have no common divisor.
TriangleMesh make_torus_knot(float radius, float tube_radius, int p, int q, int segments,
                             int sides);

/// Extruded L with arms of length `arm` and thickness `thickness`, centred on its bounding box.
TriangleMesh make_l_shape(float arm, float thickness, float depth);

/// Extruded spur gear about the z axis; `radius` reaches to the tips of the teeth.
TriangleMesh make_gear(float radius, float tooth_height, float depth, int teeth);

/// Sphere with `spikes` cones pulled out of it, evenly spread.
TriangleMesh make_spiky(float radius, float spike_height, int spikes, int subdivisions);

/// A thick square sheet folded like a fan: deep concave grooves along z. `width` and `height` are
/// those of the folded sheet; its thickness must be less than width / folds and less than height.
TriangleMesh make_folded(float width, float height, float thickness, int folds);

/// A ring about the z axis: a tube of `tube_radius` around a circle of `radius`.
TriangleMesh make_torus(float radius, float tube_radius, int segments, int sides);

/// Six square bars from the origin along the axes, each ending in a point at `reach`; the last
/// `tip` metres of it are the point.
TriangleMesh make_jack(float reach, float thickness, float tip);

/// Extruded crescent about the z axis, three quarters of a circle from tip to tip, `thickness` wide
/// in the middle.
TriangleMesh make_crescent(float radius, float thickness, float depth, int segments);

/// Half of a hollow sphere, open towards +y.
TriangleMesh make_bowl(float radius, float thickness, int segments, int rings);

/// The procedural meshes by name, each about one metre across ("icosphere", "torusknot", "lshape",
/// "gear", "spiky", "folded", "torus", "jack", "crescent", "bowl"), with `detail` from 1 to 64:
/// about 300 * detail^2 triangles. An unknown name is refused with the list of known ones, a detail
/// out of range with the range.
Result<TriangleMesh> make_procedural(std::string_view name, int detail);

/// The detail with which procedural meshes come nearest to so many triangles, from 1 to 64.
int procedural_detail(int triangles);

std::vector<std::string_view> procedural_names();

} // namespace fovea
