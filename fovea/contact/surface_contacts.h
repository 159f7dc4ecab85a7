// A convex solid against a surface of triangles: a mesh or a height field.
//
// Each triangle near the solid gives a manifold of its own. Where triangles lie in one plane or
// meet in a valley, the edge between them is nothing a body could run into, but the nearest or
// least deep way out of a single triangle may lead over that edge: a ghost collision.
//
//     body -->  .----.
//     __________|____|____        the triangle on the right alone would push the body back to the
//              ^                  left, because it overlaps it by less in width than in height
//         inner edge
//
// So a normal that is not the face's is kept only if the contact lies on an edge that sticks out,
// and only within the wedge of directions between the two faces there. All other contacts are
// measured again along the face's normal, over the face. Manifolds with like normals are then
// joined.
//
// Where the surface is that of a mesh that may move itself, the solid may be a wall that it slides
// along, a little askew: normals of the mesh's faces lean into the way, and the wall would hold it
// up. There a normal that is one of the solid's faces is kept too.
#pragma once

#include <span>

#include "fovea/base/inplace_vector.h"
#include "fovea/contact/manifold.h"
#include "fovea/geometry/shape.h"
#include "fovea/geometry/surface_triangle.h"

namespace fovea {

struct SurfaceSettings {
    float margin = 0.02f;     ///< metres up to which points still apart are reported
    bool two_sided = false;   ///< true: triangles push to the side on which the body mostly is;
                              ///< false: only to the front, and bodies mostly behind pass through
    bool solid_faces = false; ///< true: normals of the solid's faces are kept
};

/// A body touches a surface in at most so many directions; the deepest are kept.
constexpr int k_surface_manifolds = 4;
using SurfaceManifolds = InplaceVector<Manifold, k_surface_manifolds>;

/// Manifolds of the placed convex solid with the triangles near it, which are given in the frame
/// of the surface. They are in the frame of the solid, normals from the solid to the surface.
/// Features tell the triangles apart.
void collide_surface(const Shape& solid, const Transform& at_solid,
                     std::span<const SurfaceTriangle> triangles, const Transform& at_surface,
                     const SurfaceSettings& settings, SurfaceManifolds& manifolds);

/// A manifold with the roles of A and B exchanged; `relative` is B in the frame of A.
Manifold exchanged(const Manifold& manifold, const Transform& relative);

} // namespace fovea
