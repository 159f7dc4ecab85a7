// Half-spaces in the picture: large patches of their planes.
//
// Floors (facing up) are opaque and fade into the backdrop; walls are see-through and end some way
// beyond the bodies. A plane seen from inside its material is left out, so a box of walls is open
// towards the camera, and where planes cross, each ends at the other's material.
#pragma once

#include <span>
#include <vector>

#include "fovea/base/transform.h"
#include "fovea/render/camera.h"
#include "fovea/render/draw_plan.h"
#include "fovea/render/gl_objects.h"

namespace fovea {

class Planes {
  public:
    /// `shadow_rims`: k_hard_shadows or k_soft_shadows.
    static Result<Planes> make(const Scene& scene, const DrawPlan& plan,
                               std::string_view shadow_rims);

    /// Takes the planes' places from the bodies' poses.
    void place(std::span<const Transform> poses);

    /// Draws all floors or all walls that the camera faces. The frame's uniforms are bound.
    void draw(bool walls, const SceneCamera& camera, const GlTexture& shadow_map) const;

    const GlProgram& program() const { return program_; }

  private:
    struct Plane {
        std::size_t body;
        HalfSpace local;
        Vec3 colour;
        Vec3 normal; ///< in the world, as is
        float offset;
    };
    bool is_wall(const Plane& plane) const;
    void draw(const Plane& plane, const SceneCamera& camera) const;

    GlProgram program_;
    GlVertexArray no_vertices_;
    std::vector<Plane> planes_;
    Vec3 focus_;      ///< middle of the bodies as the scene starts
    float reach_ = 0; ///< metres about the focus that walls cover
};

} // namespace fovea
