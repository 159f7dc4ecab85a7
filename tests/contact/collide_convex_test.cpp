// Manifolds of random shapes against the exact distance.
#include "tests/contact/manifold_checks.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr int k_trials = 20000;

std::string names(ShapeType a, ShapeType b) {
    return std::string(name_of(a)) + "-" + name_of(b);
}

} // namespace

TEST_CASE("manifolds of random solids agree with the exact distance") {
    for (const ShapeType type_a : k_solids) {
        for (const ShapeType type_b : k_solids) {
            if (type_b < type_a) continue;
            Random random(std::uint64_t(type_a) * 100 + std::uint64_t(type_b));
            Worst worst;
            for (int trial = 0; trial < k_trials; ++trial) {
                CAPTURE(trial);
                PlacedPair p = random_pair(random, type_a, type_b, k_margin);
                if (trial & 1) {
                    std::swap(p.a, p.b);
                    std::swap(p.at_a, p.at_b);
                }
                PairCache cache;
                check_solids(p, collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache), worst);
            }
            CHECK(worst.manifolds > k_trials / 4);
            worst.report(names(type_a, type_b));
        }
    }
}

TEST_CASE("manifolds with a half-space agree with the exact distance") {
    for (const ShapeType type : k_solids) {
        Random random(std::uint64_t(type) + 1000);
        Worst worst;
        for (int trial = 0; trial < k_trials; ++trial) {
            CAPTURE(trial);
            PlacedPair p{
                random_shape(random, type), random_shape(random, ShapeType::half_space), {}, {}};
            p.at_a = {Vec3(random.direction()), random_rotation(random)};
            p.at_b = {Vec3(random.direction()), random_rotation(random)};
            if (random.below(2) == 0) { // standing or lying flat
                const Vec3 up = rotate(p.at_b.orientation, std::get<HalfSpace>(p.b).normal);
                p.at_a.orientation = rotation_between(Vec3(0, 1, 0), up) *
                                     random_quarter_turns(random) *
                                     random_tilt(random, random.uniform(0, 0.01));
            }
            part(p, float(random.uniform(-2, 2)) * k_margin);
            const float exact = proximity(p.a, p.at_a, p.b, p.at_b).separation;
            const Vec3 inwards = -rotate(p.at_b.orientation, std::get<HalfSpace>(p.b).normal);
            PairCache cache;
            const bool exchanged = trial & 1;
            if (exchanged) {
                std::swap(p.a, p.b);
                std::swap(p.at_a, p.at_b);
            }
            const Manifold m = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache);
            check_manifold(
                m, p.at_a, exact,
                [&](const Vec3& n) { return exact - length(n - (exchanged ? -inwards : inwards)); },
                [&](const Vec3& x) { return distance_to(p.a, p.at_a, x); },
                [&](const Vec3& x) { return distance_to(p.b, p.at_b, x); }, worst);
        }
        worst.report(names(type, ShapeType::half_space));
    }
}

TEST_CASE("manifolds with a triangle agree with the exact distance") {
    for (const ShapeType type : k_solids) {
        Random random(std::uint64_t(type) + 2000);
        Worst worst;
        for (int trial = 0; trial < k_trials; ++trial) {
            CAPTURE(trial);
            const Shape shape = random_shape(random, type);
            const Transform at{Vec3(random.direction()), random_rotation(random)};
            std::array<Vec3, 3> triangle;
            const Vec3 middle = at.position + Vec3(random.direction() * random.uniform(0, 1));
            for (Vec3& corner : triangle) corner = middle + Vec3(random.direction() * 0.7);
            if (random.below(2) == 0) { // a face of the shape's frame against the triangle
                const Quat turns = at.orientation * random_quarter_turns(random);
                for (int i = 0; i < 3; ++i)
                    triangle[i] =
                        middle + rotate(turns, Vec3(i == 1 ? 1.0f : 0.0f, 0, i == 2 ? 1.0f : 0.0f));
            }
            if (random.below(5) != 0) {
                const Proximity found = proximity(shape, at, triangle);
                const auto wanted = float(random.uniform(-2, 2)) * k_margin;
                for (Vec3& corner : triangle) corner += found.normal * (wanted - found.separation);
            }
            PairCache cache;
            const Manifold m = collide_convex(shape, at, triangle, k_margin, cache);
            check_manifold(
                m, at, proximity(shape, at, triangle).separation,
                [&](const Vec3& n) {
                    const double nearest = std::min({dot(Vec3d(n), Vec3d(triangle[0])),
                                                     dot(Vec3d(n), Vec3d(triangle[1])),
                                                     dot(Vec3d(n), Vec3d(triangle[2]))});
                    return float(nearest - reach(shape, at, n));
                },
                [&](const Vec3& x) { return distance_to(shape, at, x); },
                [&](const Vec3& x) {
                    return proximity(Sphere{1e-4f}, {x}, triangle).separation + 1e-4f;
                },
                worst);
        }
        worst.report(std::string(name_of(type)) + "-triangle");
    }
}

TEST_CASE("a cache carried through a motion never spoils the result") {
    Random random(5);
    for (const ShapeType type_a : k_solids) {
        for (const ShapeType type_b : {ShapeType::box, ShapeType::hull, ShapeType::cylinder}) {
            Worst worst;
            for (int run = 0; run < 20; ++run) {
                PlacedPair p = random_pair(random, type_a, type_b, k_margin);
                const Vec3 velocity(random.direction() * 0.004);
                const Quat spin = random_tilt(random, 0.01);
                PairCache cache;
                for (int step = 0; step < 40; ++step) {
                    CAPTURE(step);
                    p.at_b.position += velocity;
                    p.at_b.orientation = normalized(spin * p.at_b.orientation);
                    check_solids(p, collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache),
                                 worst);
                }
            }
        }
    }
}
