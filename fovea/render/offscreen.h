// An OpenGL 3.3 core context without a window, for pictures on machines without a display.
//
// EGL gives it: on Mesa's surfaceless platform where there is one (software rendering included),
// otherwise on the default display with a 1x1 pbuffer. Drawing goes to framebuffer objects, so the
// surface itself is never used.
#pragma once

#include <memory>

#include "fovea/base/result.h"

namespace fovea {

class OffscreenContext {
  public:
    /// Makes a context and makes it current on the calling thread, which is the one to draw from.
    /// Fails where there is no EGL or no OpenGL 3.3.
    static Result<OffscreenContext> make();

    OffscreenContext(OffscreenContext&&) noexcept;
    OffscreenContext& operator=(OffscreenContext&&) noexcept;
    /// Everything made in the context (renderers) must be gone by now.
    ~OffscreenContext();

  private:
    struct State;
    explicit OffscreenContext(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace fovea
