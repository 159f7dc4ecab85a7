// Times of impact against the separation at many sampled times, with poses from the C library's
// sines and cosines.
#include <doctest/doctest.h>

#include "fovea/geometry/time_of_impact.h"
#include "sweep_shapes.h"

using namespace oracle;
using fovea::Impact;
using fovea::ImpactSettings;
using fovea::Motion;
using fovea::Quatd;
using fovea::Transform;
using fovea::Transformd;
using Kind = Solid::Kind;
using Outcome = Impact::Outcome;

namespace {

#ifdef FOVEA_SANITIZED
constexpr int k_motions = 40; ///< per pair: sanitizers are slow
#else
constexpr int k_motions = 400;
#endif
constexpr int k_samples = 100;

/// The definition, word by word.
Transform exact_pose(const Motion& m, double time) {
    const Vec3d spin(m.angular_velocity);
    const double rate = length(spin);
    const Quatd turn =
        rate > 0 ? fovea::from_axis_angle(spin / rate, rate * time) : Quatd(1, 0, 0, 0);
    const Transformd start(m.start);
    const Vec3d centre = start * Vec3d(m.centre) + Vec3d(m.velocity) * time;
    const Quatd q = turn * start.orientation;
    return Transform(Transformd(centre - rotate(q, Vec3d(m.centre)), q));
}

Motion random_motion(const Transform& at, const Vec3d& aim, double size, Random& random) {
    Motion m{at};
    m.centre = Vec3(random.direction() * (random.uniform(0, 0.5) * size));
    m.velocity = Vec3((aim - Vec3d(at.position)) * random.uniform(0.2, 2));
    if (random.below(5) > 0)
        m.angular_velocity = Vec3(random.direction() * std::exp2(random.uniform(-3, 4)));
    return m;
}

} // namespace

TEST_CASE("times of impact are never late and stop at the target") {
    constexpr std::array movers{Kind::sphere, Kind::box, Kind::cylinder, Kind::cone, Kind::hull};
    constexpr std::array others{Kind::sphere, Kind::box,  Kind::capsule,   Kind::cylinder,
                                Kind::cone,   Kind::hull, Kind::half_space};
    int touching = 0, apart = 0, overlapping = 0, undecided = 0, rounds = 0, total = 0;
    for (const Kind a : movers) {
        for (const Kind b : others) {
            CAPTURE(name_of(a));
            CAPTURE(name_of(b));
            Random random(7 + 100 * std::uint64_t(a) + std::uint64_t(b));
            for (int i = 0; i < k_motions; ++i) {
                PlacedSolid first = random_solid(a, random), second = random_solid(b, random);
                const double size = first.solid.size + second.solid.size;
                first.at.position = Vec3(random.direction() * random.uniform(0.8 * size, 4 * size));
                const Vec3d aim = random.direction() * random.uniform(0, size);
                const Motion motion_a = random_motion(first.at, aim, first.solid.size, random);
                const Motion motion_b =
                    b == Kind::half_space
                        ? fovea::at_rest(second.at)
                        : random_motion(second.at, aim, second.solid.size, random);
                const ImpactSettings settings{.target = 0.01f, .tolerance = 0.002f};
                const Impact impact =
                    time_of_impact(first.shape, motion_a, second.shape, motion_b, 1, settings);
                const auto separation = [&](double time) {
                    return double(proximity(first.shape, exact_pose(motion_a, time), second.shape,
                                            exact_pose(motion_b, time))
                                      .separation);
                };
                CAPTURE(i);
                const double rounding = 1e-6 * (10 + size); // of poses to float
                ++total;
                rounds += impact.rounds;
                const double end = impact.time;
                for (int k = 0; k < k_samples; ++k)
                    REQUIRE(separation(end * k / k_samples) >
                            (impact.outcome == Outcome::overlapping
                                 ? -INFINITY
                                 : double(settings.target) - rounding));
                switch (impact.outcome) {
                case Outcome::apart:
                    ++apart;
                    REQUIRE(end == 1);
                    REQUIRE(separation(1) > settings.target - rounding);
                    break;
                case Outcome::touching: {
                    ++touching;
                    const double found = separation(end);
                    REQUIRE(found >= settings.target - rounding);
                    REQUIRE(found <= settings.target + settings.tolerance + rounding);
                    REQUIRE(std::abs(impact.proximity.separation - found) < rounding);
                    break;
                }
                case Outcome::overlapping:
                    ++overlapping;
                    REQUIRE(end == 0);
                    REQUIRE(separation(0) < settings.target + rounding);
                    break;
                case Outcome::undecided:
                    ++undecided;
                    break;
                }
            }
        }
    }
    CHECK(touching > total / 4);
    CHECK(apart > total / 20);
    CHECK(undecided < total / 100);
    CHECK(rounds < 12 * total); // 8 were measured
}

TEST_CASE("a spinning bullet never passes a thin wall") {
    using namespace fovea;
    Random random(3);
    const Shape wall = Box{{0.0005f, 1, 1}};
    const std::array<Vec3, 3> sheet{Vec3(0, -2, -2), Vec3(0, 2, -2), Vec3(0, 0, 3)};
    const std::array<Shape, 4> bullets{Sphere{0.01f}, Box{{0.02f, 0.005f, 0.01f}},
                                       Capsule{0.004f, 0.01f}, Cone{0.005f, 0.02f}};
    for (int i = 0; i < 400; ++i) {
        const Shape& bullet = bullets[std::size_t(i) % 4];
        const float speed = float(std::exp2(random.uniform(0, 12)));
        const float h = 1.0f / 60;
        Motion motion{
            Transform({-speed * h * float(random.uniform(0.1, 0.9)) - 0.1f,
                       float(random.uniform(-0.5, 0.5)), float(random.uniform(-0.5, 0.5))},
                      random_turn(random))};
        motion.velocity = {speed, 0, 0};
        motion.angular_velocity = Vec3(random.direction() * random.uniform(0, 300));
        if (motion.start.position.x + speed * h < 0.1f) continue; // does not reach the wall
        for (const Impact& impact :
             {time_of_impact(bullet, motion, wall, at_rest({}), h, {1e-4f, 2.5e-5f}),
              time_of_impact(bullet, motion, sheet, h, {1e-4f, 2.5e-5f})}) {
            CAPTURE(i);
            REQUIRE(impact.stops());
            const double x = pose_at(motion, impact.time).position.x;
            REQUIRE(x < 0);
            if (impact.outcome == Outcome::touching) REQUIRE(x > -0.03); // the bullets' reach
        }
    }
}

TEST_CASE("steady motion") {
    using namespace fovea;
    Random random(9);
    double worst_turn = 0, worst_vector = 0, worst_end = 0;
    for (int i = 0; i < 5000; ++i) {
        const Vec3d axis = random.direction();
        const double angle = std::exp2(random.uniform(-20, 4));
        const Quatd turn = rotation_by(axis * angle), exact = from_axis_angle(axis, angle);
        worst_turn = std::max(worst_turn, norm(turn - exact));
        if (angle < 3.14)
            worst_vector =
                std::max(worst_vector, length(rotation_vector(exact) - axis * angle) / angle);

        // From one pose to another and back to the definition.
        const Transform start(Vec3(random.direction()), random_turn(random));
        const Transform end(Vec3(random.direction()), random_turn(random));
        const Motion motion = motion_between(start, end, Vec3(random.direction()), 0.25f);
        const Transformd reached = pose_at(motion, 0.25);
        const Transformd wanted(end);
        worst_end = std::max(worst_end, length(reached.position - wanted.position));
        worst_end = std::max(worst_end, std::min(norm(reached.orientation - wanted.orientation),
                                                 norm(reached.orientation + wanted.orientation)));
    }
    CHECK(worst_turn < 1e-13);
    CHECK(worst_vector < 1e-12);
    CHECK(worst_end < 2e-6); // velocities are floats
    CHECK(rotation_by({}) == Quatd());
    CHECK(rotation_vector(Quatd()) == Vec3d());
}
