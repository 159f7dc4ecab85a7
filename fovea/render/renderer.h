// Draws a scene's bodies at given poses: lit per pixel, with shadows.
//
//   scene --once--> meshes, colours, lights        poses --per picture--> instances
//
//   shadow map -> bodies and floors (4 samples per pixel) -> see-through walls -> resolve
//              -> contact shading -> picture
//
// The renderer knows nothing of the simulation. It needs a current OpenGL 3.3 context (an
// OffscreenContext, or a window's) from make() to its end, all on one thread.
//
//   auto context = OffscreenContext::make();
//   auto renderer = Renderer::make(scene);
//   renderer->draw(poses, default_camera(scene, 16 / 9.0f), 1280, 720);
//   write_png(renderer->picture(), "frame.png");
#pragma once

#include <memory>
#include <span>

#include "fovea/base/transform.h"
#include "fovea/render/picture.h"
#include "fovea/scene/scene.h"

namespace fovea {

struct RenderSettings {
    /// Cells along an edge of the shadow map: finer shadows against time and memory.
    int shadow_resolution = 2048;
    /// Darkening of crevices and contacts; a few milliseconds on a graphics card, about a third of
    /// the picture's time with software rendering.
    bool contact_shading = true;
};

class Renderer {
  public:
    /// Fails if OpenGL refuses a shader or framebuffer.
    static Result<Renderer> make(const Scene& scene, const RenderSettings& settings = {});

    /// Gives a body whose shape is a DeformingMesh its vertices of now, in the shape's frame.
    void reshape(std::size_t body, std::span<const Vec3> vertices);

    /// Draws one picture of `width` x `height` pixels. `poses`: where the frame of each body's
    /// shape is, one for each body of the scene, in order. Bodies at places that are not finite
    /// are left out.
    Result<void> draw(std::span<const Transform> poses, const SceneCamera& camera, int width,
                      int height);

    /// The last drawn picture, read back; empty before the first.
    Picture picture() const;

    /// Copies the last drawn picture to the window's framebuffer.
    void show() const;

    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;
    ~Renderer();

  private:
    struct State;
    explicit Renderer(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace fovea
