// Depths along a line against what is known of the bodies, and against rays through all triangles.
#include "fovea/collide/overlap_depth.h"

#include <cmath>
#include <limits>

#include "fovea/collide/first_crossing.h"
#include "tests/collide/descent_cases.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr double k_radius = 0.5; // of "icosphere"

const LadderBody& ball() {
    static const LadderBody body =
        sphere_body("icosphere", 3, SphereMethod::octree, 4, 8, Nesting::inside_parent);
    return body;
}

std::optional<double> depth_of(const LadderBody& a, const LadderBody& b, const Transformd& b_in_a,
                               const Vec3d& middle, const Vec3d& way,
                               Budget budget = Budget::unlimited()) {
    std::vector<std::uint32_t> open;
    WorkMeter work(budget);
    return overlap_depth(a.ladder, b.ladder, b_in_a, middle, way, open, work);
}

} // namespace

TEST_CASE("two balls are as deep in each other as the line of their centres says") {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const double apart = random.uniform(0.05, 0.95);
        const Vec3d way = random.direction();
        const Transformd pose(way * apart, normalized(Quatd(random.uniform(), random.direction())));
        const auto depth = depth_of(ball(), ball(), pose, way * (apart / 2), way);
        REQUIRE(depth);
        // The faces lie up to 2 mm inside the sphere through their corners.
        CHECK(*depth < 2 * k_radius - apart + 1e-5);
        CHECK(*depth > 2 * k_radius - apart - 4e-3);
        CHECK_FALSE(depth_of(ball(), ball(), pose, way * (apart / 2), way, Budget::work(20)));
    }
}

TEST_CASE("a ball on a ring is no deeper in it than the ring is wide where they meet") {
    // The middle of their contour is in the ball, but not in the ring.
    const LadderBody ring =
        sphere_body("torus", 2, SphereMethod::octree, 4, 8, Nesting::inside_parent);
    const auto depth =
        depth_of(ring, ball(), Transformd({0, 0, 0.5}), Vec3d(0, 0, 0.1), Vec3d(0, 0, 1));
    CHECK_FALSE(depth);
}

TEST_CASE("depths are those of rays through all triangles, whichever body is called A") {
    Random random(7);
    int deep = 0, shallow = 0;
    for (const LadderBody& a : bodies())
        for (const LadderBody& b : bodies()) {
            if (!a.ladder.encloses_space || !b.ladder.encloses_space) continue;
            for (int i = 0; i < 40 / k_share; ++i) {
                const Transformd pose = b_in_a({}, random_pose(random));
                const Vec3d way = random.direction();
                const Vec3d middle = pose.position * 0.5 + random.direction() * 0.1;
                const auto exit = [&](const LadderBody& body, const Transformd& at,
                                      const Vec3d& from, const Vec3d& along) {
                    FirstCrossing first({from, along, 10});
                    for (std::size_t k = 0; k < body.mesh.triangles.size(); ++k)
                        first.meet(corners_in(body.mesh, k, at));
                    return first.outward ? first.distance
                                         : std::numeric_limits<double>::quiet_NaN();
                };
                double expected = exit(a, {}, middle, way);
                expected = exit(b, pose, middle + way * expected, -way);
                if (std::isnan(expected)) {
                    expected = exit(b, pose, middle, -way);
                    expected = exit(a, {}, middle - way * expected, way);
                }
                const auto depth = depth_of(a, b, pose, middle, way);
                CAPTURE(a.name + " and " + b.name);
                REQUIRE(depth.has_value() == !std::isnan(expected));
                if (!depth) {
                    ++shallow;
                    continue;
                }
                ++deep;
                // Corners of B are rounded to single precision where they are carried.
                CHECK(*depth == doctest::Approx(expected).epsilon(1e-4));
            }
        }
    CHECK(deep > 100 / k_share);
    CHECK(shallow > 100 / k_share);
}
