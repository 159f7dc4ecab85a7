// Shapes of moving meshes: their boxes and their ladders.
#include <doctest/doctest.h>

#include <cmath>

#include "fovea/base/random.h"
#include "fovea/collide/collision_shape.h"
#include "fovea/collide/ladder.h"
#include "fovea/geometry/height_field.h"
#include "fovea/geometry/procedural.h"
#include "fovea/geometry/shape_bounds.h"

using namespace fovea;

namespace {

Transform random_place(Random& random, double reach) {
    const auto one = [&] { return float(random.uniform(-reach, reach)); };
    const float x = one(), y = one(), z = one();
    return {{x, y, z},
            normalized(Quat(float(random.gaussian()),
                            Vec3(float(random.gaussian()), float(random.gaussian()),
                                 float(random.gaussian()))))};
}

CollisionShape solid(const char* name, SphereRecipe recipe = {}) {
    return make_collision_shape(
               SolidMesh{std::make_shared<const TriangleMesh>(make_procedural(name, 1).value()),
                         recipe})
        .value();
}

} // namespace

TEST_CASE("the box of a solid mesh holds it, and is not much larger") {
    Random random(3);
    for (const char* name : {"lshape", "spiky", "torusknot", "bowl"}) {
        CAPTURE(name);
        const CollisionShape shape = solid(name);
        double wider = 0;
        constexpr int k_rounds = 200;
        for (int round = 0; round < k_rounds; ++round) {
            const Transform at = random_place(random, round % 2 ? 1 : 1000);
            const Aabb quick = bounds(shape, at), exact = bounds(shape.shape, at);
            for (int axis = 0; axis < 3; ++axis) {
                REQUIRE(quick.low[axis] <= exact.low[axis]);
                REQUIRE(quick.high[axis] >= exact.high[axis]);
                wider += double(quick.high[axis] - quick.low[axis]) /
                         double(exact.high[axis] - exact.low[axis]) / (3 * k_rounds);
            }
        }
        CHECK(wider < 1.25); // what the spheres of the third level stand out
    }
    const CollisionShape ball = make_collision_shape(Sphere{0.5f}).value();
    CHECK(bounds(ball, Transform({1, 2, 3})).low == Vec3(0.5f, 1.5f, 2.5f));
}

TEST_CASE("every shape has a ladder; a height field when it needs one") {
    const CollisionShape mesh = solid("gear", {SphereMethod::octree, 3, 8});
    REQUIRE(mesh.ladder);
    CHECK(mesh.ladder->levels() == 3);
    CHECK(mesh.ladder->top == LadderTop::triangles);
    CHECK_FALSE(mesh.ladder->fixed_surface);
    CHECK(mesh.ladder->triangles.size() == mesh_of(mesh)->triangles.size());
    CHECK(solid("gear", {SphereMethod::grid, 4, 6}).ladder->levels() == 4);
    CHECK(make_collision_shape(Sphere{1})->ladder->top == LadderTop::solids);
    CHECK(make_collision_shape(HalfSpace{{0, 1, 0}, 0})->ladder->is_half_space());

    CollisionShape ground =
        make_collision_shape(HeightSurface{std::make_shared<const HeightField>(
                                 HeightField{3, 3, 1, {0, 0, 1, 0, 2, 0, 0, 1, 0}})})
            .value();
    CHECK_FALSE(ground.ladder);
    REQUIRE(add_ladder(ground));
    CHECK(ground.ladder->triangles.size() == 8);
    const auto* first = ground.ladder.get();
    REQUIRE(add_ladder(ground));
    CHECK(ground.ladder.get() == first);
}

TEST_CASE("a mesh that no tree encloses is refused") {
    const TriangleMesh point{{{1, 1, 1}}, {{0, 0, 0}}};
    CHECK_FALSE(make_collision_shape(SolidMesh{std::make_shared<const TriangleMesh>(point)}));
}

TEST_CASE("a solid mesh meets convex solids by its triangles, and no other mesh") {
    const CollisionShape mesh = solid("lshape");
    const CollisionShape ball = make_collision_shape(Sphere{0.2f}).value();
    std::vector<PartMeeting> found;
    find_contacts(mesh, {}, ball, Transform({-0.5f, 0, 0}), found);
    CHECK_FALSE(found.empty());
    found.clear();
    find_contacts(mesh, {}, ball, Transform({0.4f, 0.4f, 0}), found); // between the arms
    CHECK(found.empty());
    find_contacts(mesh, {}, mesh, Transform({0.1f, 0, 0}), found);
    CHECK(found.empty());
}
