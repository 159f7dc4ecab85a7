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
    return exact_separation({{*a.ladder, at_a}, {*b.ladder, at_b}, 0, 0, 0, {}}, reach, worker);
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
    for (const double share : {0.0, 0.85, 0.9, 1e4}) {
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
