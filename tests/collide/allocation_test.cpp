// A warmed-up broad phase leaves the heap alone.
#include <doctest/doctest.h>

#include <vector>

#include "fovea/base/random.h"
#include "fovea/collide/broad_phase.h"
#include "tests/oracles/allocation_counter.h"

using namespace fovea;
using test::allocations;

TEST_CASE("no update allocates once every position has been seen") {
    for (const auto method :
         {BroadPhaseMethod::brute, BroadPhaseMethod::sweep, BroadPhaseMethod::tree}) {
        Random random(1);
        const std::uint32_t n = 300;
        const auto phase = make_broad_phase(method);
        std::vector<Vec3> centres, swings;
        for (std::uint32_t i = 0; i < n; ++i) {
            centres.push_back(Vec3(random.direction() * random.uniform(0, 4)));
            swings.push_back(Vec3(random.direction() * 1.5));
            phase->add(i, {centres[i], centres[i]}, false);
        }
        phase->add_half_space(n, {{0, 1, 0}, -1});
        std::vector<Aabb> boxes(n + 1);
        // Everything swings to and fro in 40 steps.
        const auto run = [&](int steps) {
            for (int step = 0; step < steps; ++step) {
                const float phase_of_swing = std::abs(float(step % 40) / 20 - 1);
                for (std::uint32_t i = 0; i < n; ++i) {
                    const Vec3 c = centres[i] + swings[i] * phase_of_swing;
                    boxes[i] = expanded({c, c}, 0.2f);
                }
                phase->update(boxes, Jobs());
            }
        };
        run(2000); // regions are reused in varying order: all of them must have grown
        const long before = allocations();
        run(400);
        CHECK(allocations() == before);
        CHECK(phase->pairs().size() > n / 2);
    }
}
