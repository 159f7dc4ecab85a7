#include "fovea/render/frame_uniforms.h"

#include <cmath>

namespace fovea {

FrameUniforms frame_uniforms(const SceneCamera& camera, const Mat4& view_projection,
                             const Lighting& lighting, const ShadowView& shadow, int picture_height,
                             float grid_spacing) {
    constexpr float k_planes_fade_at = 3; // times the distance from the eye to its target
    const auto four = [](const Vec3& v, float w) { return FrameUniforms::Four{v.x, v.y, v.z, w}; };

    FrameUniforms uniforms{};
    uniforms.view_projection = view_projection;
    Mat4 to_texture; // clip space -1..1 to texture coordinates and depth 0..1
    for (int axis = 0; axis < 3; ++axis) to_texture(axis, axis) = to_texture(axis, 3) = 0.5f;
    uniforms.shadow_matrix = to_texture * shadow.matrix;
    uniforms.eye = four(camera.position, float(picture_height));
    for (std::size_t i = 0; i < lighting.lamps.size(); ++i) {
        uniforms.light_direction[i] = four(lighting.lamps[i].direction, 0);
        uniforms.light_colour[i] = four(lighting.lamps[i].colour, 0);
    }
    const float map_size = shadow.high.x - shadow.low.x;
    uniforms.shadow = {shadow.texel, shadow.texel / map_size, float(lighting.count), 0};
    const float pixel = 2 * std::tan(camera.field_of_view / 2) / float(picture_height);
    uniforms.plane_look = {k_planes_fade_at * length(camera.position - camera.target), grid_spacing,
                           pixel, 0};
    return uniforms;
}

} // namespace fovea
