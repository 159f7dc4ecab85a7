// Triangles against axis-aligned boxes, in double precision.
#pragma once

#include <vector>

#include "fovea/volume/triangle_tree.h"

namespace fovea {

struct Box3d {
    Vec3d low, high;

    Vec3d centre() const { return (low + high) * 0.5; }
    Vec3d half() const { return (high - low) * 0.5; }
};

/// False only if the triangle certainly misses the box: touching counts as overlap, and rounding is
/// allowed for (separating axes; Akenine-Möller, "Fast 3D Triangle-Box Overlap Testing", 2001).
bool overlaps(const Triangle3d& triangle, const Box3d& box);

/// Appends the corners of the part of the triangle that lies in the box (Sutherland and Hodgman).
void append_clipped(const Triangle3d& triangle, const Box3d& box, std::vector<Vec3d>& corners);

} // namespace fovea
