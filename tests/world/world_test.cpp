// The world's interface: ids, refusals, editing while it runs.
#include <doctest/doctest.h>

#include <memory>

#include "fovea/base/random.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/triangle_mesh.h"
#include "fovea/world/world.h"

using namespace fovea;

namespace {

template <class T>
std::string message(const Result<T>& result) {
    return result ? "" : result.error().message;
}

bool mentions(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("bad numbers are refused by name and leave the world as it was") {
    World world;
    const ShapeId ball = *world.add_shape(Sphere{1});
    const BodyId body = *world.add_body({.shape = ball, .position = {0, 5, 0}, .mass = 1});
    const std::uint64_t hash = world.hash();

    CHECK(mentions(message(world.add_shape(Sphere{-1})), "radius"));
    CHECK(mentions(message(world.add_shape(Sphere{NAN})), "radius"));
    CHECK(mentions(message(world.add_body({})), "no such shape"));
    CHECK(mentions(message(world.add_body({.shape = ball, .position = {NAN, 0, 0}})), "position"));
    CHECK(
        mentions(message(world.add_body({.shape = ball, .position = {1e30f, 0, 0}})), "position"));
    CHECK(mentions(message(world.add_body({.shape = ball, .orientation = {0, 0, 0, 0}})),
                   "orientation"));
    // Finite, but its length is not.
    CHECK(mentions(message(world.add_body({.shape = ball, .orientation = {1e25f, 0, 0, 0}})),
                   "orientation"));
    CHECK(mentions(message(world.add_body({.shape = ball, .velocity = {0, INFINITY, 0}})),
                   "velocity"));
    CHECK(mentions(message(world.add_body({.shape = ball, .mass = -1})), "mass"));
    CHECK(mentions(message(world.add_body({.shape = ball, .mass = INFINITY})), "mass"));
    CHECK(mentions(message(world.add_body({.shape = ball, .material = {.elastic = -0.5f}})),
                   "elastic"));
    CHECK(mentions(message(world.set_velocity(body, {NAN, 0, 0}, {})), "velocity"));
    CHECK(mentions(message(world.apply_force(body, {NAN, 0, 0}, {})), "force"));
    CHECK(mentions(message(world.set_transform(body, {{0, 0, 0}, {0, 0, 0, 0}})), "orientation"));
    CHECK(mentions(message(world.add_spring({.a = body, .b = body})), "two different"));
    CHECK(world.body_count() == 1);
    CHECK(world.hash() == hash);

    for (float h : {0.0f, -1.0f, NAN, INFINITY}) {
        const StepReport report = world.step(h);
        REQUIRE(report.warnings.size() == 1);
        CHECK(mentions(report.warnings[0], "time step"));
    }
    CHECK(world.hash() == hash);
}

TEST_CASE("ids of removed things are refused") {
    World world;
    const ShapeId ball = *world.add_shape(Sphere{1});
    const BodyId a = *world.add_body({.shape = ball, .mass = 1});
    const BodyId b = *world.add_body({.shape = ball, .position = {3, 0, 0}, .mass = 1});
    const SpringId spring = *world.add_spring({.a = a, .b = b, .stiffness = 1});
    CHECK(mentions(message(world.remove_shape(ball)), "still used by 2"));
    CHECK(world.remove_body(a));
    CHECK_FALSE(world.contains(a));
    CHECK(mentions(message(world.remove_body(a)), "no such body"));
    CHECK(mentions(message(world.remove_spring(spring)), "no such spring")); // went with its body
    CHECK(mentions(message(world.set_velocity(a, {}, {})), "no such body"));
    CHECK(world.remove_body(b));
    CHECK(world.remove_shape(ball));
    CHECK(mentions(message(world.remove_shape(ball)), "no such shape"));
    CHECK(world.body_count() == 0);
    world.step(0.01f);
}

TEST_CASE("a mesh carries bodies but cannot move itself") {
    auto mesh = std::make_shared<TriangleMesh>();
    mesh->vertices = {{-10, 0, -10}, {10, 0, -10}, {10, 0, 10}, {-10, 0, 10}};
    mesh->triangles = {{0, 2, 1}, {0, 3, 2}};
    World world;
    const ShapeId ground = *world.add_shape(MeshSurface{mesh});
    CHECK(mentions(message(world.add_body({.shape = ground, .mass = 1})), "cannot move"));
    REQUIRE(world.add_body({.shape = ground, .material = {.elastic = 0}}));
    const ShapeId ball = *world.add_shape(Sphere{0.5f});
    const BodyId body = *world.add_body({.shape = ball, .position = {1, 2, 3}, .mass = 1});
    for (int i = 0; i < 300; ++i) world.step(0.01f);
    CHECK(world.transform(body).position.y == doctest::Approx(0.5).epsilon(0.02));
}

TEST_CASE("a body off its shape's origin turns about its centre of mass") {
    World world({.gravity = {}});
    const ShapeId cone = *world.add_shape(Cone{1, 2}); // centre of mass a quarter of the way up
    const BodyId body = *world.add_body({.shape = cone, .angular_velocity = {0, 0, 1}, .mass = 1});
    const Vec3 centre = world.transform(body) * Vec3(0, -1, 0);
    for (int i = 0; i < 200; ++i) world.step(0.01f);
    CHECK(length(world.transform(body) * Vec3(0, -1, 0) - centre) < 1e-5f);
    CHECK(length(world.transform(body).position) > 0.5f);
}

TEST_CASE("forces act at points, springs pull, for one step or as long as they are there") {
    World world({.gravity = {}});
    const ShapeId ball = *world.add_shape(Sphere{1});
    const BodyId a = *world.add_body({.shape = ball, .mass = 2});
    const BodyId b = *world.add_body({.shape = ball, .position = {10, 0, 0}});
    REQUIRE(world.apply_force(a, {2, 0, 0}, {0, 1, 0}));
    world.step(0.5f);
    CHECK(world.velocity(a).x == doctest::Approx(0.5));
    CHECK(world.angular_velocity(a).z < 0);
    const float before = world.velocity(a).x;
    world.step(0.5f);
    CHECK(world.velocity(a).x == before);
    REQUIRE(world.add_spring({.a = a, .b = b, .stiffness = 1, .length = 20}));
    CHECK(world.energy().potential > 0);
    world.step(0.5f);
    CHECK(world.velocity(a).x < before);
    CHECK(world.velocity(b) == Vec3());
}

TEST_CASE("bodies come and go while the world runs") {
    for (const auto method :
         {BroadPhaseMethod::brute, BroadPhaseMethod::sweep, BroadPhaseMethod::tree}) {
        World world({.broad_phase = method});
        Random random(4);
        const ShapeId shapes[] = {*world.add_shape(Sphere{0.4f}),
                                  *world.add_shape(Box{{0.3f, 0.4f, 0.5f}}),
                                  *world.add_shape(Capsule{0.2f, 0.4f})};
        REQUIRE(world.add_body(
            {.shape = *world.add_shape(HalfSpace{{0, 1, 0}, 0}), .material = {.elastic = 0.3f}}));
        std::vector<BodyId> bodies;
        for (int frame = 0; frame < 300; ++frame) {
            if (bodies.size() < 40 || random.below(2) == 0) {
                const Vec3 position(float(random.uniform(-2, 2)), float(random.uniform(1, 4)),
                                    float(random.uniform(-2, 2)));
                bodies.push_back(*world.add_body({.shape = shapes[random.below(3)],
                                                  .position = position,
                                                  .mass = 1,
                                                  .material = {.elastic = 0.3f}}));
            } else {
                const std::size_t victim = random.below(std::uint32_t(bodies.size()));
                REQUIRE(world.remove_body(bodies[victim]));
                bodies.erase(bodies.begin() + std::ptrdiff_t(victim));
            }
            world.step(0.01f);
            for (const Contact& c : world.contacts()) {
                CHECK(c.a < c.b);
                CHECK(c.separation < 0);
                CHECK(std::abs(length(c.normal) - 1) < 1e-4f);
            }
        }
        CHECK(world.body_count() == bodies.size() + 1);
        for (const BodyId body : bodies) CHECK(world.transform(body).position.y > -0.5f);
    }
}
