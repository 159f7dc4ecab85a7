#include "fovea/render/contact_shading.h"

#include "fovea/render/shaders.h"

namespace fovea {

Result<ContactShading> ContactShading::make() {
    auto estimate = make_program("occlusion", {k_cover_vertex}, {k_occlusion_fragment});
    if (!estimate) return tl::unexpected(estimate.error());
    auto smooth = make_program("occlusion blur", {k_cover_vertex}, {k_occlusion_blur_fragment});
    if (!smooth) return tl::unexpected(smooth.error());
    auto multiply = make_program("occlusion apply", {k_cover_vertex}, {k_occlusion_apply_fragment});
    if (!multiply) return tl::unexpected(multiply.error());
    ContactShading made;
    made.estimate_ = std::move(*estimate);
    made.smooth_ = std::move(*smooth);
    made.multiply_ = std::move(*multiply);
    made.no_vertices_ = make_vertex_array();
    return made;
}

void ContactShading::apply(const RenderTargets& targets, const SceneCamera& camera,
                           float radius) const {
    const float slope = std::tan(camera.field_of_view / 2);
    const float aspect = float(targets.width) / float(targets.height);
    const DepthRange depth = depth_range(camera);
    const Vec3 range(depth.near, depth.far, radius);
    const auto cover = [](GLuint framebuffer, int width, int height) {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glViewport(0, 0, width, height);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    };
    const auto& [raw, smoothed] = targets.occlusion;
    const int half_width = (targets.width + 1) / 2, half_height = (targets.height + 1) / 2;

    glBindVertexArray(no_vertices_.name());
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);

    glUseProgram(estimate_.name());
    set_texture(estimate_, "depth_map", 0, GL_TEXTURE_2D, targets.surface.depth);
    set_uniform(estimate_, "lens", Vec3(slope * aspect, slope, 0));
    set_uniform(estimate_, "range", range);
    cover(raw.framebuffer.name(), half_width, half_height);

    glUseProgram(smooth_.name());
    set_texture(smooth_, "occlusion_map", 0, GL_TEXTURE_2D, raw.colour);
    cover(smoothed.framebuffer.name(), half_width, half_height);

    glUseProgram(multiply_.name());
    set_texture(multiply_, "depth_map", 0, GL_TEXTURE_2D, targets.surface.depth);
    set_texture(multiply_, "occlusion_map", 1, GL_TEXTURE_2D, smoothed.colour);
    set_uniform(multiply_, "range", range);
    glEnable(GL_BLEND);
    glBlendFunc(GL_DST_COLOR, GL_ZERO);
    cover(targets.picture.framebuffer.name(), targets.width, targets.height);
    glDisable(GL_BLEND);
}

} // namespace fovea
