#include "fovea/render/scene_extent.h"

#include <algorithm>
#include <cmath>

#include "fovea/geometry/aabb.h"

namespace fovea {

SceneExtent extent_of(const Scene& scene, const DrawPlan& plan) {
    Aabb box;
    std::vector<float> reaches;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodyLook& look = plan.bodies[i];
        if (look.family == BodyLook::k_no_family) continue;
        const Vec3 reach(look.reach, look.reach, look.reach);
        const Vec3& centre = scene.bodies[i].placement.position;
        box = merged(box, Aabb{centre - reach, centre + reach});
        reaches.push_back(look.reach);
    }
    if (box.empty()) return {};
    const auto middle = reaches.begin() + std::ptrdiff_t(reaches.size() / 2);
    std::nth_element(reaches.begin(), middle, reaches.end());
    return {box.centre(), std::max(length(box.half_extents()), 1e-3f), std::max(*middle, 1e-4f)};
}

float grid_spacing(const SceneExtent& extent) {
    const float wanted = extent.radius / 5;
    const float ten = std::pow(10.0f, std::floor(std::log10(wanted)));
    const float digit = wanted / ten;
    return ten * (digit < 2 ? 1.0f : digit < 5 ? 2.0f : 5.0f);
}

} // namespace fovea
