// The camera that frames a scene, and the orbit camera.
#include <doctest/doctest.h>

#include "drawing.h"
#include "fovea/base/random.h"

using namespace fovea;
using namespace fovea::test;

namespace {

/// True if the picture holds the ball entirely, by the camera's definition.
bool holds(const SceneCamera& camera, const Vec3& centre, float radius) {
    const CameraFrame axes = frame_of(camera);
    for (const Vec3& side : {axes.right, -axes.right, axes.up, -axes.up}) {
        const PicturePoint p = project(camera, centre + side * radius, 160, 90);
        if (!(p.x >= 0 && p.x <= 160 && p.y >= 0 && p.y <= 90)) return false;
    }
    return dot(camera.position - centre, axes.backward) > radius;
}

} // namespace

TEST_CASE("the framing camera sees every movable body, and not from needlessly far") {
    Random random(11);
    for (int trial = 0; trial < 50; ++trial) {
        Scene scene;
        scene.bodies.push_back(floor_at(-5, {1, 1, 1}));
        const double spread_x = random.uniform(0, 30), spread_z = random.uniform(0, 30);
        const auto count = 1 + random.below(40);
        for (std::uint32_t i = 0; i < count; ++i)
            scene.bodies.push_back(
                body(Sphere{float(random.uniform(0.1, 2))},
                     {float(random.uniform(-spread_x, spread_x)), float(random.uniform(-3, 20)),
                      float(random.uniform(-spread_z, spread_z))},
                     {1, 1, 1}));
        const SceneCamera camera = default_camera(scene, 16.0f / 9);
        SceneCamera nearer = camera;
        nearer.position = camera.position + (camera.target - camera.position) * 0.15f;
        bool all_near = true;
        for (const SceneBody& each : scene.bodies) {
            if (each.mass == 0) continue;
            const float radius = std::get<Sphere>(each.shape).radius;
            CHECK(holds(camera, each.placement.position, radius));
            // Bodies fall: the place on the floor below must be in the picture as well.
            Vec3 landed = each.placement.position;
            landed.y = -5 + radius;
            CHECK(holds(camera, landed, radius));
            all_near = all_near && holds(nearer, each.placement.position, radius) &&
                       holds(nearer, landed, radius);
        }
        CHECK_FALSE(all_near);
    }
}

TEST_CASE("the scene's own camera comes first; scenes without bodies have one too") {
    Scene scene;
    const SceneCamera empty = default_camera(scene, 1);
    CHECK(length(empty.position - empty.target) > 0);
    scene.camera = SceneCamera{{1, 2, 3}, {4, 5, 6}, 0.7f};
    const SceneCamera own = default_camera(scene, 1);
    CHECK(own.position == Vec3(1, 2, 3));
    CHECK(own.target == Vec3(4, 5, 6));
}

TEST_CASE("the orbit camera keeps its target and turns, zooms and pans as told") {
    const SceneCamera camera{{3, 4, 5}, {1, 1, 1}, 0.6f};
    OrbitCamera orbit = OrbitCamera::from(camera);
    CHECK(length(orbit.camera().position - camera.position) < 1e-5f); // a few roundings
    orbit.orbit(0.3f, 10);
    CHECK(orbit.camera().target == camera.target);
    CHECK(orbit.pitch < 1.5708f);
    const float before = orbit.distance;
    orbit.zoom(0.5f);
    CHECK(length(orbit.camera().position - camera.target) == doctest::Approx(before / 2));
    orbit.pitch = 0;
    const Vec3 old_target = orbit.target;
    orbit.pan(0, 0.5f); // half a picture: the old target moves to the lower edge
    const PicturePoint edge = project(orbit.camera(), old_target, 100, 100);
    CHECK(edge.y == doctest::Approx(100).epsilon(1e-3));
    CHECK(edge.x == doctest::Approx(50).epsilon(1e-3));
}

TEST_CASE("the projection matrix agrees with the camera's definition") {
    const SceneCamera camera{{3, 4, 5}, {1, 1, 1}, 0.6f};
    const Mat4 matrix = view_projection(camera, 160.0f / 90);
    for (const Vec3& point : {Vec3(1, 1, 1), Vec3(0, 2, 1), Vec3(2, 0.5f, -1)}) {
        const ClipPoint clip = transform_point(matrix, point);
        const PicturePoint p = project(camera, point, 160, 90);
        CHECK((clip.x / clip.w + 1) * 80 == doctest::Approx(p.x).epsilon(1e-4));
        CHECK((1 - clip.y / clip.w) * 45 == doctest::Approx(p.y).epsilon(1e-4));
        CHECK(clip.z / clip.w > -1);
        CHECK(clip.z / clip.w < 1);
    }
}
