#include "fovea/render/render_targets.h"

#include <algorithm>
#include <string>

namespace fovea {

namespace {

constexpr GLint k_samples = 4;

GlTexture make_storage(GLenum format, int width, int height, GLenum filter) {
    GlTexture texture = make_texture();
    const bool depth = format == GL_DEPTH_COMPONENT32F;
    const GLenum channels = depth ? GL_DEPTH_COMPONENT : format == GL_RG16F ? GL_RG : GL_RGBA;
    glBindTexture(GL_TEXTURE_2D, texture.name());
    glTexImage2D(GL_TEXTURE_2D, 0, GLint(format), width, height, 0, channels, GL_FLOAT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GLint(filter));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GLint(filter));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

GlTexture make_sample_storage(GLenum format, int width, int height) {
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    GlTexture texture = make_texture();
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture.name());
    glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, std::min(k_samples, most), format, width,
                            height, GL_TRUE);
    return texture;
}

Result<RenderTargets::Target> make_target(GlTexture colour, GlTexture depth, GLenum texture_kind) {
    RenderTargets::Target target{make_framebuffer(), std::move(colour), std::move(depth)};
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.name());
    if (target.colour.name())
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture_kind,
                               target.colour.name(), 0);
    if (!target.colour.name()) {
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
    }
    if (target.depth.name())
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, texture_kind,
                               target.depth.name(), 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return failure("OpenGL cannot draw to the kind of framebuffer that is needed");
    return target;
}

} // namespace

Result<RenderTargets> make_targets(int width, int height) {
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (width < 1 || height < 1 || width > largest || height > largest)
        return failure("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                       " pixels cannot be drawn: each side must be 1 to " +
                       std::to_string(largest));
    RenderTargets targets;
    targets.width = width;
    targets.height = height;
    auto samples = make_target(make_sample_storage(GL_SRGB8_ALPHA8, width, height),
                               make_sample_storage(GL_DEPTH_COMPONENT32F, width, height),
                               GL_TEXTURE_2D_MULTISAMPLE);
    if (!samples) return tl::unexpected(samples.error());
    targets.samples = std::move(*samples);
    auto picture =
        make_target(make_storage(GL_SRGB8_ALPHA8, width, height, GL_NEAREST), {}, GL_TEXTURE_2D);
    if (!picture) return tl::unexpected(picture.error());
    targets.picture = std::move(*picture);
    auto surface = make_target({}, make_storage(GL_DEPTH_COMPONENT32F, width, height, GL_NEAREST),
                               GL_TEXTURE_2D);
    if (!surface) return tl::unexpected(surface.error());
    targets.surface = std::move(*surface);
    for (RenderTargets::Target& half : targets.occlusion) {
        auto made =
            make_target(make_storage(GL_RG16F, (width + 1) / 2, (height + 1) / 2, GL_NEAREST), {},
                        GL_TEXTURE_2D);
        if (!made) return tl::unexpected(made.error());
        half = std::move(*made);
    }
    return targets;
}

Result<RenderTargets::Target> make_shadow_map(int resolution) {
    GlTexture depth = make_storage(GL_DEPTH_COMPONENT32F, resolution, resolution, GL_LINEAR);
    // Outside the map nothing is in shadow.
    const float far_away[] = {1, 1, 1, 1};
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, far_away);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    return make_target({}, std::move(depth), GL_TEXTURE_2D);
}

} // namespace fovea
