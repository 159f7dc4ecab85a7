// What pictures must show: light, colour, orientation, shadow (Stokes 3 and 8).
#include <doctest/doctest.h>

#include "drawing.h"
#include "fovea/geometry/tessellate.h"

using namespace fovea;
using namespace fovea::test;

namespace {

const SceneCamera k_front{{0, 0, 6}, {0, 0, 0}, 0.6f};
const RenderSettings k_plain{.shadow_resolution = 512, .contact_shading = false};

/// A sphere as a mesh, which is drawn without the pattern that shows rotation.
SceneBody plain_sphere(const Vec3& position, const Vec3& colour) {
    SceneBody made = body(Sphere{1}, position, colour);
    made.appearance = std::make_shared<const TriangleMesh>(tessellate(Sphere{1}, 64, 1));
    return made;
}

} // namespace

TEST_CASE("brightness falls smoothly across a sphere from the lit to the dark side") {
    Scene scene;
    scene.bodies.push_back(plain_sphere({}, {1, 1, 1}));
    scene.lights.push_back({{-100, 0, 0}, {1, 1, 1}});
    const Picture picture = draw(scene, k_front, 160, 120, k_plain);
    // The sphere's outline at its height is 32.8 pixels from the middle; its very rim is left out.
    const int y = 60, left = 80 - 29, right = 80 + 29;
    int steepest = 0;
    for (int x = left; x < right; ++x) {
        const int fall = brightness(picture.at(x, y)) - brightness(picture.at(x + 1, y));
        // The mirrored surroundings may brighten the far rim by a trace.
        CHECK(fall >= -6);
        steepest = std::max(steepest, fall);
    }
    CHECK(brightness(picture.at(left, y)) > brightness(picture.at(right, y)) + 200);
    // Facets would show as jumps. Lambert's cosine from full light at the rim to none in the
    // middle, 30 pixels on, encoded to sRGB, falls by 3 * 25 from one pixel to the next at most
    // (where the light goes out and sRGB is steepest).
    CHECK(steepest < 75);
    // Above and below the middle the light is the same.
    CHECK(std::abs(brightness(picture.at(66, 50)) - brightness(picture.at(66, 69))) < 60);
}

TEST_CASE("a body's colour drives its pixels") {
    for (std::size_t channel = 0; channel < 3; ++channel) {
        Scene scene;
        Vec3 colour(0.1f, 0.1f, 0.1f);
        colour[int(channel)] = 0.9f;
        scene.bodies.push_back(body(Sphere{1}, {}, colour));
        const Pixel pixel = draw(scene, k_front, 160, 120, k_plain).at(72, 52);
        for (std::size_t other = 0; other < 3; ++other)
            if (other != channel) CHECK(pixel[channel] > pixel[other] + 60);
    }
}

TEST_CASE("a white body in full light is not blown out, and its dark side not black") {
    Scene scene;
    scene.bodies.push_back(plain_sphere({}, {1, 1, 1}));
    const Picture picture = draw(scene, k_front, 160, 120, k_plain);
    int burnt = 0, black = 0;
    for (const Pixel& pixel : picture.pixels) {
        burnt += pixel[0] >= 254 && pixel[1] >= 254 && pixel[2] >= 254;
        black += brightness(pixel) < 60;
    }
    CHECK(burnt == 0);
    CHECK(black == 0);
}

TEST_CASE("a turned cylinder looks like a cylinder whose vertices are turned") {
    const Quat turn = from_axis_angle(normalized(Vec3(1, 2, 3)), 1.1f);
    const TriangleMesh upright = tessellate(Cylinder{0.6f, 1.4f}, 48, 1);
    TriangleMesh turned = upright;
    for (Vec3& vertex : turned.vertices) vertex = rotate(turn, vertex) + Vec3(0.2f, 0.1f, 0);

    Scene placed, reference, untouched;
    placed.lights = reference.lights = untouched.lights = {SceneLight{}};
    placed.bodies.push_back(body(Cylinder{0.6f, 1.4f}, {0.2f, 0.1f, 0}, {1, 1, 1}, turn));
    placed.bodies[0].appearance = std::make_shared<const TriangleMesh>(upright);
    reference.bodies.push_back(body(Cylinder{0.6f, 1.4f}, {}, {1, 1, 1}));
    reference.bodies[0].appearance = std::make_shared<const TriangleMesh>(turned);
    untouched.bodies.push_back(body(Cylinder{0.6f, 1.4f}, {}, {1, 1, 1}));
    untouched.bodies[0].appearance = std::make_shared<const TriangleMesh>(upright);

    const Picture picture = draw(placed, k_front, 160, 120, k_plain);
    // Both ways round alike but for rounding, which may move a sample across an edge.
    CHECK(mean_difference(picture, draw(reference, k_front, 160, 120, k_plain)) < 0.1);
    CHECK(mean_difference(picture, draw(untouched, k_front, 160, 120, k_plain)) > 3);
    // The shape itself, with its pattern, covers the same pixels.
    placed.bodies[0].appearance = nullptr;
    CHECK(mean_difference(picture, draw(placed, k_front, 160, 120, k_plain)) < 3);
}

TEST_CASE("rotation shows on a sphere") {
    Scene still, turned;
    still.bodies.push_back(body(Sphere{1}, {}, {1, 1, 1}));
    turned.bodies.push_back(body(Sphere{1}, {}, {1, 1, 1}, from_axis_angle(Vec3(0, 1, 0), 0.8f)));
    const Picture a = draw(still, k_front, 160, 120, k_plain);
    const Picture b = draw(turned, k_front, 160, 120, k_plain);
    CHECK(mean_difference(a, b) > 0.5);
}

TEST_CASE("the floor is darker in a body's shadow than beside it") {
    Scene scene;
    scene.bodies.push_back(floor_at(0, {1, 1, 1}));
    scene.bodies.push_back(body(Sphere{1}, {0, 3, 0}, {1, 1, 1}));
    scene.lights.push_back({{0, 100, 0}, {1, 1, 1}});
    const SceneCamera camera{{0, 6, 14}, {0, 1.5f, 0}, 0.6f};
    const Picture picture = draw(scene, camera, 160, 120, k_plain);
    const auto at = [&](const Vec3& point) {
        const PicturePoint p = project(camera, point, 160, 120);
        return brightness(picture.at(int(p.x), int(p.y)));
    };
    const int under = at({0, 0, 0.3f});
    const int beside = at({2.5f, 0, 0.3f});
    CHECK(under + 90 < beside);
    CHECK(std::abs(at({-2.5f, 0, 0.3f}) - beside) < 30); // grid and fading only
    // Without the body in between, the same place is as bright as the one beside it.
    scene.bodies[1].placement.position = {0, 3, 40};
    const Picture empty = draw(scene, camera, 160, 120, k_plain);
    const PicturePoint p = project(camera, {0, 0, 0.3f}, 160, 120);
    CHECK(std::abs(brightness(empty.at(int(p.x), int(p.y))) - beside) < 30);
}

TEST_CASE("contact shading darkens the floor next to a body and leaves the rest") {
    Scene scene;
    scene.bodies.push_back(floor_at(0, {1, 1, 1}));
    scene.bodies.push_back(body(Box{{1, 1, 1}}, {0, 1, 0}, {1, 1, 1}));
    scene.lights.push_back({{0, 100, 100}, {1, 1, 1}});
    const SceneCamera camera{{0, 5, 12}, {0, 1, 0}, 0.6f};
    RenderSettings shaded = k_plain;
    shaded.contact_shading = true;
    const Picture without = draw(scene, camera, 160, 120, k_plain);
    const Picture with = draw(scene, camera, 160, 120, shaded);
    const auto change = [&](const Vec3& point) {
        const PicturePoint p = project(camera, point, 160, 120);
        return brightness(without.at(int(p.x), int(p.y))) - brightness(with.at(int(p.x), int(p.y)));
    };
    CHECK(change({0, 0, 1.2f}) > 15);
    CHECK(std::abs(change({0, 0, 4})) <= 3); // rounding of the multiplication, three channels
}

TEST_CASE("walls do not hide what is behind them; the material's side is not drawn") {
    Scene open, walled;
    open.bodies.push_back(body(Sphere{1}, {}, {1, 0.1f, 0.1f}));
    walled = open;
    // Material in front of the camera's target: the camera is inside it.
    walled.bodies.push_back(body(HalfSpace{{0, 0, -1}, -3}, {}, {0, 0, 1}));
    walled.bodies[1].mass = 0;
    CHECK(mean_difference(draw(open, k_front, 160, 120, k_plain),
                          draw(walled, k_front, 160, 120, k_plain)) < 0.01);
    // A wall behind the body is seen, around it.
    walled.bodies[1].shape = HalfSpace{{0, 0, 1}, -3};
    const Picture behind = draw(walled, k_front, 160, 120, k_plain);
    CHECK(behind.at(40, 60)[2] > behind.at(40, 60)[0] + 20);
    CHECK(behind.at(75, 55)[0] > behind.at(75, 55)[2] + 60);
}

TEST_CASE("drawing is deterministic and does not depend on what was drawn before") {
    Scene scene;
    scene.bodies.push_back(floor_at(0, {0.3f, 0.6f, 0.3f}));
    for (int i = 0; i < 5; ++i)
        scene.bodies.push_back(body(Sphere{0.5f}, {float(i), 0.5f, 0}, {1, 0.5f, 0.2f}));
    const SceneCamera camera = default_camera(scene, 4.0f / 3);
    const Picture first = draw(scene, camera);
    CHECK(first == draw(scene, camera));
    need_context();
    auto renderer = Renderer::make(scene);
    REQUIRE(renderer.has_value());
    std::vector<Transform> elsewhere = starting_poses(scene);
    for (Transform& pose : elsewhere) pose.position += Vec3(1, 2, 3);
    REQUIRE(renderer->draw(elsewhere, camera, 80, 60).has_value());
    REQUIRE(renderer->draw(starting_poses(scene), camera, 160, 120).has_value());
    CHECK(renderer->picture() == first);
}

TEST_CASE("bodies at places that are not finite are left out") {
    Scene scene, lost;
    scene.bodies.push_back(body(Sphere{1}, {}, {1, 1, 1}));
    lost = scene;
    lost.bodies.push_back(body(Sphere{1}, {NAN, 0, INFINITY}, {1, 0, 0}));
    const Picture picture = draw(lost, k_front, 160, 120, k_plain);
    CHECK(mean_difference(picture, draw(scene, k_front, 160, 120, k_plain)) < 0.5);
}

TEST_CASE("a size that OpenGL cannot draw is refused") {
    need_context();
    Scene scene;
    auto renderer = Renderer::make(scene);
    REQUIRE(renderer.has_value());
    const auto drawn = renderer->draw({}, k_front, 0, 100);
    REQUIRE(!drawn.has_value());
    CHECK(drawn.error().message.find("0 x 100") != std::string::npos);
    CHECK(!renderer->draw({}, k_front, 1 << 24, 100).has_value());
}
