// Another library's collision of two meshes, as the ladder benchmark sees it.
#pragma once

#include <memory>

#include "fovea/base/transform.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

class MeshPeer {
  public:
    virtual ~MeshPeer() = default;
    /// Do the meshes meet? Stops at the first contact.
    virtual bool collides(const Transform& at_a, const Transform& at_b) const = 0;
    /// The number of pairs of triangles that meet.
    virtual std::size_t contacts(const Transform& at_a, const Transform& at_b) const = 0;
};

/// FCL with trees of OBBRSS volumes; nothing where it is not installed.
std::unique_ptr<MeshPeer> make_fcl_peer(const TriangleMesh& a, const TriangleMesh& b);

} // namespace fovea
