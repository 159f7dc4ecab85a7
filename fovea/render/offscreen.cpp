#include "fovea/render/offscreen.h"

#include <cstdio>
#include <string>
#include <string_view>

#include <EGL/egl.h>
#include <EGL/eglext.h>

namespace fovea {

struct OffscreenContext::State {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLSurface surface = EGL_NO_SURFACE;
    EGLContext context = EGL_NO_CONTEXT;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (display == EGL_NO_DISPLAY) return;
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
        if (surface != EGL_NO_SURFACE) eglDestroySurface(display, surface);
        eglTerminate(display);
    }
};

namespace {

tl::unexpected<Error> cannot_draw(const std::string& what) {
    char code[16];
    std::snprintf(code, sizeof code, "0x%04x", unsigned(eglGetError()));
    return failure("cannot draw off-screen: " + what + " (EGL error " + code + ")");
}

bool has_extension(EGLDisplay display, std::string_view name) {
    const char* names = eglQueryString(display, EGL_EXTENSIONS);
    return names && std::string_view(names).find(name) != std::string_view::npos;
}

EGLDisplay surfaceless_display() {
    if (!has_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) return EGL_NO_DISPLAY;
    return eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
}

/// Any initialised display, the surfaceless one first.
EGLDisplay open_display() {
    for (const bool surfaceless : {true, false}) {
        const EGLDisplay display =
            surfaceless ? surfaceless_display() : eglGetDisplay(EGL_DEFAULT_DISPLAY);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
    }
    return EGL_NO_DISPLAY;
}

} // namespace

Result<OffscreenContext> OffscreenContext::make() {
    auto state = std::make_unique<State>();
    state->display = open_display();
    if (state->display == EGL_NO_DISPLAY) return cannot_draw("no usable EGL display");
    if (!eglBindAPI(EGL_OPENGL_API)) return cannot_draw("EGL offers no desktop OpenGL");

    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(state->display, wanted, &config, 1, &count) || count == 0)
        return cannot_draw("no EGL configuration for OpenGL");
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    state->context = eglCreateContext(state->display, config, EGL_NO_CONTEXT, version);
    if (state->context == EGL_NO_CONTEXT) return cannot_draw("no OpenGL 3.3 core context");
    if (!has_extension(state->display, "EGL_KHR_surfaceless_context")) {
        const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
        state->surface = eglCreatePbufferSurface(state->display, config, size);
        if (state->surface == EGL_NO_SURFACE) return cannot_draw("no EGL pbuffer");
    }
    if (!eglMakeCurrent(state->display, state->surface, state->surface, state->context))
        return cannot_draw("the OpenGL context cannot be made current");
    return OffscreenContext(std::move(state));
}

OffscreenContext::OffscreenContext(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
OffscreenContext::OffscreenContext(OffscreenContext&&) noexcept = default;
OffscreenContext& OffscreenContext::operator=(OffscreenContext&&) noexcept = default;
OffscreenContext::~OffscreenContext() = default;

} // namespace fovea
