// How much of a budget is left for hold-ups.
#include "fovea/schedule/spare_time.h"

#include <doctest/doctest.h>

#include "fovea/base/random.h"

using namespace fovea;

TEST_CASE("nothing is spared as long as steps are in time") {
    SpareTime spare;
    for (int i = 0; i < 1000; ++i) spare.note(0.99);
    CHECK(spare.share() == 0);
}

TEST_CASE("steps that were late by more than can be spared change nothing") {
    SpareTime spare;
    for (int i = 0; i < 100; ++i) spare.note(10);
    CHECK(spare.share() == 0);
}

TEST_CASE("so much is spared that few steps are late, and no more for long") {
    // One step in fifty is held up, by up to a fifth of its budget, after it used all it might.
    Random random(1);
    SpareTime spare;
    int late = 0;
    constexpr int k_steps = 40000;
    const auto run = [&](double chance) {
        late = 0;
        for (int i = 0; i < k_steps; ++i) {
            const double held_up = random.uniform() < chance ? random.uniform(0, 0.2) : 0;
            const double taken = 0.96 * (1 - spare.share()) + held_up;
            late += taken > 1;
            spare.note(taken);
        }
    };
    run(0.02);
    CHECK(spare.share() > 0.05);
    CHECK(spare.share() < 0.25);
    run(0.02);
    CHECK(late <= k_steps / 1000);
    CHECK(late > 0);
    // When the machine has come to rest, so does the share.
    run(0);
    CHECK(spare.share() == 0);
}
