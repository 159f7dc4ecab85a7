// Solids on coarse rungs: what counts as itself, and where contacts point.
#include "fovea/contact/solid_nodes.h"

#include <doctest/doctest.h>

#include "fovea/base/random.h"
#include "fovea/collide/collision_shape.h"
#include "fovea/contact/tree_contacts.h"
#include "fovea/geometry/procedural.h"

using namespace fovea;

namespace {

Ladder ladder_of(const Shape& shape) {
    return *make_ladder(shape);
}

} // namespace

TEST_CASE("the sphere of a body meets a plate face on, wherever it is in front of it") {
    const Ladder plate = ladder_of(Box{{0.5f, 0.005f, 0.5f}});
    const auto mesh = std::make_shared<const TriangleMesh>(make_l_shape(0.1f, 0.03f, 0.04f));
    const Ladder body = ladder_of(SolidMesh{mesh, {.levels = 3}});
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const Vec3 place(float(random.uniform(-0.4, 0.4)), 0.02f, float(random.uniform(-0.4, 0.4)));
        for (const bool plate_first : {true, false}) {
            PairDescent pair;
            std::uint32_t root = k_root_slot;
            pair.a = pair.b = &root;
            pair.count = 1;
            const PlacedLadder on_plate{plate, Transform()};
            const PlacedLadder above{body, Transform(place)};
            TreeContacts contacts;
            PairManifolds manifolds;
            TreeContactSettings settings;
            const Vec3 centre(0.03f, 0.03f, 0);
            (plate_first ? settings.centre_b : settings.centre_a) = centre;
            contacts.model(plate_first ? on_plate : above, plate_first ? above : on_plate, pair,
                           settings, manifolds);
            REQUIRE(manifolds.size() == 1);
            CHECK(manifolds[0].normal.y == doctest::Approx(plate_first ? 1 : -1));
            CHECK(manifolds[0].points[0].separation >= 0);
            // In the frame of A, and nothing that would make the body spin.
            const Vec3 point = plate_first ? place + centre : centre;
            CHECK(length(manifolds[0].points[0].point - point) < 1e-5f);
        }
    }
}

TEST_CASE("the nearest part of a compound is found") {
    Random random(9);
    Compound compound;
    for (int i = 0; i < 20; ++i)
        compound.parts.push_back(
            {Box{{float(random.uniform(0.01, 0.3)), 0.02f, float(random.uniform(0.01, 0.3))}},
             {Vec3(random.direction() * random.uniform(0, 1)),
              normalized(Quat(float(random.uniform()), Vec3(random.direction())))}});
    const Ladder ladder = ladder_of(CompoundShape{std::make_shared<const Compound>(compound)});
    for (int i = 0; i < 500; ++i) {
        const BoundingBall ball{Vec3(random.direction() * random.uniform(0, 2)),
                                float(random.uniform(0, 0.5))};
        float least = 1e9f;
        for (const auto& part : compound.parts)
            least = std::min(least, proximity(part.shape, part.placement, Sphere{ball.radius},
                                              Transform(ball.centre))
                                        .separation);
        CHECK(nearest_solid(ladder, ball).proximity.separation == doctest::Approx(least));
    }
}

TEST_CASE("of two solids the one farther from its sphere counts as itself") {
    const Ladder plate = ladder_of(Box{{1, 0.01f, 1}}), cube = ladder_of(Box{{0.1f, 0.1f, 0.1f}});
    const Ladder plane = ladder_of(HalfSpace{{0, 1, 0}, 0});
    CHECK(plate.overhang() == doctest::Approx(std::sqrt(2.0001) - 0.01));
    CHECK(cube.overhang() == doctest::Approx(0.1 * (std::sqrt(3.0) - 1)));
    const auto sides = [](const Ladder& a, int level_a, const Ladder& b, int level_b) {
        const SolidSides found = solid_sides(a, level_a, b, level_b);
        return std::pair(found.a, found.b);
    };
    CHECK(sides(plate, 0, cube, 0) == std::pair(true, false));
    CHECK(sides(cube, 0, plate, 0) == std::pair(false, true));
    CHECK(sides(cube, 1, plate, 0) == std::pair(true, false));
    CHECK(sides(cube, 1, plate, 1) == std::pair(true, true));
    CHECK(sides(cube, 0, plane, 0) == std::pair(false, false));
}
