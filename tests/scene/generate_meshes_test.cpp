// Generated scenes of moving meshes: shared shapes, room to start with, and what they are for.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/geometry/shape_bounds.h"
#include "fovea/scene/generate.h"
#include "fovea/scene/populate.h"
#include "scene_support.h"

using namespace fovea;

namespace {

constexpr double k_printed = 1e-5; ///< six decimals, read as floats below 100

Scene scene_of(std::string_view name, GenerateSettings settings) {
    const auto text = generate_scene(name, settings);
    REQUIRE_MESSAGE(text, (text ? "" : text.error().message));
    const ParsedScene parsed = parse_scene(*text);
    REQUIRE_MESSAGE(parsed.reports() == 0, describe(parsed));
    return parsed.scene;
}

std::vector<SceneBody> meshes_of(const Scene& scene) {
    std::vector<SceneBody> meshes;
    for (const SceneBody& body : scene.bodies)
        if (type_of(body.shape) == ShapeType::solid_mesh) meshes.push_back(body);
    return meshes;
}

std::set<const TriangleMesh*> distinct(const std::vector<SceneBody>& bodies) {
    std::set<const TriangleMesh*> data;
    for (const SceneBody& body : bodies) data.insert(std::get<SolidMesh>(body.shape).data.get());
    return data;
}

/// Smallest gap between the balls about two meshes' origins.
double smallest_gap(const std::vector<SceneBody>& bodies) {
    double gap = 1e30;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            gap = std::min(
                gap,
                length(Vec3d(bodies[i].placement.position) - Vec3d(bodies[j].placement.position)) -
                    bounding_radius(bodies[i].shape) - bounding_radius(bodies[j].shape));
    return gap;
}

/// From the axis through the origin.
float reach_across(const SceneBody& body) {
    float reach = 0;
    for (const Vec3& v : std::get<SolidMesh>(body.shape).data->vertices)
        reach = std::max(reach, std::hypot(v.x, v.z));
    return reach;
}

} // namespace

TEST_CASE("concave: five shared meshes between six walls, clear of each other") {
    for (const int count : {1, 7, 250}) {
        for (const int triangles : {300, 5000}) {
            CAPTURE(count);
            const Scene scene = scene_of("concave", {.count = count, .triangles = triangles});
            const auto bodies = meshes_of(scene);
            REQUIRE(bodies.size() == std::size_t(count));
            CHECK(scene.bodies.size() == std::size_t(count + 6));
            CHECK(scene.gravity == Vec3());
            CHECK(distinct(bodies).size() <= 5);
            if (count == 250) CHECK(distinct(bodies).size() == 5);
            CHECK(smallest_gap(bodies) > 0);
            double moving = 0;
            for (const SceneBody& body : bodies) {
                const auto& mesh = *std::get<SolidMesh>(body.shape).data;
                CHECK(std::abs(std::log(double(mesh.triangles.size()) / triangles)) < 0.4);
                moving += double(length(body.velocity)) / count;
                for (const SceneBody& wall : scene.bodies)
                    if (const auto* plane = std::get_if<HalfSpace>(&wall.shape))
                        CHECK(dot(plane->normal, body.placement.position) - plane->offset >
                              bounding_radius(body.shape));
            }
            if (count == 250) CHECK(moving == doctest::Approx(1.6).epsilon(0.15)); // sqrt(8 / pi)
        }
    }
}

TEST_CASE("bodies of one kind are one shape in the world") {
    const Scene scene = scene_of("concave", {.count = 60, .triangles = 300});
    const auto populated = populate(scene, {});
    REQUIRE(populated);
    // Adding a shape takes the next free slot: six walls and five meshes are there.
    World& world = const_cast<World&>(populated->world);
    CHECK(world.add_shape(Sphere{1})->slot == 11);
}

TEST_CASE("lshapes: pairs apart, on their way to each other") {
    const Scene scene = scene_of("lshapes", {.count = 30, .triangles = 300});
    const auto bodies = meshes_of(scene);
    REQUIRE(bodies.size() == 60);
    CHECK(distinct(bodies).size() == 1);
    CHECK(smallest_gap(bodies) > 0);
    for (std::size_t i = 0; i < bodies.size(); i += 2) {
        const Vec3 apart = bodies[i + 1].placement.position - bodies[i].placement.position;
        const Vec3 closing = bodies[i + 1].velocity - bodies[i].velocity;
        CHECK(dot(apart, closing) < 0);
        // Where they pass each other they would overlap but for their concavity.
        const float time = -dot(apart, closing) / length_squared(closing);
        CHECK(length(apart + closing * time) < 2 * bounding_radius(bodies[i].shape));
    }
}

TEST_CASE("flock: passes closely, and never touches") {
    for (const int triangles : {300, 5000}) {
        const Scene scene = scene_of("flock", {.count = 100, .triangles = triangles});
        const auto bodies = meshes_of(scene);
        REQUIRE(bodies.size() == 100);
        std::vector<float> radius;
        for (const SceneBody& body : bodies) radius.push_back(bounding_radius(body.shape));
        int passes = 0; // of bodies whose balls overlap, at some of the times looked at
        float closest = 1e9f;
        for (int step = 0; step < 60; ++step) {
            std::vector<Aabb> boxes;
            for (const SceneBody& body : bodies) {
                Transform at = body.placement;
                at.position += body.velocity * (float(step) * 0.1f);
                boxes.push_back(bounds(body.shape, at));
            }
            for (std::size_t i = 0; i < bodies.size(); ++i)
                for (std::size_t j = 0; j < i; ++j) {
                    const Vec3 a = bodies[i].placement.position, b = bodies[j].placement.position;
                    const Vec3 apart =
                        b - a + (bodies[j].velocity - bodies[i].velocity) * (float(step) * 0.1f);
                    const float sum = radius[i] + radius[j];
                    if (length(apart) >= sum) continue;
                    ++passes;
                    if (a.y == b.y) { // apart as discs about their axes
                        const float across = std::hypot(apart.x, apart.z);
                        CHECK(across > reach_across(bodies[i]) + reach_across(bodies[j]));
                        continue;
                    }
                    const float gap = std::max(boxes[j].low.y - boxes[i].high.y,
                                               boxes[i].low.y - boxes[j].high.y);
                    CHECK(double(gap) > 0.02 - k_printed);
                    closest = std::min(closest, gap);
                }
        }
        CHECK(passes > 1000);
        CHECK(closest < 0.03f);
    }
}

TEST_CASE("plates: small bodies aimed at thin plates, the last at 100 m/s") {
    const Scene scene = scene_of("plates", {.count = 25, .triangles = 300});
    const auto bodies = meshes_of(scene);
    REQUIRE(bodies.size() == 25);
    REQUIRE(scene.bodies.size() == 50);
    CHECK(length(bodies.front().velocity) == doctest::Approx(10).epsilon(1e-4));
    CHECK(length(bodies.back().velocity) == doctest::Approx(100).epsilon(1e-4));
    for (std::size_t i = 0; i < scene.bodies.size(); i += 2) {
        const SceneBody& plate = scene.bodies[i];
        const SceneBody& bullet = scene.bodies[i + 1];
        CHECK(std::get<Box>(plate.shape).half_extents.x == doctest::Approx(0.005));
        CHECK(plate.mass == 0);
        const float radius = bounding_radius(bullet.shape);
        CHECK(radius < 0.08f); // about 10 cm across
        CHECK(radius > 0.04f);
        const Vec3 way = plate.placement.position - bullet.placement.position;
        CHECK(way.x > 0.9f);
        const Vec3 hit = bullet.velocity * (way.x / bullet.velocity.x) - way;
        CHECK(std::max(std::abs(hit.y), std::abs(hit.z)) < 0.31f); // of 0.5
    }
}

TEST_CASE("scenes of meshes refuse senseless numbers of triangles") {
    for (const int triangles : {0, -5, 2'000'000})
        CHECK(generate_scene("concave", {.triangles = triangles})
                  .error()
                  .message.find(std::to_string(triangles)) != std::string::npos);
}
