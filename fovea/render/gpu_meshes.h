// The meshes of a draw plan in graphics memory, uploaded when first drawn.
#pragma once

#include <array>
#include <vector>

#include "fovea/render/gl_objects.h"
#include "fovea/render/instances.h"

namespace fovea {

class GpuMeshes {
  public:
    explicit GpuMeshes(std::size_t family_count);

    /// Copies the instances to graphics memory; they are what draw() draws.
    void upload(const InstanceList& list);

    /// The family has another mesh now.
    void forget(std::uint32_t family) { meshes_[family] = {}; }

    /// Draws a run of the uploaded instances with the program in use.
    void draw(const DrawPlan& plan, const InstanceRun& run);

  private:
    struct Mesh {
        GlVertexArray layout;
        GlBuffer vertices, indices;
        GLsizei index_count = 0;
    };
    Mesh make_mesh(const ShadedMesh& shaded) const;

    std::vector<std::array<Mesh, k_level_segments.size()>> meshes_; ///< by family and level
    GlBuffer instances_;
};

} // namespace fovea
