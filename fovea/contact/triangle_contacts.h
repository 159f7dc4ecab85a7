// Contacts of crossing triangles.
//
//        \  b                  Where closed surfaces overlap they cross in closed contours. Each
//     ____\__________  a       crossing pair of triangles gives a piece of contour; the sum of
//          \ |                 length x (n_a - n_b) over a contour is the direction in which the
//           \|  depth          bodies part: around a tip that pokes into a face, what the sides
//            '                 of the tip contribute across that direction cancels.
//
// The depth of a pair is that of the corners of one behind the plane of the other, whichever is
// less: the least way that parts them, as for solids. Triangles that do not cross but are near give
// their nearest points.
#pragma once

#include <vector>

#include "fovea/contact/contact_reduction.h"
#include "fovea/geometry/triangle_overlap.h"

namespace fovea {

/// Appends the contact of two triangles in the frame of A, if they are nearer than `margin`. The
/// weight is the length of contour, so that a reduction's sums run over the contour.
void add_triangle_contact(const TriangleCorners& a, const TriangleCorners& b, std::uint32_t feature,
                          float margin, std::vector<ContactHit>& hits);

/// Appends the corners of a triangle below a plane: outward unit normal `up`, `margin` above it
/// included. Normals point down.
void add_corners_below(const TriangleCorners& triangle, const Vec3& up, float offset, float margin,
                       std::uint32_t feature, std::vector<ContactHit>& hits);

} // namespace fovea
