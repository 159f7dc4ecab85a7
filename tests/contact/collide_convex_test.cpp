#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "fovea/contact/collide_convex.h"
#include "fovea/contact/face_preference.h"
#include "tests/contact/random_pairs.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr float k_margin = 0.02f;

/// The stated bound: face normals and the axis of the last step are preferred by up to
/// k_face_preference of the smaller shape (at most 0.8 m here), and single precision resolves
/// places ten metres from the origin to 1e-6 m, a few times over.
constexpr float k_tolerance = 0.8f * k_face_preference + 5e-5f;

struct WorldPointPair {
    Vec3 on_a, on_b;
};

Vec3 world_normal(const Manifold& m, const Transform& at_a) {
    return rotate(at_a.orientation, m.normal);
}

WorldPointPair surfaces(const Manifold& m, int i, const Transform& at_a) {
    const Vec3 midway = at_a * m.points[i].point;
    const Vec3 half = world_normal(m, at_a) * (0.5f * m.points[i].separation);
    return {midway - half, midway + half};
}

float deepest(const Manifold& m) {
    float least = m.points[0].separation;
    for (int i = 1; i < m.count; ++i) least = std::min(least, m.points[i].separation);
    return least;
}

/// Largest deviations seen, printed so that a change for the worse is noticed before it fails.
struct Worst {
    float separation = 0, axis = 0, surface = 0;
};

void check(const PlacedPair& p, const Manifold& m, Worst& worst) {
    const Proximity exact = proximity(p.a, p.at_a, p.b, p.at_b);
    if (exact.separation > k_margin + k_tolerance) {
        CHECK(m.count == 0);
        return;
    }
    if (m.count == 0) {
        CHECK(exact.separation > k_margin - k_tolerance);
        return;
    }
    const float off = std::abs(deepest(m) - exact.separation);
    worst.separation = std::max(worst.separation, off);
    CHECK(off < k_tolerance);

    // No translation along the normal shorter than the depth parts the shapes, and the depth is
    // that of the best axis within the bound.
    const Vec3 normal = world_normal(m, p.at_a);
    CHECK(std::abs(length(normal) - 1) < 1e-5f);
    const auto along = float(-reach(p.b, p.at_b, -normal) - reach(p.a, p.at_a, normal));
    worst.axis = std::max(worst.axis, exact.separation - along);
    CHECK(along > exact.separation - k_tolerance);

    for (int i = 0; i < m.count; ++i) {
        CHECK(m.points[i].separation < k_margin);
        const WorldPointPair points = surfaces(m, i, p.at_a);
        const float from_a = std::abs(distance_to(p.a, p.at_a, points.on_a));
        const float from_b = std::abs(distance_to(p.b, p.at_b, points.on_b));
        worst.surface = std::max({worst.surface, from_a, from_b});
        CHECK(std::max(from_a, from_b) < k_tolerance);
        for (int k = 0; k < i; ++k) CHECK(m.points[i].feature != m.points[k].feature);
    }
}

} // namespace

TEST_CASE("manifolds of random solids agree with the exact distance") {
    constexpr int k_trials = 20000;
    for (const ShapeType type_a : k_solids) {
        for (const ShapeType type_b : k_solids) {
            if (type_b < type_a) continue;
            Random random(std::uint64_t(type_a) * 100 + std::uint64_t(type_b));
            Worst worst;
            int points = 0, manifolds = 0;
            for (int trial = 0; trial < k_trials; ++trial) {
                CAPTURE(trial);
                PlacedPair pair = random_pair(random, type_a, type_b, k_margin);
                if (trial & 1) {
                    std::swap(pair.a, pair.b);
                    std::swap(pair.at_a, pair.at_b);
                }
                PairCache cache;
                const Manifold m =
                    collide_convex(pair.a, pair.at_a, pair.b, pair.at_b, k_margin, cache);
                check(pair, m, worst);
                points += m.count;
                manifolds += m.count > 0;
            }
            MESSAGE(std::string(name_of(type_a)), "-", std::string(name_of(type_b)),
                    ": separation off by ", worst.separation, ", axis by ", worst.axis,
                    ", surface by ", worst.surface, "; points per manifold ",
                    double(points) / manifolds);
        }
    }
}
