// Shared by the drawing tests: one off-screen context, small scenes, pixel arithmetic.
#pragma once

#include <span>
#include <vector>

#include "fovea/render/camera.h"
#include "fovea/render/renderer.h"

namespace fovea::test {

/// Makes the software renderer's context current if none is; fails the test if there is none.
void need_context();

SceneBody body(const Shape& shape, const Vec3& position, const Vec3& colour,
               const Quat& orientation = {});
SceneBody floor_at(float height, const Vec3& colour);

std::vector<Transform> starting_poses(const Scene& scene);

/// Draws the scene at its starting poses.
Picture draw(const Scene& scene, const SceneCamera& camera, int width = 160, int height = 120,
             const RenderSettings& settings = {});

/// Sum of the sRGB components, 0..765.
int brightness(const Pixel& pixel);

/// Mean absolute difference of the colour components, 0..255; the pictures have the same size.
double mean_difference(const Picture& a, const Picture& b);

/// Where a world point falls in a picture, in pixels from the top left corner.
struct PicturePoint {
    float x, y;
};
PicturePoint project(const SceneCamera& camera, const Vec3& point, int width, int height);

} // namespace fovea::test
