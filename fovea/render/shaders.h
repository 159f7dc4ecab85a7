// The shader texts. Each program is put together from these parts in make_program.
#pragma once

#include <string_view>

namespace fovea {

/// Uniforms of the whole picture, shared by all programs; FrameUniforms mirrors the block.
extern const std::string_view k_frame_block;
/// Light, shadow and tone: the colour of a lit surface.
extern const std::string_view k_lighting;
/// What must stand before k_lighting. Soft shadows have a rim a few cells of the map wide; they are
/// chosen when a program is made because software rendering takes both sides of a branch.
extern const std::string_view k_hard_shadows;
extern const std::string_view k_soft_shadows;
/// Placement of an instanced vertex.
extern const std::string_view k_instance_placement;

extern const std::string_view k_body_vertex;
extern const std::string_view k_body_fragment;
extern const std::string_view k_shadow_vertex;
extern const std::string_view k_shadow_fragment;
extern const std::string_view k_plane_vertex;
extern const std::string_view k_plane_fragment;
/// One triangle that covers the picture.
extern const std::string_view k_cover_vertex;
extern const std::string_view k_backdrop_fragment;
extern const std::string_view k_occlusion_fragment;
extern const std::string_view k_occlusion_blur_fragment;
extern const std::string_view k_occlusion_apply_fragment;

} // namespace fovea
