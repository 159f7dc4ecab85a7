// What one should see in the scenes of moving meshes.
#include <cmath>

#include "running_scene.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_h = 1.0f / 60;

RunningScene run_meshes(const char* name, int count, int triangles) {
    const auto text = generate_scene(name, {.count = count, .triangles = triangles});
    REQUIRE_MESSAGE(text, text.error().message);
    return run_scene_text(*text, {});
}

Vec3d total_momentum(RunningScene& run) {
    Vec3d sum;
    for (std::size_t i = 0; i < run.scene.bodies.size(); ++i)
        sum += Vec3d(run.velocity(i)) * double(run.scene.bodies[i].mass);
    return sum;
}

} // namespace

TEST_CASE("plates: no bullet gets through or sticks, up to 100 m/s") {
    RunningScene run = run_meshes("plates", 20, 1000);
    const auto bullets = run.bodies_of_type<SolidMesh>();
    REQUIRE(bullets.size() == 20);
    std::vector<Vec3> late(run.scene.bodies.size());
    for (int step = 0; step < 60; ++step) {
        run.world().step(k_h);
        for (const std::size_t i : bullets) {
            CAPTURE(i);
            CHECK(run.position(i).x < 0); // the plates stand at 0
            if (step == 50) late[i] = run.position(i);
        }
    }
    // They glide along the plate or away from it; nothing brakes them but the plate.
    for (const std::size_t i : bullets) {
        CAPTURE(i);
        CHECK(length(run.position(i) - late[i]) > 1e-3f);
    }
}

TEST_CASE("flock: bodies pass within 2 cm and go on as if alone") {
    RunningScene run = run_meshes("flock", 40, 300);
    std::vector<Vec3> before;
    for (std::size_t i = 0; i < run.scene.bodies.size(); ++i) before.push_back(run.velocity(i));
    std::uint64_t near = 0;
    for (int step = 0; step < 120; ++step) near += run.world().step(k_h).pairs;
    CHECK(near > 1000); // pairs whose boxes, with their margin, meet
    for (std::size_t i = 0; i < run.scene.bodies.size(); ++i) {
        CAPTURE(i);
        CHECK(run.velocity(i) == before[i]);
    }
}

TEST_CASE("lshapes: they collide, keep their momentum, and gain no energy") {
    RunningScene run = run_meshes("lshapes", 9, 300);
    const Vec3d momentum = total_momentum(run);
    const double energy = run.world().energy().kinetic;
    std::vector<Vec3> before;
    for (std::size_t i = 0; i < run.scene.bodies.size(); ++i) before.push_back(run.velocity(i));
    for (int step = 0; step < 200; ++step) run.world().step(k_h);
    int changed = 0;
    for (std::size_t i = 0; i < run.scene.bodies.size(); ++i)
        changed += length(run.velocity(i) - before[i]) > 0.1f;
    CHECK(changed > 9);
    // Of 18 bodies of 1 kg at up to 3 m/s, in single precision.
    CHECK(length(total_momentum(run) - momentum) < 1e-3);
    CHECK(run.world().energy().kinetic < 1.05 * energy);
}

TEST_CASE("concave: the crowd stays in its box") {
    RunningScene run = run_meshes("concave", 20, 300);
    for (int step = 0; step < 200; ++step) run.world().step(k_h);
    for (const std::size_t i : run.bodies_of_type<SolidMesh>())
        for (const SceneBody& body : run.scene.bodies)
            if (const auto* wall = std::get_if<HalfSpace>(&body.shape)) {
                CAPTURE(i);
                CHECK(dot(wall->normal, run.position(i)) > wall->offset);
            }
}
