// What FCL says about two placed meshes, in double precision.
#pragma once

#include <memory>

#include "fovea/base/transform.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

/// A mesh with FCL's tree of OBBRSS volumes.
class FclMesh {
  public:
    explicit FclMesh(const TriangleMesh& mesh);
    ~FclMesh();

    bool collides(const Transform& at, const FclMesh& other, const Transform& other_at) const;
    /// Between the surfaces; 0 or less if they meet.
    double distance(const Transform& at, const FclMesh& other, const Transform& other_at) const;

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

} // namespace fovea
