#include "fovea/render/camera.h"

#include <algorithm>
#include <vector>

#include "fovea/base/assert.h"
#include "fovea/geometry/shape_bounds.h"

namespace fovea {

namespace {

constexpr float k_steepest_pitch = 1.55f; ///< radians, just short of looking straight down
constexpr float k_margin = 1.06f;         ///< of free space around framed bodies

/// What a framing camera must see.
struct Ball {
    Vec3 centre;
    float radius;
};

bool is_bounded(const SceneBody& body) {
    return type_of(body.shape) != ShapeType::half_space;
}

float reach_of(const SceneBody& body) {
    if (!body.appearance) return bounding_radius(body.shape);
    float squared = 0;
    for (const Vec3& vertex : body.appearance->vertices)
        squared = std::max(squared, length_squared(vertex));
    return std::sqrt(squared);
}

/// Height of the highest floor under `ball`, or its own height if there is none below it.
float floor_below(const Ball& ball, const Scene& scene, std::span<const Transform> poses,
                  const Vec3& up) {
    constexpr float k_floor_slope = 0.9f; // cosine; steeper half-spaces are walls
    float drop = Aabb::k_infinity;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const auto* half_space = std::get_if<HalfSpace>(&scene.bodies[i].shape);
        if (!half_space) continue;
        const Vec3 normal = rotate(poses[i].orientation, half_space->normal);
        if (dot(normal, up) < k_floor_slope) continue;
        const float offset = half_space->offset + dot(normal, poses[i].position);
        const float height = (dot(normal, ball.centre) - offset) / dot(normal, up);
        if (height > 0) drop = std::min(drop, height);
    }
    return drop < Aabb::k_infinity ? drop : 0;
}

std::vector<Ball> balls_to_frame(const Scene& scene, std::span<const Transform> poses) {
    const bool any_movable =
        std::any_of(scene.bodies.begin(), scene.bodies.end(),
                    [](const SceneBody& body) { return body.mass > 0 && is_bounded(body); });
    std::vector<Ball> balls;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const SceneBody& body = scene.bodies[i];
        if (!is_bounded(body) || (any_movable && !(body.mass > 0))) continue;
        if (!is_finite(poses[i].position)) continue;
        const Ball ball{poses[i].position, reach_of(body)};
        balls.push_back(ball);
        const float gravity = length(scene.gravity);
        if (body.mass > 0 && gravity > 0) {
            const Vec3 up = scene.gravity / -gravity;
            const float drop = floor_below(ball, scene, poses, up);
            if (drop > ball.radius)
                balls.push_back({ball.centre - up * (drop - ball.radius), ball.radius});
        }
    }
    return balls;
}

} // namespace

CameraFrame frame_of(const SceneCamera& camera) {
    const Vec3 backward = normalized_or(camera.position - camera.target, Vec3(0, 0, 1));
    // Looking straight up or down leaves no horizon; any right-hand direction will do then.
    const Vec3 right = normalized_or(cross(Vec3(0, 1, 0), backward), Vec3(1, 0, 0));
    return {camera.position, right, cross(backward, right), backward};
}

DepthRange depth_range(const SceneCamera& camera) {
    const float distance = std::max(length(camera.position - camera.target), 1e-3f);
    return {distance * 0.02f, distance * 400};
}

Mat4 view_projection(const SceneCamera& camera, float aspect) {
    const CameraFrame frame = frame_of(camera);
    const DepthRange depth = depth_range(camera);
    return perspective_matrix(std::tan(camera.field_of_view / 2), aspect, depth.near, depth.far) *
           eye_matrix(frame.position, frame.right, frame.up, frame.backward);
}

SceneCamera framing_camera(const Scene& scene, std::span<const Transform> poses, float aspect) {
    FOVEA_ASSERT(poses.size() == scene.bodies.size());
    const std::vector<Ball> balls = balls_to_frame(scene, poses);
    OrbitCamera orbit;
    orbit.yaw = 0.45f;
    orbit.pitch = 0.42f;
    orbit.field_of_view = 0.5f;
    if (balls.empty()) {
        orbit.distance = 20;
        return orbit.camera();
    }

    // In the camera's axes a ball lies inside the two planes of slope s through an eye at distance
    // d from the origin if   |x| + r sqrt(1 + s^2) <= s (d - z).   Each side gives the eye a line
    // it must stay behind; where the left and right lines cross is the nearest eye, and the wider
    // of the two directions decides.
    const CameraFrame axes = frame_of(orbit.camera());
    const float slope_y = std::tan(orbit.field_of_view / 2) / k_margin;
    const float slope_x = slope_y * aspect;
    float right = -Aabb::k_infinity, left = right, top = right, bottom = right, front = right;
    for (const Ball& ball : balls) {
        const float x = dot(ball.centre, axes.right), y = dot(ball.centre, axes.up);
        const float z = dot(ball.centre, axes.backward);
        const float wide_x = ball.radius * std::sqrt(1 + slope_x * slope_x);
        const float wide_y = ball.radius * std::sqrt(1 + slope_y * slope_y);
        right = std::max(right, x + wide_x + slope_x * z);
        left = std::max(left, -x + wide_x + slope_x * z);
        top = std::max(top, y + wide_y + slope_y * z);
        bottom = std::max(bottom, -y + wide_y + slope_y * z);
        front = std::max(front, z + ball.radius);
    }
    const float eye_x = (right - left) / 2, eye_y = (top - bottom) / 2;
    const float eye_z = std::max((right + left) / (2 * slope_x), (top + bottom) / (2 * slope_y));
    // The target sits at the depth of the bodies' middle, for the viewer to orbit about, but not so
    // far that the near plane, a fixed fraction of its distance, would cut the foremost body.
    float middle = 0;
    for (const Ball& ball : balls) middle += dot(ball.centre, axes.backward) / float(balls.size());
    orbit.distance = std::min(eye_z - middle, (eye_z - front) * 40);
    orbit.target = axes.right * eye_x + axes.up * eye_y + axes.backward * (eye_z - orbit.distance);
    return orbit.camera();
}

SceneCamera default_camera(const Scene& scene, float aspect) {
    if (scene.camera) return *scene.camera;
    std::vector<Transform> poses;
    poses.reserve(scene.bodies.size());
    for (const SceneBody& body : scene.bodies) poses.push_back(body.placement);
    return framing_camera(scene, poses, aspect);
}

OrbitCamera OrbitCamera::from(const SceneCamera& camera) {
    const Vec3 arm = camera.position - camera.target;
    OrbitCamera orbit;
    orbit.target = camera.target;
    orbit.distance = std::max(length(arm), 1e-3f);
    orbit.yaw = std::atan2(arm.x, arm.z);
    orbit.pitch = std::asin(std::clamp(arm.y / orbit.distance, -1.0f, 1.0f));
    orbit.field_of_view = camera.field_of_view;
    orbit.orbit(0, 0);
    return orbit;
}

SceneCamera OrbitCamera::camera() const {
    const Vec3 arm(std::sin(yaw) * std::cos(pitch), std::sin(pitch),
                   std::cos(yaw) * std::cos(pitch));
    return {target + arm * distance, target, field_of_view};
}

void OrbitCamera::orbit(float yaw_change, float pitch_change) {
    yaw += yaw_change;
    pitch = std::clamp(pitch + pitch_change, -k_steepest_pitch, k_steepest_pitch);
}

void OrbitCamera::zoom(float factor) {
    distance = std::clamp(distance * factor, 1e-2f, 1e5f);
}

void OrbitCamera::pan(float right, float up) {
    const CameraFrame axes = frame_of(camera());
    const float picture_height = 2 * distance * std::tan(field_of_view / 2);
    target += axes.right * (right * picture_height) + axes.up * (up * picture_height);
}

} // namespace fovea
