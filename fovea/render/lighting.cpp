#include "fovea/render/lighting.h"

#include <algorithm>
#include <cmath>

#include "fovea/geometry/aabb.h"

namespace fovea {

namespace {

/// Middle of the bounded bodies as the scene starts.
Vec3 focus_of(const Scene& scene) {
    Aabb box;
    for (const SceneBody& body : scene.bodies)
        if (type_of(body.shape) != ShapeType::half_space)
            box = merged(box, body.placement.position);
    return box.empty() ? Vec3() : box.centre();
}

float luminance(const Vec3& linear) {
    return dot(linear, Vec3(0.2126f, 0.7152f, 0.0722f));
}

} // namespace

Lighting light_scene(const Scene& scene) {
    Lighting lighting;
    if (scene.lights.empty()) {
        lighting.lamps[0] = {normalized(Vec3(-0.42f, 0.85f, 0.42f)), Vec3(1, 0.97f, 0.92f)};
        lighting.count = 1;
        return lighting;
    }
    const Vec3 focus = focus_of(scene);
    float total = 0;
    for (const SceneLight& light : scene.lights) {
        if (lighting.count == k_most_lights) break;
        const Vec3 direction = normalized_or(light.position - focus, Vec3(0, 1, 0));
        lighting.lamps[std::size_t(lighting.count++)] = {direction, linear_colour(light.colour)};
        total += luminance(linear_colour(light.colour));
    }
    for (Lighting::Lamp& lamp : lighting.lamps) lamp.colour = lamp.colour / std::max(total, 1.0f);
    return lighting;
}

bool in_view(const Mat4& view_projection, const Vec3& centre, float radius, float far_limit) {
    const ClipPoint p = transform_point(view_projection, centre);
    if (p.w < -radius || p.w > far_limit + radius) return false;
    // |row| turns a distance in the world into one in clip space; w grows by `radius` at most.
    const auto reach = [&](int row) {
        const Vec3 across(view_projection(row, 0), view_projection(row, 1),
                          view_projection(row, 2));
        return radius * (length(across) + 1);
    };
    return std::abs(p.x) <= p.w + reach(0) && std::abs(p.y) <= p.w + reach(1);
}

bool ShadowView::touches(const Vec3& centre, float radius) const {
    const float x = dot(centre, right), y = dot(centre, up);
    return x + radius >= low.x && x - radius <= high.x && y + radius >= low.y &&
           y - radius <= high.y;
}

ShadowView fit_shadow(const Vec3& to_light, const DrawPlan& plan, std::span<const Transform> poses,
                      const Mat4& view_projection, float far_limit, int resolution) {
    ShadowView view;
    view.backward = to_light;
    view.right = perpendicular(to_light);
    view.up = cross(view.backward, view.right);

    Aabb box;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const BodyLook& look = plan.bodies[i];
        const Vec3& centre = poses[i].position;
        if (look.family == BodyLook::k_no_family || !is_finite(centre)) continue;
        if (!in_view(view_projection, centre, look.reach, far_limit)) continue;
        const Vec3 local(dot(centre, view.right), dot(centre, view.up), dot(centre, view.backward));
        const Vec3 reach(look.reach, look.reach, look.reach);
        box = merged(box, Aabb{local - reach, local + reach});
    }
    if (box.empty()) box = {{-1, -1, -1}, {1, 1, 1}};

    const Vec3 extent = box.high - box.low;
    // A few cells are left free around the edge for the soft rim of shadows.
    const float wanted = std::max({extent.x, extent.y, 1e-3f}) * 1.03f;
    const float size = std::exp2(std::ceil(std::log2(wanted) * 4) / 4);
    view.texel = size / float(resolution);
    const auto snapped = [&](float middle) {
        return std::floor((middle - size / 2) / view.texel) * view.texel;
    };
    const Vec3 middle = box.centre();
    view.low = {snapped(middle.x), snapped(middle.y), box.low.z - size * 0.01f};
    view.high = {view.low.x + size, view.low.y + size, box.high.z + size * 0.01f};
    // What lies nearer to the light is clamped to the near plane; receivers beyond the far plane,
    // such as the floor below, compare against it, which is no farther than any caster in view.
    view.matrix = parallel_matrix(view.low, view.high) *
                  eye_matrix(Vec3(), view.right, view.up, view.backward);
    return view;
}

} // namespace fovea
