// How the bodies of a scene are drawn: few meshes, many instances.
//
// Shapes that differ in size alone share one mesh of unit size, stretched per instance: thousands
// of spheres of different radii are one draw call.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "fovea/render/shaded_mesh.h"
#include "fovea/scene/scene.h"

namespace fovea {

/// One mesh in several levels of detail.
struct MeshFamily {
    Shape shape;                                    ///< at unit size
    std::shared_ptr<const TriangleMesh> appearance; ///< drawn instead of the shape, if present
    bool curved;                                    ///< has more than one level

    /// The mesh of a level; of level 0 if it is not curved.
    ShadedMesh mesh(int level) const;
};

/// Segments around a curved shape, level by level.
constexpr std::array<int, 6> k_level_segments = {6, 8, 12, 20, 32, 64};

/// The level whose outline passes for round at this radius in pixels.
int level_for(float pixels);

struct BodyLook {
    static constexpr std::uint32_t k_no_family = ~0u;

    std::uint32_t family = k_no_family; ///< into DrawPlan::families; none for half-spaces
    Vec3 scale{1, 1, 1};                ///< of the unit mesh
    Vec3 colour;                        ///< linear light
    float pattern = 0;                  ///< strength of the octant pattern that shows rotation
    float reach = 0;                    ///< metres from the body's origin to its farthest point
};

struct DrawPlan {
    std::vector<MeshFamily> families;
    std::vector<BodyLook> bodies;                        ///< one per body of the scene
    std::uint32_t spring_family = BodyLook::k_no_family; ///< a unit cylinder; none without springs
};

DrawPlan plan_drawing(const Scene& scene);

/// sRGB components 0..1, as scenes give colours, to linear light.
Vec3 linear_colour(const Vec3& colour);

} // namespace fovea
