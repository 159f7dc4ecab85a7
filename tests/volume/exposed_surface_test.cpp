// Exposed surfaces and neighbours of balls, against one by one computation.
#include <doctest/doctest.h>

#include "fovea/base/random.h"
#include "fovea/base/simd.h"
#include "fovea/geometry/procedural.h"
#include "fovea/volume/exposed_surface.h"
#include "fovea/volume/point_set.h"
#include "fovea/volume/sphere_neighbours.h"

using namespace fovea;

namespace {

std::vector<Ball> random_balls(int count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Ball> balls;
    for (int i = 0; i < count; ++i) {
        const Vec3d centre = random.direction() * random.uniform(0, 0.4);
        balls.push_back({centre, random.uniform(0.05, 0.25)});
    }
    return balls;
}

} // namespace

TEST_CASE("neighbours brought up to date are those found anew") {
    const Jobs jobs(1);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        std::vector<Ball> balls = random_balls(40, seed);
        auto near = overlapping(balls, 0.01, jobs);
        const std::vector<Ball> others = random_balls(40, seed + 100);
        const auto first = std::uint32_t(seed), end = first + 1 + std::uint32_t(seed % 7);
        for (std::uint32_t i = first; i < end; ++i) balls[i] = others[i];
        update_overlapping(balls, first, end, 0.01, near);
        CHECK(near == overlapping(balls, 0.01, jobs));
    }
}

TEST_CASE("distances of exposed surfaces are those of the lattice, point by point") {
    const Jobs jobs(1);
    const auto mesh = prepare(*make_procedural("gear", 1), jobs);
    REQUIRE(mesh.has_value());
    const DistanceGrid grid(*mesh, 24, 2, jobs);
    const ExposedSurface surface(grid, 100);
    CHECK(surface.directions() == 128);
    const std::vector<Ball> balls = random_balls(30, 7);
    const auto near = overlapping(balls, 0, jobs);
    int bare = 0, covered = 0;
    for (std::uint32_t i = 0; i < balls.size(); ++i) {
        std::vector<CoveredCap> caps;
        const bool exposed = caps_around(balls, i, near[i], caps);
        for (int block = 0; block < surface.blocks(); ++block) {
            float first[ExposedSurface::k_block], distances[ExposedSurface::k_block];
            if (exposed) surface.distances(balls[i], caps, block, first);
            for (int k = 0; k < ExposedSurface::k_block; ++k) {
                const Vec3d p = balls[i].centre + surface.direction(block, k) * balls[i].radius;
                double depth = -1; // in the ball that covers most
                for (std::uint32_t m = 0; m < balls.size(); ++m) {
                    if (m != i) {
                        depth = std::max(depth, balls[m].radius - length(p - balls[m].centre));
                    }
                }
                if (std::abs(depth) < 1e-5) continue; // single precision may decide either way
                (depth > 0 ? covered : bare) += 1;
                if (!exposed) {
                    CHECK(depth > 0);
                    continue;
                }
                const double expected = depth > 0 ? 0 : std::max(0.0, grid.distance(p));
                // Coordinates are rounded to single precision, and steps of the lattice are 1/24.
                CHECK(std::abs(double(first[k]) - expected) < 1e-5);
            }
            if (!exposed) continue;
            for (const SimdTarget& target : simd_targets()) {
                use_simd_target(target);
                surface.distances(balls[i], caps, block, distances);
                CHECK(std::equal(first, first + ExposedSurface::k_block, distances));
            }
            use_best_simd_target();
        }
    }
    CHECK(bare > 100);
    CHECK(covered > 100);
}

TEST_CASE("the lattice knows inside from outside at every sample of a row") {
    // Symmetric shapes, whose edges and corners lie on the rows themselves.
    const Jobs jobs(1);
    for (const std::string_view name : procedural_names()) {
        CAPTURE(name);
        const auto mesh = prepare(*make_procedural(name, 1), jobs);
        REQUIRE(mesh.has_value());
        const DistanceGrid grid(*mesh, 20, 2, jobs);
        int checked = 0;
        Random random(3);
        for (int i = 0; i < 3000; ++i) {
            const Vec3d p(random.uniform(-0.55, 0.55), random.uniform(-0.55, 0.55),
                          random.uniform(-0.55, 0.55));
            const double d = grid.distance(p);
            if (std::abs(d) < grid.spacing()) continue; // between samples of either sign
            ++checked;
            CHECK(mesh->inside(p) == (d < 0));
        }
        CHECK(checked > 100);
    }
}

TEST_CASE("the farthest of a set of points is found on every instruction set") {
    Random random(11);
    for (std::size_t count = 0; count < 40; ++count) {
        PointSet set;
        std::vector<Vec3d> points;
        for (std::size_t i = 0; i < count; ++i) points.push_back(random.direction());
        set.add(points);
        const Vec3d centre = random.direction() * 0.3;
        double far = 0;
        for (const Vec3d& p : points) far = std::max(far, length_squared(p - centre));
        for (const SimdTarget& target : simd_targets()) {
            use_simd_target(target);
            CHECK(set.farthest_squared(centre) == far);
        }
        if (count > 0) {
            CHECK(length_squared(set.farthest_from(centre) - centre) == far);
        }
    }
    use_best_simd_target();
}
