#include "drawing.h"

#include <cstdlib>
#include <optional>

#include <doctest/doctest.h>

#include "fovea/render/offscreen.h"

namespace fovea::test {

void need_context() {
    // Pictures are compared with stored ones, so every machine draws them in software.
    static std::optional<OffscreenContext> context;
    if (context) return;
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    auto made = OffscreenContext::make();
    REQUIRE_MESSAGE(made.has_value(), made.error().message);
    context.emplace(std::move(*made));
}

SceneBody body(const Shape& shape, const Vec3& position, const Vec3& colour,
               const Quat& orientation) {
    SceneBody made;
    made.shape = shape;
    made.placement = {position, orientation};
    made.colour = colour;
    made.mass = 1;
    return made;
}

SceneBody floor_at(float height, const Vec3& colour) {
    SceneBody made = body(HalfSpace{{0, 1, 0}, height}, {}, colour);
    made.mass = 0;
    return made;
}

std::vector<Transform> starting_poses(const Scene& scene) {
    std::vector<Transform> poses;
    for (const SceneBody& each : scene.bodies) poses.push_back(each.placement);
    return poses;
}

Picture draw(const Scene& scene, const SceneCamera& camera, int width, int height,
             const RenderSettings& settings) {
    need_context();
    auto renderer = Renderer::make(scene, settings);
    REQUIRE_MESSAGE(renderer.has_value(), renderer.error().message);
    const auto drawn = renderer->draw(starting_poses(scene), camera, width, height);
    REQUIRE_MESSAGE(drawn.has_value(), drawn.error().message);
    return renderer->picture();
}

int brightness(const Pixel& pixel) {
    return pixel[0] + pixel[1] + pixel[2];
}

double mean_difference(const Picture& a, const Picture& b) {
    REQUIRE(a.width == b.width);
    REQUIRE(a.height == b.height);
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
            sum += std::abs(int(a.pixels[i][c]) - int(b.pixels[i][c]));
    return sum / (3.0 * double(a.pixels.size()));
}

PicturePoint project(const SceneCamera& camera, const Vec3& point, int width, int height) {
    // By the camera's definition rather than by its matrix.
    const Vec3 forward = normalized(camera.target - camera.position);
    const Vec3 right = normalized(cross(forward, Vec3(0, 1, 0)));
    const Vec3 up = cross(right, forward);
    const Vec3 arm = point - camera.position;
    const float scale = float(height) / 2 / std::tan(camera.field_of_view / 2) / dot(arm, forward);
    return {float(width) / 2 + dot(arm, right) * scale, float(height) / 2 - dot(arm, up) * scale};
}

} // namespace fovea::test
