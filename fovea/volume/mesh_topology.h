// Welding, cleaning and orienting of triangle soups.
#pragma once

#include <span>
#include <vector>

#include "fovea/base/vec3.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

/// For each of `points` (in the unit cube) the first one that falls into the same cell of a
/// lattice of 2^20 cells per unit.
std::vector<std::uint32_t> weld(std::span<const Vec3d> points);

/// Drops triangles that use the same three vertices as an earlier one.
void drop_repeated(std::vector<TriangleMesh::Triangle>& triangles);

/// True if the surface has an inside: every edge is walked equally often in both senses. Where
/// every edge has just two triangles that disagree, triangles are turned first. Triangles that
/// have collapsed to edges or points are not looked at. Vertices are numbered below `vertices`.
bool close_by_orienting(std::vector<TriangleMesh::Triangle>& triangles, std::size_t vertices);

} // namespace fovea
