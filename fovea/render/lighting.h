// Lights of a scene and the region their shadow map covers.
#pragma once

#include <array>
#include <span>

#include "fovea/base/transform.h"
#include "fovea/render/draw_plan.h"
#include "fovea/render/mat4.h"
#include "fovea/scene/scene.h"

namespace fovea {

constexpr int k_most_lights = 4;

/// Lights count as far away: each shines along one direction, taken from where the scene's bodies
/// start. The first casts shadows. Lights beyond k_most_lights are left out.
struct Lighting {
    struct Lamp {
        Vec3 direction; ///< unit, towards the lamp
        Vec3 colour;    ///< linear light; all lamps together do not outshine one white one
    };
    std::array<Lamp, k_most_lights> lamps;
    int count = 0;
};

Lighting light_scene(const Scene& scene);

/// A shadow map's view: parallel along the light, square.
struct ShadowView {
    Vec3 right, up, backward; ///< axes; backward points to the light
    Vec3 low, high;           ///< in these axes
    Mat4 matrix;              ///< world to clip space
    float texel;              ///< metres across one cell of the map

    /// True if a ball here can throw a shadow into the map.
    bool touches(const Vec3& centre, float radius) const;
};

/// Covers the bodies the camera can see. The size goes in steps and the position in whole cells,
/// so that shadows do not crawl from one picture to the next.
ShadowView fit_shadow(const Vec3& to_light, const DrawPlan& plan, std::span<const Transform> poses,
                      const Mat4& view_projection, float far_limit, int resolution);

/// True if a ball lies at least partly inside the view, nearer than `far_limit`.
bool in_view(const Mat4& view_projection, const Vec3& centre, float radius, float far_limit);

} // namespace fovea
