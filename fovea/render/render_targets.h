// The framebuffers a picture passes through.
//
//   samples (4 per pixel) --resolve--> picture (sRGB)  <--multiply-- occlusion (half size)
//            |                                                          ^
//            '--------------depth of the first sample-------------------'
#pragma once

#include <array>

#include "fovea/render/gl_objects.h"

namespace fovea {

struct RenderTargets {
    struct Target {
        GlFramebuffer framebuffer;
        GlTexture colour, depth;
    };

    int width = 0;
    int height = 0;
    Target samples;
    Target picture;                  ///< colour alone
    Target surface;                  ///< depth alone: read while the picture is written
    std::array<Target, 2> occlusion; ///< raw and smoothed; half the size, no depth
};

/// Fails if the size is beyond what OpenGL can do.
Result<RenderTargets> make_targets(int width, int height);

/// A square depth map that is compared against when sampled.
Result<RenderTargets::Target> make_shadow_map(int resolution);

} // namespace fovea
