// Pictures compared with stored ones. After a wanted change of looks, write them anew with
//
//   FOVEA_WRITE_GOLDEN=1 build/release/test_render -tc="golden*"
//
// and look at them before committing.
#include <cstdlib>

#include <doctest/doctest.h>

#include "drawing.h"
#include "fovea/geometry/procedural.h"

using namespace fovea;
using namespace fovea::test;

namespace {

// Other versions of the software renderer round differently and move samples across edges: a few
// outline pixels, and the last bit of shading. A missing shadow, a body out of place or a wrong
// colour changes the mean by several times this.
constexpr double k_tolerance = 1.5;

void compare(const Scene& scene, const std::string& name) {
    const Picture picture = draw(scene, default_camera(scene, 4.0f / 3));
    const std::string path = std::string(FOVEA_GOLDEN_FOLDER) + "/" + name + ".png";
    if (std::getenv("FOVEA_WRITE_GOLDEN")) {
        const auto written = write_png(picture, path);
        REQUIRE_MESSAGE(written.has_value(), written.error().message);
    }
    const auto golden = read_png(path);
    REQUIRE_MESSAGE(golden.has_value(), golden.error().message);
    CHECK(mean_difference(picture, *golden) < k_tolerance);
}

} // namespace

TEST_CASE("golden: rack of balls on a floor") {
    Scene scene;
    scene.bodies.push_back(floor_at(0, {0.1f, 0.45f, 0.2f}));
    for (int row = 0; row < 3; ++row)
        for (int i = 0; i <= row; ++i)
            scene.bodies.push_back(
                body(Sphere{1}, {float(i) * 2.04f - float(row) * 1.02f, 1, float(row) * -1.77f},
                     {0.9f, 0.3f * float(row), 0.1f},
                     from_axis_angle(Vec3(0, 0.6f, 0.8f), float(row + 2 * i))));
    scene.bodies.push_back(body(Sphere{0.95f}, {0, 0.95f, 4}, {1, 1, 1}));
    compare(scene, "rack");
}

TEST_CASE("golden: one of each shape") {
    Scene scene;
    scene.bodies.push_back(floor_at(0, {1, 1, 1}));
    const Quat lying = from_axis_angle(normalized(Vec3(1, 0, 0.3f)), 1.5708f);
    scene.bodies.push_back(body(Box{{0.8f, 0.6f, 0.7f}}, {-3, 0.6f, 0}, {0.9f, 0.4f, 0.1f}));
    scene.bodies.push_back(body(Cylinder{0.6f, 1}, {-1.1f, 0.6f, 0}, {0.3f, 0.7f, 0.4f}, lying));
    scene.bodies.push_back(body(Capsule{0.5f, 0.8f}, {0.6f, 1.3f, 0}, {0.2f, 0.5f, 0.9f}));
    scene.bodies.push_back(body(Cone{0.8f, 1}, {2.2f, 1, 0}, {0.85f, 0.2f, 0.3f}));
    SceneBody knot = body(Sphere{0.6f}, {4, 0.9f, 0}, {0.6f, 0.4f, 0.8f});
    knot.appearance =
        std::make_shared<const TriangleMesh>(make_torus_knot(0.5f, 0.15f, 2, 3, 96, 12));
    scene.bodies.push_back(knot);
    compare(scene, "shapes");
}

TEST_CASE("golden: box of walls with springs, two lights") {
    Scene scene;
    scene.bodies.push_back(floor_at(0, {1, 1, 1}));
    for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
        scene.bodies.push_back(body(HalfSpace{normal, -4}, {}, {0.8f, 0.8f, 0.9f}));
        scene.bodies.back().mass = 0;
    }
    for (int i = 0; i < 9; ++i)
        scene.bodies.push_back(
            body(Sphere{0.4f}, {float(i % 3) * 2 - 2, 0.6f + 0.5f * float(i), float(i / 3) * 2 - 2},
                 {i % 2 ? 1.0f : 0.8f, i % 2 ? 1.0f : 0.1f, 0.2f}));
    scene.springs.push_back({5, 9, {}, {}, 10});
    scene.lights = {{{20, 40, 20}, {1, 0.9f, 0.8f}}, {{-30, 20, 10}, {0.3f, 0.4f, 0.6f}}};
    compare(scene, "walls");
}
