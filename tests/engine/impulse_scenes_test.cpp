// Scenes for the impulse response.
#include "ground.h"

using namespace fovea;
using namespace fovea::test;

TEST_CASE("Newton's cradle: as many balls leave as arrive, as fast") {
    for (int arriving = 1; arriving <= 4; ++arriving) {
        CAPTURE(arriving);
        World world({.gravity = {}, .response = Response::impulse});
        const ShapeId ball = *world.add_shape(Sphere{0.5f});
        std::vector<BodyId> balls;
        // A hair's breadth between the balls, as in a real cradle: blows follow one another.
        for (int i = 0; i < 5; ++i) {
            const bool moving = i < arriving;
            balls.push_back(
                *world.add_body({.shape = ball,
                                 .position = {float(i) * 1.0001f - (moving ? 0.5f : 0), 0, 0},
                                 .velocity = {moving ? 2.0f : 0.0f, 0, 0},
                                 .mass = 1,
                                 .material = {.elastic = 1}}));
        }
        for (int i = 0; i < 120; ++i) world.step(0.005f);
        for (int i = 0; i < 5; ++i)
            CHECK(world.velocity(balls[i]).x ==
                  doctest::Approx(i >= 5 - arriving ? 2.0 : 0.0).epsilon(0.001));
    }
}
