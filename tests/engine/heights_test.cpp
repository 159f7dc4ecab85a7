// Bodies on a height field: as on a mesh of the same triangles, and as on a floor where it is flat.
#include "ground.h"

#include <algorithm>
#include <string>

#include "fovea/base/random.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/shape_bounds.h"
#include "tests/collide/bumpy_field.h"

using namespace fovea;
using namespace fovea::test;

namespace {

Quat random_turn(Random& random) {
    return Quat(normalized(
        Quatd(random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian() + 1e-3)));
}

std::vector<Shape> solids() {
    Random random(3);
    std::vector<Vec3> points;
    for (int i = 0; i < 14; ++i) points.emplace_back(random.direction() * 0.35);
    const Shape hull = Hull{std::make_shared<const ConvexHull>(make_convex_hull(points).value())};
    Compound dumbbell;
    dumbbell.parts = {{Box{{0.4f, 0.08f, 0.08f}}, Transform()},
                      {Box{{0.15f, 0.15f, 0.15f}}, Transform({0.4f, 0, 0})},
                      {Sphere{0.2f}, Transform({-0.4f, 0, 0})}};
    return {Box{{0.3f, 0.2f, 0.25f}}, Sphere{0.25f}, Capsule{0.15f, 0.25f}, hull,
            CompoundShape{std::make_shared<const Compound>(dumbbell)}};
}

struct Drop {
    World world{{.gravity = {0, -9.81f, 0}}};
    std::vector<BodyId> bodies;

    /// One of each kind over its own hollow of the ground.
    explicit Drop(const Shape& ground, bool two_sided = true)
        : world(settings(two_sided)) {
        const Material rough{.friction = 0.8f, .rolling = 0.05f};
        REQUIRE(world.add_body({.shape = *world.add_shape(ground), .material = rough}));
        Random random(9);
        for (const Shape& shape : solids()) {
            const auto row = float(bodies.size());
            const ShapeId id = *world.add_shape(shape);
            for (int i = 0; i < 4; ++i)
                bodies.push_back(*world.add_body({.shape = id,
                                                  .position = {2 + 2.0f * float(i), 1, 2 + row / 2},
                                                  .orientation = random_turn(random),
                                                  .mass = 1,
                                                  .material = rough}));
        }
    }
    static WorldSettings settings(bool two_sided) {
        WorldSettings made{.gravity = {0, -9.81f, 0}};
        made.contact.two_sided = two_sided;
        return made;
    }
};

/// Hills two metres apart: every body has a hollow to come to rest in.
HeightField hills() {
    HeightField field{61, 61, 0.2f, {}};
    for (int row = 0; row < 61; ++row)
        for (int column = 0; column < 61; ++column)
            field.heights.push_back(float(
                -0.15 * (std::cos(3.14159265 * 0.2 * column) + std::cos(3.14159265 * 0.2 * row))));
    return field;
}

struct Touch {
    float deepest = 0;
    Vec3 normal; ///< sum over all patches
    std::size_t patches = 0;
};

/// What a solid that is put there touches.
Touch touch(const Shape& ground, const Shape& solid, const Transform& at) {
    World world({.gravity = {}});
    REQUIRE(world.add_body({.shape = *world.add_shape(ground)}));
    REQUIRE(world.add_body({.shape = *world.add_shape(solid),
                            .position = at.position,
                            .orientation = at.orientation,
                            .mass = 1}));
    world.step(1e-6f);
    Touch found;
    for (const ContactPatch& patch : world.patches()) {
        ++found.patches;
        found.normal += patch.normal;
        for (int i = 0; i < patch.count; ++i)
            found.deepest = std::min(found.deepest, patch.points[i].separation);
    }
    return found;
}

} // namespace

TEST_CASE("solids touch a height field as they touch its mesh") {
    const HeightField field = bumpy_field(4, 20, 20, 0.3f, 0.15f);
    const Shape heights = as_heights(field), mesh = as_mesh(field);
    Random random(6);
    const std::vector<Shape> shapes = solids();
    int touching = 0;
    for (int i = 0; i < 500; ++i) {
        CAPTURE(i);
        const Shape& solid = shapes[random.below(5)];
        const Transform at{{float(random.uniform(0, 5.7)), float(random.uniform(-0.1, 0.5)),
                            float(random.uniform(0, 5.7))},
                           random_turn(random)};
        const Touch a = touch(heights, solid, at), b = touch(mesh, solid, at);
        // The triangles come in another order: of points that are one, another may be kept.
        CHECK(a.patches == b.patches);
        CHECK(std::abs(a.deepest - b.deepest) < 1e-5f);
        CHECK(length(a.normal - b.normal) < 1e-2f);
        touching += a.patches > 0;
    }
    CHECK(touching > 100);
}

TEST_CASE("what is dropped on a height field comes to rest as on its mesh") {
    const HeightField field = hills();
    Drop on_heights(as_heights(field)), on_mesh(as_mesh(field));
    for (int i = 0; i < 600; ++i) on_heights.world.step(k_frame), on_mesh.world.step(k_frame);
    for (std::size_t i = 0; i < on_heights.bodies.size(); ++i) {
        CAPTURE(i);
        const Vec3 a = on_heights.world.transform(on_heights.bodies[i]).position;
        const Vec3 b = on_mesh.world.transform(on_mesh.bodies[i]).position;
        CHECK(length(on_heights.world.velocity(on_heights.bodies[i])) < 0.01f);
        // The triangles come in another order, which rounding may show.
        CHECK(length(a - b) < 1e-3f);
        CHECK(a.y > -0.3f);
    }
}

TEST_CASE("no ghosts: nothing is kicked on a flat height field") {
    // 0.05 m cells: 20 m of way cross 400 rows and as many diagonals, edges of box and field in
    // line and at an angle.
    HeightField flat{1001, 81, 0.05f, std::vector<float>(1001 * 81, 0.0f)};
    for (const bool two_sided : {false, true})
        for (const Shape& shape : {Shape(Sphere{0.3f}), Shape(Box{{0.3f, 0.2f, 0.3f}})})
            for (const float drift : {0.0f, 0.05f}) {
                CAPTURE(two_sided);
                CAPTURE(int(type_of(shape)));
                World world(Drop::settings(two_sided));
                REQUIRE(world.add_body(
                    {.shape = *world.add_shape(as_heights(flat)), .material = {.friction = 0}}));
                const float half = type_of(shape) == ShapeType::box ? 0.2f : 0.3f;
                const BodyId body = *world.add_body({.shape = *world.add_shape(shape),
                                                     .position = {1, half, 1.7f},
                                                     .velocity = {4, 0, drift},
                                                     .mass = 1,
                                                     .material = {.friction = 0}});
                for (int i = 0; i < 30; ++i) world.step(k_frame); // settles in
                const float height = world.transform(body).position.y;
                float worst_height = 0, worst_speed = 0;
                for (int i = 0; i < 600; ++i) {
                    world.step(k_frame);
                    worst_height =
                        std::max(worst_height, std::abs(world.transform(body).position.y - height));
                    worst_speed = std::max(worst_speed, std::abs(world.velocity(body).y));
                }
                // Rounding alone: a step of gravity is 0.16 m/s, a kick at 4 m/s far more.
                CHECK(worst_height < 2e-4f);
                CHECK(worst_speed < 0.01f);
                CHECK(world.transform(body).position.x == doctest::Approx(43).epsilon(1e-3));
                CHECK(world.velocity(body).x == doctest::Approx(4).epsilon(1e-3));
                // Corners are rounded by 4e-6 m at 40 m, which tilts the normals of small cells
                // by 1e-4 at most and turns a ball without friction, on a mesh as here.
                CHECK(length(world.angular_velocity(body)) < 0.2f);
            }
}

TEST_CASE("a bullet does not pass a height field, from above or below") {
    Random random(8);
    const HeightField field = bumpy_field(2, 40, 40, 0.25f, 0.1f);
    const Shape shapes[] = {Sphere{0.05f}, Box{{0.02f, 0.05f, 0.1f}}, Capsule{0.02f, 0.1f}};
    for (int trial = 0; trial < 90; ++trial) {
        CAPTURE(trial);
        World world({.gravity = {}});
        REQUIRE(world.add_body({.shape = *world.add_shape(as_heights(field))}));
        const float side = trial % 2 ? 1.0f : -1.0f;
        const Vec3 to(float(random.uniform(3, 7)), 0, float(random.uniform(3, 7)));
        const Vec3 from =
            to + Vec3(float(random.uniform(-2, 2)), side * float(random.uniform(2, 4)),
                      float(random.uniform(-2, 2)));
        const BodyId bullet = *world.add_body({.shape = *world.add_shape(shapes[trial % 3]),
                                               .position = from,
                                               .velocity = normalized(to - from) * 100.0f,
                                               .angular_velocity = Vec3(random.direction() * 20),
                                               .mass = 0.1f});
        bool passed = false;
        for (int i = 0; i < 30; ++i) {
            world.step(k_frame);
            const Vec3 p = world.transform(bullet).position;
            // Over the field, and beyond its bumps on the other side.
            passed |= p.x > 0 && p.x < 9.75f && p.z > 0 && p.z < 9.75f && side * p.y < -0.11f;
        }
        CHECK_FALSE(passed);
    }
}

TEST_CASE("a height field with mass is refused; the impulse response and sensors see it") {
    World world({.gravity = {0, -9.81f, 0}, .response = Response::impulse});
    const ShapeId ground = *world.add_shape(as_heights({11, 11, 1, std::vector<float>(121, 0.0f)}));
    const auto moving = world.add_body({.shape = ground, .mass = 1});
    REQUIRE_FALSE(moving);
    CHECK(moving.error().message.find("a height field is a surface and cannot move") == 0);
    CHECK_FALSE(world.queries().find(ShapeOverlap{.shape = ground}));
    const BodyId floor = *world.add_body({.shape = ground, .material = {.elastic = 0}});
    const BodyId field = *world.add_body({.shape = ground, .position = {0, 1, 0}, .sensor = true});
    const BodyId ball = *world.add_body(
        {.shape = *world.add_shape(Sphere{0.5f}), .position = {5.2f, 2, 5.3f}, .mass = 1});
    int began = 0;
    for (int i = 0; i < 300; ++i) {
        world.step(0.01f);
        began += int(world.events().sensor_entered.size());
    }
    CHECK(world.transform(ball).position.y == doctest::Approx(0.5).epsilon(0.02));
    CHECK(began >= 1);
    REQUIRE(world.contains(floor));
    REQUIRE(world.contains(field));
}

TEST_CASE("a height field goes through a snapshot") {
    Drop drop(as_heights(hills()));
    for (int i = 0; i < 60; ++i) drop.world.step(k_frame);
    const auto bytes = drop.world.snapshot();
    auto copy = World::from_snapshot(bytes);
    REQUIRE_MESSAGE(copy, copy.error().message);
    CHECK(copy->snapshot() == bytes);
    for (int i = 0; i < 120; ++i) {
        drop.world.step(k_frame), copy->step(k_frame);
        REQUIRE(copy->hash() == drop.world.hash());
    }
}
