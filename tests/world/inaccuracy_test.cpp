// What a budget costs in accuracy, against exact geometry.
#include <doctest/doctest.h>

#include "concave_box.h"
#include "fovea/geometry/triangle_distance.h"

using namespace fovea;
using namespace fovea::test;

namespace {

CollisionShape solid_mesh(TriangleMesh mesh) {
    return *make_collision_shape(
        SolidMesh{std::make_shared<const TriangleMesh>(std::move(mesh)), {.levels = 3}});
}

TriangleCorners corners(const TriangleMesh& mesh, std::size_t triangle, const Transform& at) {
    const auto& [i, j, k] = mesh.triangles[triangle];
    return {at * mesh.vertices[i], at * mesh.vertices[j], at * mesh.vertices[k]};
}

double separation(const CollisionShape& a, const Transform& at_a, const CollisionShape& b,
                  const Transform& at_b, double reach) {
    LadderWorker worker;
    const LadderPair pair{.a = {*a.ladder, at_a},
                          .b = {*b.ladder, at_b},
                          .margin = 0,
                          .exact_margin = 0,
                          .leaf_radius = 0,
                          .doubt = 0,
                          .approach = {}};
    return exact_separation(pair, reach, worker);
}

} // namespace

TEST_CASE("the separation of meshes is the least of all pairs of triangles") {
    const TriangleMesh mesh_a = make_l_shape(0.5f, 0.2f, 0.2f),
                       mesh_b = make_torus(0.3f, 0.1f, 9, 6);
    const CollisionShape a = solid_mesh(mesh_a), b = solid_mesh(mesh_b);
    Random random(3);
    int apart = 0, crossing = 0;
    for (int round = 0; round < 60; ++round) {
        const Transform at_a({},
                             normalized(Quat(float(random.uniform()), Vec3(random.direction()))));
        const Transform at_b(Vec3(random.direction() * random.uniform(0.3, 1.2)),
                             normalized(Quat(float(random.uniform()), Vec3(random.direction()))));
        double least = 100;
        for (std::size_t i = 0; i < mesh_a.triangles.size(); ++i)
            for (std::size_t k = 0; k < mesh_b.triangles.size(); ++k)
                least = std::min(
                    least,
                    triangle_gap(corners(mesh_a, i, at_a), corners(mesh_b, k, at_b)).distance);
        const double found = separation(a, at_a, b, at_b, 2);
        if (least > 0)
            CHECK(found == doctest::Approx(least).epsilon(1e-4)); // corners in single precision
        else
            CHECK(found <= 0);
        (least > 0 ? apart : crossing)++;
    }
    CHECK(apart > 10);
    CHECK(crossing > 10);
}

TEST_CASE("the separation of solids and half-spaces is what it is by hand") {
    const CollisionShape box = *make_collision_shape(Box{{0.5f, 0.5f, 0.5f}});
    const CollisionShape ball = *make_collision_shape(Sphere{0.5f});
    const CollisionShape floor = *make_collision_shape(HalfSpace{{0, 1, 0}, 0});
    CHECK(separation(box, {}, ball, {{1.3f, 0, 0}}, 1) == doctest::Approx(0.3).epsilon(1e-4));
    CHECK(separation(box, {}, box, {{0.9f, 0, 0}}, 1) == doctest::Approx(-0.1).epsilon(1e-4));
    CHECK(separation(box, {{0, 0.7f, 0}}, floor, {}, 1) == doctest::Approx(0.2).epsilon(1e-4));
    CHECK(separation(box, {}, ball, {{30, 0, 0}}, 1) > 1e30);
}

TEST_CASE("the more there is to spend, the less wrong a step is") {
    // The same bodies in the same places, answered with ever more work.
    const auto measured = [](const Budget& budget) {
        ConcaveBox box(60, {.gravity = {}});
        for (int i = 0; i < 20; ++i) box.world.step(1.0f / 60);
        const StepReport report = box.world.step(1.0f / 60, budget);
        return std::pair(box.world.inaccuracy(), report.budget.used_units);
    };
    const auto ample = double(measured(Budget::work(1'000'000'000)).second);
    double delta = 1e30, gap = 1e30;
    for (const double share : {0.0, 0.7, 0.85, 1e4}) {
        const Inaccuracy found = measured(Budget::work(std::uint64_t(share * ample))).first;
        CAPTURE(share);
        MESSAGE("with ", share, " of an ample budget: ", found.touching, " pairs by nodes, delta ",
                found.delta, " m, ", found.repelled, " repelled at ", found.gap, " m in all");
        CHECK(found.delta < delta);
        CHECK(found.gap < gap);
        CHECK(found.repelled <= found.touching);
        CHECK(found.worst_gap <= found.gap);
        delta = found.delta, gap = found.gap;
    }
    CHECK(delta == 0);
}

TEST_CASE("without a budget nothing is wrong") {
    ConcaveBox box(20, {.gravity = {}});
    for (int i = 0; i < 10; ++i) box.world.step(1.0f / 60);
    const Inaccuracy found = box.world.inaccuracy();
    CHECK(found.touching == 0);
    CHECK(found.delta == 0);
}

TEST_CASE("delta is the sum of the distances between the nodes that touch") {
    // The gaps of O'Sullivan's example (4.4): 10, 10, 5, 20, 10, 20, which make 75; as distances
    // between the centres of bounding spheres. The bodies are rings on one axis, 3 thick: their
    // surfaces are 3 nearer than their centres, six times. The axis is askew, so that boxes
    // overlap.
    World world({.gravity = {}});
    const ShapeId shape = *world.add_shape(
        SolidMesh{std::make_shared<const TriangleMesh>(make_torus(9, 1.5f, 24, 8)), {.levels = 3}});
    const Quat askew = normalized(Quat(1 + std::sqrt(0.5f), {std::sqrt(0.5f), 0, 0}));
    const float gaps[] = {10, 10, 5, 20, 10, 20};
    for (int i = 0; i < 6; ++i)
        for (const float along : {0.0f, gaps[i]})
            (void)*world.add_body(
                {.shape = shape,
                 .position = Vec3(100.0f * float(i), 0, 0) + rotate(askew, Vec3(0, 0, along)),
                 .orientation = askew,
                 .mass = 1});
    const BudgetReport report = world.step(1.0f / 60, Budget::work(0)).budget;
    REQUIRE(report.pairs_at_rung[0] == 6);
    const Inaccuracy found = world.inaccuracy();
    CHECK(found.touching == 6);
    CHECK(found.delta == doctest::Approx(75).epsilon(1e-5)); // positions in single precision
    CHECK(found.repelled == 6);
    CHECK(found.gap == doctest::Approx(75 - 6 * 3).epsilon(1e-5));
    CHECK(found.worst_gap == doctest::Approx(20 - 3).epsilon(1e-5));
    CHECK(found.left_out == 0);
    CHECK(found.penetration == 0);
}

TEST_CASE("what is dropped is measured as missed") {
    WorldSettings settings{.gravity = {}};
    settings.schedule.drop_undecided = true;
    World world(settings);
    const ShapeId mesh = *world.add_shape(SolidMesh{
        std::make_shared<const TriangleMesh>(make_l_shape(0.5f, 0.2f, 0.2f)), {.levels = 3}});
    const ShapeId box = *world.add_shape(Box{{0.5f, 0.5f, 0.5f}});
    // Boxes that overlap by 0.1 m, others whose boxes do, but not they; later Ls deep in each
    // other.
    for (const float x : {0.0f, 0.9f, 10.0f})
        (void)*world.add_body({.shape = box, .position = {x, 0, 0}, .mass = 1});
    (void)*world.add_body(
        {.shape = box,
         .position = {11, 1, 0},
         .orientation = normalized(Quat(1 + std::sqrt(0.5f), {0, 0, std::sqrt(0.5f)})),
         .mass = 1});
    const auto measured = [&] {
        REQUIRE(world.step(1.0f / 60, Budget::work(0)).budget.pairs_at_rung[0] == 0);
        return world.inaccuracy();
    };
    const BodyId far = *world.add_body({.shape = mesh, .position = {0, 50, 0}, .mass = 1});
    Inaccuracy found = measured();
    CHECK(found.touching == 0);
    CHECK(found.delta == 0);
    CHECK(found.repelled == 0);
    CHECK(found.left_out == 2);
    CHECK(found.missed == 1);
    CHECK(found.missed_depth == doctest::Approx(0.1).epsilon(1e-4));
    CHECK(found.penetration == found.missed_depth);

    (void)*world.add_body({.shape = mesh,
                           .position = {0.04f, 50.05f, 0.06f},
                           .orientation = normalized(Quat(1, {0.1f, 0.2f, 0.3f})),
                           .mass = 1});
    CHECK(world.contains(far));
    found = measured();
    CHECK(found.left_out == 3);
    CHECK(found.missed == 2);
}

TEST_CASE("what is suppressed though it touches is measured as missed") {
    WorldSettings settings{.gravity = {}};
    settings.schedule.tolerance = 1;
    World world(settings);
    const ShapeId mesh = *world.add_shape(SolidMesh{
        std::make_shared<const TriangleMesh>(make_l_shape(0.5f, 0.15f, 0.2f)), {.levels = 3}});
    (void)*world.add_body({.shape = mesh, .mass = 1});
    // Three centimetres from the inner faces of the other's arms, closing in by 5.8 mm a step.
    (void)*world.add_body({.shape = mesh,
                           .position = {0.18f, 0.18f, 0.07f},
                           .velocity = {-0.35f, -0.35f, 0},
                           .mass = 1});
    world.step(1.0f / 60, Budget::work(1ull << 40));
    int missed = 0;
    for (int i = 0; i < 9; ++i) {
        const BudgetReport report = world.step(1.0f / 60, Budget::work(0)).budget;
        if (report.pairs_suppressed == 0) break;
        const Inaccuracy found = world.inaccuracy();
        CHECK(found.left_out == 1);
        CHECK(found.touching == 0);
        missed += int(found.missed);
        CHECK((found.missed == 1) == (i >= 5)); // the sixth step closes the gap
        CHECK((found.missed_depth > 0) == (found.missed == 1));
    }
    CHECK(missed > 0);
}
