// Darkening where surfaces come close to each other; see shaders_occlusion.cpp for the method.
#pragma once

#include "fovea/render/camera.h"
#include "fovea/render/render_targets.h"

namespace fovea {

class ContactShading {
  public:
    static Result<ContactShading> make();

    /// Multiplies the resolved picture by the obscurance that its resolved depth implies.
    /// `radius`: surfaces farther apart than this (metres) do not shade each other.
    void apply(const RenderTargets& targets, const SceneCamera& camera, float radius) const;

  private:
    GlProgram estimate_, smooth_, multiply_;
    GlVertexArray no_vertices_;
};

} // namespace fovea
