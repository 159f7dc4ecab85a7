// Queries whose answers are known beforehand, and requests that are refused.
#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "fovea/geometry/triangle_mesh.h"
#include "fovea/world/world.h"

using namespace fovea;

TEST_CASE("queries see the world as it is now") {
    World world({.gravity = {0, -10, 0}});
    const ShapeId ball = *world.add_shape(Sphere{0.5f});
    const BodyId body = *world.add_body({.shape = ball, .position = {0, 10, 0}, .mass = 1});
    const RayCast down{.origin = {0, 20, 0}, .direction = {0, -3, 0}, .length = 50};
    auto hit = world.queries().find(down);
    REQUIRE((hit && *hit));
    CHECK((*hit)->body == body);
    CHECK((*hit)->distance == doctest::Approx(9.5));
    CHECK((*hit)->normal == Vec3(0, 1, 0));
    for (int i = 0; i < 60; ++i) world.step(1.0f / 60);
    hit = world.queries().find(down);
    REQUIRE((hit && *hit));
    CHECK((*hit)->distance == doctest::Approx(20 - 0.5 - double(world.transform(body).position.y)));
    REQUIRE(world.set_transform(body, Transform({3, 0, 0})));
    CHECK(!*world.queries().find(down));
    REQUIRE(world.remove_body(body));
    CHECK(!*world.queries().find(RayCast{.origin = {3, 5, 0}, .direction = {0, -1, 0}}));
    // The slot is used again, by another shape.
    const ShapeId box = *world.add_shape(Box{{1, 2, 1}});
    const BodyId other = *world.add_body({.shape = box, .position = {3, 0, 0}});
    const auto again = world.queries().find(RayCast{.origin = {3, 5, 0}, .direction = {0, -1, 0}});
    REQUIRE((again && *again));
    CHECK((*again)->body == other);
    CHECK((*again)->distance == 3);
    // Turned where it stands.
    REQUIRE(world.set_transform(other, {{3, 0, 0}, from_axis_angle(Vec3(0, 0, 1), 1.5707963f)}));
    const auto turned =
        world.queries().find(RayCast{.origin = {1.5f, 5, 0}, .direction = {0, -1, 0}});
    REQUIRE((turned && *turned));
    CHECK((*turned)->distance == doctest::Approx(4));
    // An empty world has nothing to find.
    CHECK(!*World().queries().find(down));
    CHECK(!*World().queries().find(ClosestPoint{}));
}

TEST_CASE("queries that start inside or on a surface") {
    World world;
    const ShapeId box = *world.add_shape(Box{{1, 1, 1}});
    const ShapeId small = *world.add_shape(Box{{0.25f, 0.25f, 0.25f}});
    const BodyId body = *world.add_body({.shape = box});
    const Queries queries = world.queries();
    const auto ray = **queries.find(RayCast{.origin = {0.5f, 0, 0}, .direction = {0, 2, 0}});
    CHECK(ray.body == body);
    CHECK(ray.inside);
    CHECK(ray.distance == 0);
    CHECK(ray.normal == Vec3(0, -1, 0));
    const auto sweep = **queries.find(
        ShapeCast{.shape = small, .start = Transform({1.125f, 0, 0}), .direction = {0, 1, 0}});
    CHECK(sweep.inside);
    CHECK(sweep.distance == 0);
    CHECK(sweep.normal.x == doctest::Approx(1));
    const auto deepest =
        **queries.find(ShapeOverlap{.shape = small, .at = Transform({1.125f, 0, 0})});
    CHECK(deepest.distance == doctest::Approx(-0.125));
    const auto within = **queries.find(ClosestPoint{.point = {0.75f, 0, 0}, .distance = 0});
    CHECK(within.inside);
    CHECK(within.distance == doctest::Approx(-0.25));
    CHECK(within.point == Vec3(1, 0, 0));
    CHECK(within.normal == Vec3(1, 0, 0));
    const auto outside = **queries.find(ClosestPoint{.point = {3, 0.5f, 0}, .distance = 2});
    CHECK(!outside.inside);
    CHECK(outside.distance == 2);
    CHECK(!*queries.find(ClosestPoint{.point = {3, 0.5f, 0}, .distance = 1.999f}));
}

TEST_CASE("bad requests are refused by name") {
    World world;
    const ShapeId ball = *world.add_shape(Sphere{1});
    const ShapeId dead = *world.add_shape(Sphere{1});
    const ShapeId plane = *world.add_shape(HalfSpace{{0, 1, 0}, 0});
    REQUIRE(world.remove_shape(dead));
    const BodyId body = *world.add_body({.shape = ball});
    const BodyId gone = *world.add_body({.shape = ball});
    REQUIRE(world.remove_body(gone));
    const Queries queries = world.queries();
    const auto refused = [&](const auto& request, const char* word) {
        const auto result = queries.find(request);
        REQUIRE(!result);
        CAPTURE(result.error().message);
        CHECK(result.error().message.find(word) != std::string::npos);
        std::vector<QueryHit> hits(3);
        CHECK(!queries.find(request, hits));
        CHECK(hits.size() == 3);
    };
    const Vec3 x(1, 0, 0);
    refused(RayCast{.origin = {NAN, 0, 0}, .direction = x}, "origin");
    refused(RayCast{.origin = {0, 1e30f, 0}, .direction = x}, "origin");
    refused(RayCast{}, "direction");
    refused(RayCast{.direction = {0, NAN, 0}}, "direction");
    refused(RayCast{.direction = {INFINITY, 0, 0}}, "direction");
    for (const float length : {0.0f, 1e-40f, -1.0f, NAN, INFINITY})
        refused(RayCast{.direction = x, .length = length}, "length");
    refused(RayCast{.direction = x, .filter = {.ignore = gone}}, "ignore");
    refused(SphereCast{.centre = {0, 0, NAN}, .direction = x}, "centre");
    for (const float radius : {0.0f, -1.0f, NAN, INFINITY})
        refused(SphereCast{.radius = radius, .direction = x}, "radius");
    refused(SphereCast{}, "direction");
    refused(ShapeCast{.direction = x}, "no such shape");
    refused(ShapeCast{.shape = dead, .direction = x}, "no such shape");
    refused(ShapeCast{.shape = plane, .direction = x}, "compound");
    refused(ShapeCast{.shape = ball, .start = {{}, Quat(0, 0, 0, 0)}, .direction = x},
            "orientation");
    refused(ShapeCast{.shape = ball, .start = Transform({NAN, 0, 0}), .direction = x}, "start");
    refused(ShapeOverlap{.shape = dead}, "no such shape");
    refused(ShapeOverlap{.shape = ball, .at = Transform({0, NAN, 0})}, "position");
    refused(ClosestPoint{.point = {NAN, 0, 0}}, "point");
    for (const float distance : {-1.0f, NAN, INFINITY})
        refused(ClosestPoint{.distance = distance}, "distance");

    const RayCast requests[] = {{.direction = x}, {.direction = {}}, {.direction = x}};
    QueryResults results;
    const auto batch = queries.find(std::span<const RayCast>(requests), results);
    REQUIRE(!batch);
    CHECK(batch.error().message.find("request 1: the direction") == 0);
    CHECK(queries.find(RayCast{.direction = x, .filter = {.ignore = body}}));
    // The shortest way, and the longest, from the farthest place.
    CHECK(queries.find(RayCast{.direction = {1, 1, 1}, .length = 1e-12f}));
    CHECK(queries.find(SphereCast{.direction = {1, 1e-30f, 0}, .length = 1e-12f}));
    const Vec3 corner(1e15f, -1e15f, 1e15f);
    const auto far =
        queries.find(RayCast{.origin = corner, .direction = -corner, .length = 1.1e15f});
    REQUIRE(far);
    CHECK(!far->has_value());
    CHECK(queries.find(SphereCast{.centre = corner, .direction = -corner, .length = 1.1e15f}));
    CHECK(queries.find(ClosestPoint{.point = corner, .distance = 1.1e15f}));
    // Directions of any length serve.
    for (const float size : {1e-38f, 1e-20f, 1e20f, 1e38f})
        CHECK(**queries.find(RayCast{.origin = {-5, 0, 0}, .direction = x * size}) ==
              **queries.find(RayCast{.origin = {-5, 0, 0}, .direction = x}));
}
