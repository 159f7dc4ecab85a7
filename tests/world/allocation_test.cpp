// A warmed-up step takes nothing from the heap. Every allocation of this program is counted.
#include <doctest/doctest.h>

#include <vector>

#include "fovea/base/random.h"
#include "fovea/geometry/height_field.h"
#include "fovea/world/world.h"
#include "tests/oracles/allocation_counter.h"
#include "waving_sheet.h"

using namespace fovea;
using test::allocations;

namespace {
void check_allocations(BroadPhaseMethod method, Response response) {
    World world({.gravity = {}, .broad_phase = method, .response = response});
    Random random(1);
    const ShapeId shapes[] = {*world.add_shape(Sphere{0.2f}),
                              *world.add_shape(Box{{0.2f, 0.15f, 0.1f}}),
                              *world.add_shape(Cylinder{0.15f, 0.2f})};
    for (int axis = 0; axis < 3; ++axis)
        for (float sign : {-1.0f, 1.0f}) {
            Vec3 normal;
            normal[axis] = sign;
            REQUIRE(world.add_body({.shape = *world.add_shape(HalfSpace{normal, -3})}));
        }
    const HeightField field{31, 31, 0.2f, std::vector<float>(31 * 31, 0.0f)};
    REQUIRE(world.add_body(
        {.shape = *world.add_shape(HeightSurface{std::make_shared<const HeightField>(field)}),
         .position = {-3, -2.8f, -3}}));
    std::vector<BodyId> bodies;
    for (int i = 0; i < 300; ++i) {
        const auto coordinate = [&] { return float(random.uniform(-2.5, 2.5)); };
        bodies.push_back(*world.add_body({.shape = shapes[i % 3],
                                          .position = {coordinate(), coordinate(), coordinate()},
                                          .velocity = Vec3(random.direction() * 2.0),
                                          .mass = 1,
                                          .material = {.elastic = 1}}));
    }
    for (int i = 0; i < 300; ++i) world.step(0.01f);

    // The same 200 steps again and again, until every array has the size that they and the jump
    // back to their start need. The sweep's regions are reused in varying order: that takes a
    // while.
    struct State {
        Transform transform;
        Vec3 velocity, spin;
    };
    std::vector<State> start;
    for (const BodyId id : bodies)
        start.push_back({world.transform(id), world.velocity(id), world.angular_velocity(id)});
    const auto run = [&] {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            REQUIRE(world.set_transform(bodies[i], start[i].transform));
            REQUIRE(world.set_velocity(bodies[i], start[i].velocity, start[i].spin));
        }
        const long before = allocations();
        std::uint64_t contacts = 0;
        for (int i = 0; i < 200; ++i) contacts += world.step(0.01f).contacts;
        CHECK(contacts > 0);
        return allocations() - before;
    };
    int quiet_runs = 0;
    for (int i = 0; i < 30 && quiet_runs < 3; ++i) quiet_runs = run() == 0 ? quiet_runs + 1 : 0;
    CAPTURE(int(method));
    CAPTURE(int(response));
    CHECK(quiet_runs == 3);
}
} // namespace

TEST_CASE("no heap allocation in a warmed-up step") {
    for (const auto method :
         {BroadPhaseMethod::brute, BroadPhaseMethod::sweep, BroadPhaseMethod::tree})
        for (const auto response : {Response::impulse, Response::soft_step})
            check_allocations(method, response);
}

TEST_CASE("no heap allocation where a surface deforms") {
    for (const auto response : {Response::impulse, Response::soft_step}) {
        World world({.response = response});
        const auto flat = std::make_shared<const TriangleMesh>(flat_sheet(20, 8));
        const BodyId sheet = *world.add_body({.shape = *world.add_shape(DeformingMesh{flat})});
        std::vector<std::vector<Vec3>> frames;
        for (int i = 0; i < 60; ++i) frames.push_back(waved(*flat, float(i) / 60, 0.1f, 4, 1));
        std::vector<BodyId> bodies;
        const ShapeId box = *world.add_shape(Box{{0.2f, 0.15f, 0.2f}});
        for (int i = 0; i < 36; ++i)
            bodies.push_back(
                *world.add_body({.shape = box,
                                 .position = {float(i % 6) - 2.5f, 0.3f, float(i / 6) - 2.5f},
                                 .mass = 1,
                                 .material = {.friction = 0.8f, .elastic = 0}}));
        std::vector<Transform> start;
        for (const BodyId id : bodies) start.push_back(world.transform(id));
        const auto run = [&] {
            for (std::size_t i = 0; i < bodies.size(); ++i) {
                REQUIRE(world.set_transform(bodies[i], start[i]));
                REQUIRE(world.set_velocity(bodies[i], {}, {}));
            }
            const long before = allocations();
            std::uint64_t contacts = 0;
            for (const std::vector<Vec3>& frame : frames) {
                static_cast<void>(world.set_vertices(sheet, frame));
                contacts += world.step(1.0f / 60).contacts;
            }
            const long taken = allocations() - before;
            CHECK(contacts > 0);
            return taken;
        };
        int quiet_runs = 0;
        for (int i = 0; i < 30 && quiet_runs < 3; ++i) quiet_runs = run() == 0 ? quiet_runs + 1 : 0;
        CAPTURE(int(response));
        CHECK(quiet_runs == 3);
    }
}
