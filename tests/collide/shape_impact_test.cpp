// Impacts of compounds and meshes against those of all their parts, and bullets at walls of every
// make.
#include <doctest/doctest.h>

#include <memory>

#include "fovea/base/random.h"
#include "fovea/collide/shape_impact.h"
#include "fovea/geometry/procedural.h"
#include "fovea/geometry/triangle_mesh.h"

using namespace fovea;
using Outcome = Impact::Outcome;

namespace {

Quat random_turn(Random& random) {
    return Quat(normalized(
        Quatd(random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian() + 1e-3)));
}

CollisionShape dumbbell() {
    Compound compound;
    compound.parts.push_back({Sphere{0.02f}, Transform({0.05f, 0, 0})});
    compound.parts.push_back({Box{{0.05f, 0.005f, 0.005f}}, {}});
    compound.parts.push_back({Sphere{0.02f}, Transform({-0.05f, 0, 0})});
    return *make_collision_shape(
        CompoundShape{std::make_shared<const Compound>(std::move(compound))});
}

/// A bumpy sheet in the plane x = 0.
CollisionShape sheet(Random& random) {
    TriangleMesh mesh;
    constexpr std::uint32_t k_side = 12;
    for (std::uint32_t i = 0; i < k_side * k_side; ++i)
        mesh.vertices.emplace_back(float(random.uniform(-0.05, 0.05)),
                                   float(i % k_side) * 0.2f - 1.1f,
                                   float(i / k_side) * 0.2f - 1.1f);
    for (std::uint32_t z = 0; z + 1 < k_side; ++z)
        for (std::uint32_t y = 0; y + 1 < k_side; ++y) {
            const std::uint32_t at = z * k_side + y;
            mesh.triangles.push_back({at, at + 1, at + k_side + 1});
            mesh.triangles.push_back({at, at + k_side + 1, at + k_side});
        }
    return *make_collision_shape(MeshSurface{std::make_shared<const TriangleMesh>(mesh)});
}

} // namespace

TEST_CASE("fast bodies stop at walls, whatever either is made of") {
    Random random(1);
    Compound fence;
    for (int i = -5; i <= 5; ++i)
        fence.parts.push_back({Box{{0.001f, 2, 0.1f}}, Transform({0, 0, 0.2f * float(i)})});
    const CollisionShape walls[] = {
        *make_collision_shape(Box{{0.001f, 2, 2}}),
        *make_collision_shape(CompoundShape{std::make_shared<const Compound>(fence)}),
        *make_collision_shape(HalfSpace{{-1, 0, 0}, 0}), sheet(random)};
    const CollisionShape bullets[] = {*make_collision_shape(Sphere{0.01f}),
                                      *make_collision_shape(Capsule{0.005f, 0.02f}), dumbbell()};
    constexpr float k_h = 1.0f / 60;
    int count = 0;
    for (int i = 0; i < 300; ++i) {
        const CollisionShape& wall = walls[i % 4];
        const CollisionShape& bullet = bullets[i / 4 % 3];
        const auto speed = float(std::exp2(random.uniform(6, 11)));
        Motion motion{
            Transform({-speed * k_h * float(random.uniform(0.2, 0.8)) - 0.2f,
                       float(random.uniform(-0.8, 0.8)), float(random.uniform(-0.8, 0.8))},
                      random_turn(random))};
        motion.velocity = {speed, 0, 0};
        motion.angular_velocity = Vec3(random.direction() * random.uniform(0, 200));
        if (motion.start.position.x + speed * k_h < 0.3f) continue;
        const ShapeImpact found =
            time_of_impact(bullet, motion, wall, at_rest({}), k_h, {1e-3f, 2.5e-4f, 400});
        CAPTURE(i);
        REQUIRE(found.impact.outcome == Outcome::touching);
        const double x = pose_at(motion, found.impact.time).position.x;
        CHECK(x < 0.05); // the sheet's bumps
        CHECK(x > -0.15);
        ++count;

        // No part of the bullet is nearer to any part of the wall before.
        std::vector<PartMeeting> meetings;
        for (int k = 0; k <= 20; ++k) {
            const Transform at(pose_at(motion, found.impact.time * k / 20));
            find_contacts(bullet, at, wall, {}, meetings);
        }
        CHECK(meetings.empty());
    }
    CHECK(count > 150);
}

TEST_CASE("a test that is cut says so, wherever that is, and else finds what it always does") {
    const CollisionShape wall = *make_collision_shape(Box{{0.001f, 2, 2}});
    Random random(4);
    const CollisionShape rough = sheet(random);
    const CollisionShape bullets[] = {
        *make_collision_shape(
            SolidMesh{std::make_shared<const TriangleMesh>(make_l_shape(0.05f, 0.02f, 0.02f)),
                      {.levels = 3}}),
        dumbbell(), *make_collision_shape(Sphere{0.01f})};
    for (const CollisionShape& bullet : bullets)
        for (const CollisionShape* obstacle : {&wall, &rough}) {
            Motion motion{Transform({-0.5f, 0.1f, 0}, random_turn(random))};
            motion.velocity = {100, 3, 0};
            motion.angular_velocity = {10, 20, 30};
            const auto sweep = [&](WorkMeter* work) {
                return time_of_impact(bullet, motion, *obstacle, at_rest({}), 1.0f / 60, {},
                                      -std::numeric_limits<float>::infinity(), work);
            };
            const ShapeImpact whole = sweep(nullptr);
            REQUIRE(whole.impact.outcome == Outcome::touching);
            CHECK(!whole.cut);
            WorkMeter ample;
            CHECK(!sweep(&ample).cut);
            CHECK(ample.spent() >= k_impact_round_units);
            bool finished = false;
            for (std::uint64_t units = 0; units <= ample.spent(); units += k_impact_round_units) {
                WorkMeter some(Budget::work(units));
                const ShapeImpact found = sweep(&some);
                // No more than the measurements of one part beyond the end.
                CHECK(some.spent() <= units + 100 * k_impact_round_units);
                CHECK((units > 0 || found.cut));
                CHECK((!finished || !found.cut)); // what is enough once is enough with more
                finished = !found.cut;
                if (found.cut) continue;
                CHECK(found.impact.time == whole.impact.time);
                CHECK(found.impact.rounds == whole.impact.rounds);
                CHECK(found.part_a == whole.part_a);
                CHECK(found.part_b == whole.part_b);
            }
            CHECK(finished);
        }
}

TEST_CASE("what touches at the start does not hide what lies ahead") {
    // An upright wall and a floor in one mesh; a ball slides over the floor towards the wall.
    TriangleMesh mesh;
    mesh.vertices = {{-9, 0, -9}, {1, 0, -9}, {1, 0, 9}, {-9, 0, 9}, {1, 5, -9}, {1, 5, 9}};
    mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {1, 2, 5}, {1, 5, 4}};
    const CollisionShape room =
        *make_collision_shape(MeshSurface{std::make_shared<const TriangleMesh>(mesh)});
    const CollisionShape ball = *make_collision_shape(Sphere{0.1f});
    const Motion slide{Transform({-1, 0.0999f, 0.5f}), {}, {500, 0, 0}, {0, 0, -100}};
    const ShapeImpact found = time_of_impact(ball, slide, room, at_rest({}), 0.02f);
    REQUIRE(found.impact.outcome == Outcome::touching);
    CHECK(found.part_b >= 2);
    CHECK(500 * found.impact.time == doctest::Approx(1.9).epsilon(0.001));
    CHECK(found.impact.proximity.normal.x == doctest::Approx(1));
    // Away from the wall there is nothing to hit on this triangle of the floor. The ball meets the
    // edge of the next one; a ball inside it passes that over, and yet stops at the wall.
    const CollisionShape core = *make_collision_shape(Sphere{0.05f});
    const Motion away{slide.start, {}, {-500, 0, 0}, {}};
    CHECK(!time_of_impact(ball, away, room, at_rest({}), 0.004f).impact.stops());
    CHECK(time_of_impact(ball, away, room, at_rest({}), 0.01f).impact.stops());
    CHECK(!time_of_impact(core, away, room, at_rest({}), 0.01f).impact.stops());
    CHECK(time_of_impact(core, slide, room, at_rest({}), 0.02f).part_b >= 2);
}

TEST_CASE(
    "what comes on slowly is passed over if that is wanted, and does not hide what lies ahead") {
    Compound corner; // a floor and a wall in one body
    corner.parts = {{Box{{5, 1, 1}}, Transform({0, -1, 0})},
                    {Box{{1, 5, 1}}, Transform({2, 0, 0})}};
    const CollisionShape room =
        *make_collision_shape(CompoundShape{std::make_shared<const Compound>(corner)});
    const CollisionShape ball = *make_collision_shape(Sphere{0.1f});
    // Sinks by a metre a second: reaches the floor after a millisecond, the wall after almost four.
    const Motion fall{Transform({-1, 0.102f, 0}), {}, {500, -1, 0}};
    const auto at = [&](float slow) {
        return time_of_impact(ball, fall, room, at_rest({}), 0.02f, {}, slow);
    };
    for (const float slow : {-std::numeric_limits<float>::infinity(), 0.5f}) {
        CHECK(at(slow).part_b == 0);
        CHECK(at(slow).impact.time < 0.002);
        CHECK(!at(slow).passed_over);
    }
    CHECK(at(2).part_b == 1);
    CHECK(at(2).passed_over);
    CHECK(500 * at(2).impact.time == doctest::Approx(1.9).epsilon(0.001));
    // The same room that comes on, against a ball that only sinks.
    const ShapeImpact moving = time_of_impact(ball, {fall.start, {}, {0, -1, 0}}, room,
                                              {{}, {}, {-500, 0, 0}}, 0.02f, {}, 2);
    CHECK(moving.part_b == 1);
}

TEST_CASE("two compounds: the earliest of all pairs of parts") {
    Random random(2);
    const CollisionShape a = dumbbell(), b = dumbbell();
    const auto& parts = std::get<CompoundShape>(a.shape).data->parts;
    int touching = 0;
    for (int i = 0; i < 200; ++i) {
        const auto motion = [&](double x) {
            Motion m{
                Transform(Vec3(Vec3d(x, 0, 0) + random.direction() * 0.1), random_turn(random))};
            m.velocity = Vec3(Vec3d(-x, 0, 0) * 20.0);
            m.angular_velocity = Vec3(random.direction() * 50.0);
            return m;
        };
        const Motion first = motion(-1), second = motion(1);
        const ShapeImpact found = time_of_impact(a, first, b, second, 0.1f);
        double earliest = 0.1f;
        for (const auto& p : parts) {
            for (const auto& q : parts) {
                const Motion mp{first.start * p.placement, to_local(p.placement, first.centre),
                                first.velocity, first.angular_velocity};
                const Motion mq{second.start * q.placement, to_local(q.placement, second.centre),
                                second.velocity, second.angular_velocity};
                const Impact impact = time_of_impact(p.shape, mp, q.shape, mq, 0.1f);
                if (impact.stops()) earliest = std::min(earliest, impact.time);
            }
        }
        CHECK(found.impact.time == earliest);
        touching += found.impact.outcome == Outcome::touching;
    }
    CHECK(touching > 50);
}

TEST_CASE("a moving mesh stops where the first of its triangles does") {
    Random random(7);
    const auto mesh = std::make_shared<const TriangleMesh>(*make_procedural("torusknot", 1));
    TriangleMesh small = *mesh;
    for (Vec3& vertex : small.vertices) vertex *= 0.1f;
    const CollisionShape knot = *make_collision_shape(
        SolidMesh{std::make_shared<const TriangleMesh>(small), {SphereMethod::grid, 3, 8}});
    const CollisionShape obstacles[] = {
        *make_collision_shape(Box{{0.001f, 2, 2}}), dumbbell(),
        *make_collision_shape(HalfSpace{{-1, 0, 0}, 0}), sheet(random),
        *make_collision_shape(SolidMesh{mesh, {SphereMethod::octree, 2, 8}})};
    constexpr float k_h = 1.0f / 60;
    int touching = 0;
    for (int i = 0; i < 50; ++i) {
        const CollisionShape& obstacle = obstacles[i % 5];
        Motion motion{Transform(
            {-0.7f, float(random.uniform(-0.05, 0.05)), float(random.uniform(-0.05, 0.05))},
            random_turn(random))};
        motion.centre = {0.01f, 0.02f, -0.01f};
        motion.velocity = {100, 0, 0};
        motion.angular_velocity = Vec3(random.direction() * random.uniform(0, 60));
        const ShapeImpact found = time_of_impact(knot, motion, obstacle, at_rest({}), k_h);

        double earliest = double(k_h);
        for (std::size_t t = 0; t < small.triangles.size(); t += i % 5 < 3 ? 1 : 7) {
            const auto offer = [&](const Impact& impact) {
                REQUIRE(impact.outcome != Outcome::overlapping);
                if (impact.stops()) earliest = std::min(earliest, impact.time);
            };
            const auto triangle = corners(small, t);
            if (const TriangleMesh* other = mesh_of(obstacle))
                for (std::size_t k = 0; k < other->triangles.size(); k += i % 5 == 3 ? 1 : 5)
                    offer(time_of_impact(triangle, motion, corners(*other, k), k_h));
            else if (const Compound* compound = compound_of(obstacle))
                for (const auto& part : compound->parts)
                    offer(
                        time_of_impact(triangle, motion, part.shape, at_rest(part.placement), k_h));
            else
                offer(time_of_impact(triangle, motion, obstacle.shape, at_rest({}), k_h));
        }
        CAPTURE(i);
        // The tolerance of 0.25 mm takes 2.5 microseconds at this speed. Of meshes not all
        // triangles are looked at, so these are met no later than that.
        CHECK(found.impact.time < earliest + 2.5e-6);
        if (i % 5 < 3) CHECK(found.impact.time > earliest - 2.5e-6);
        touching += found.impact.outcome == Outcome::touching;
        if (!found.impact.stops()) continue;
        // Within the target and its tolerance of something, and of nothing before.
        CHECK(found.impact.proximity.separation < 1.3e-3f);
        CHECK(found.impact.proximity.separation > 0);
    }
    CHECK(touching > 30);
}
