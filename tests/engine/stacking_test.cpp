// What is stacked stays stacked.
#include "ground.h"

using namespace fovea;
using namespace fovea::test;

namespace {

const Box k_cube{{0.5f, 0.5f, 0.5f}};
constexpr float k_cube_mass = 1000;

} // namespace

TEST_CASE("a stack of ten boxes stands for 20 seconds") {
    Ground ground;
    const ShapeId cube = ground.shape(k_cube);
    for (int i = 0; i < 10; ++i)
        ground.add({.shape = cube, .position = {0, 0.5f + float(i), 0}, .mass = k_cube_mass});
    ground.run(10);
    CHECK(ground.drift() < 0.01f);
    ground.run(10);
    CHECK(ground.drift() < 0.01f);
    CHECK(ground.deepest() < 0.001f);
    CHECK(ground.world.energy().kinetic < 1e-3);
}

TEST_CASE("a pyramid of 30 rows stands for 20 seconds") {
    Ground ground;
    const ShapeId cube = ground.shape(k_cube);
    const int rows = 30;
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < rows - row; ++k)
            ground.add({.shape = cube,
                        .position = {(float(k) - 0.5f * float(rows - row - 1)) * 1.05f,
                                     0.5f + float(row), 0},
                        .mass = k_cube_mass});
    ground.run(20);
    CHECK(ground.drift() < 0.01f);
    CHECK(ground.deepest() < 0.001f);
    // Less than a hundredth of a joule in all: half a tonne moving at 6 mm/s.
    CHECK(ground.world.energy().kinetic < 0.01);
}

TEST_CASE("a stack bears a box a hundred times as heavy as the others") {
    Ground ground;
    const ShapeId cube = ground.shape(k_cube);
    for (int i = 0; i < 10; ++i)
        ground.add({.shape = cube,
                    .position = {0, 0.5f + float(i), 0},
                    .mass = i == 9 ? 100 * k_cube_mass : k_cube_mass});
    ground.run(20);
    CHECK(ground.drift() < 0.01f);
    CHECK(ground.deepest() < 0.001f);
}

TEST_CASE("a resting pile does not gain energy") {
    Ground ground;
    const ShapeId cube = ground.shape(k_cube), ball = ground.shape(Sphere{0.5f});
    for (int i = 0; i < 60; ++i)
        ground.add({.shape = i % 3 == 0 ? ball : cube,
                    .position = {float(i % 4) * 1.1f - 2 + 0.05f * float(i % 7),
                                 1 + float(i) * 0.6f, float(i % 3) * 1.1f - 1},
                    .mass = k_cube_mass,
                    .material = {.rolling = 0.01f}});
    ground.run(20);
    // Contacts come out of their overlaps at the slow rate of recovery, which lifts the pile by
    // fractions of a millimetre: that much potential energy, and no more, may come back.
    const double before = ground.energy();
    const double give = 60 * k_cube_mass * 9.81 * 0.0005;
    for (int i = 0; i < 20; ++i) {
        ground.run(0.5);
        CHECK(ground.energy() < before + give);
    }
}
