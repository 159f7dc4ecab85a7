// The uniforms that all programs of one picture share.
#pragma once

#include <array>

#include "fovea/render/camera.h"
#include "fovea/render/lighting.h"

namespace fovea {

/// Mirrors the std140 block in k_frame_block: matrices and groups of four floats only, so that
/// both sides agree on the layout.
struct FrameUniforms {
    using Four = std::array<float, 4>;

    Mat4 view_projection;
    Mat4 shadow_matrix;
    Four eye;
    std::array<Four, k_most_lights> light_direction;
    std::array<Four, k_most_lights> light_colour;
    Four shadow;
    Four plane_look;
};

/// `grid_spacing` is that of the lines on planes, metres.
FrameUniforms frame_uniforms(const SceneCamera& camera, const Mat4& view_projection,
                             const Lighting& lighting, const ShadowView& shadow, int picture_height,
                             float grid_spacing);

} // namespace fovea
