// What must hold for every manifold, checked against the exact distance.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>

#include "fovea/contact/collide_convex.h"
#include "fovea/contact/face_preference.h"
#include "tests/contact/random_pairs.h"

namespace fovea::test {

constexpr float k_margin = 0.02f;

/// The stated bound: face normals and the axis of the last step are preferred by up to
/// k_face_preference of the smaller shape (at most 0.8 m here), and single precision resolves
/// places ten metres from the origin to 1e-6 m, a few times over.
constexpr float k_tolerance = 0.8f * k_face_preference + 5e-5f;

struct SurfacePoints {
    Vec3 on_a, on_b;
};

inline Vec3 world_normal(const Manifold& m, const Transform& at_a) {
    return rotate(at_a.orientation, m.normal);
}

/// Where point `i` touches either surface, in the world.
inline SurfacePoints surfaces(const Manifold& m, int i, const Transform& at_a) {
    const Vec3 midway = at_a * m.points[i].point;
    const Vec3 half = world_normal(m, at_a) * (0.5f * m.points[i].separation);
    return {midway - half, midway + half};
}

inline float deepest(const Manifold& m) {
    float least = m.points[0].separation;
    for (int i = 1; i < m.count; ++i) least = std::min(least, m.points[i].separation);
    return least;
}

/// Largest deviations seen, printed so that a change for the worse is noticed before it fails.
struct Worst {
    float separation = 0, axis = 0, surface = 0;
    int points = 0, manifolds = 0;

    void report(const std::string& what) const {
        MESSAGE(what, ": separation off by ", separation, ", axis by ", axis, ", surface by ",
                surface, "; points per manifold ", double(points) / std::max(manifolds, 1));
    }
};

/// `exact` is the true separation; `gap_along(n)` the gap along a unit vector from A to B; the
/// other two give the distance of a point from either surface.
template <class Gap, class DistanceA, class DistanceB>
void check_manifold(const Manifold& m, const Transform& at_a, float exact, Gap gap_along,
                    DistanceA distance_a, DistanceB distance_b, Worst& worst) {
    if (exact > k_margin + k_tolerance) {
        CHECK(m.count == 0);
        return;
    }
    if (m.count == 0) {
        CHECK(exact > k_margin - k_tolerance);
        return;
    }
    worst.points += m.count;
    ++worst.manifolds;
    const float off = std::abs(deepest(m) - exact);
    worst.separation = std::max(worst.separation, off);
    CHECK(off < k_tolerance);

    // The normal is the best axis, or one as good within the bound.
    const Vec3 normal = world_normal(m, at_a);
    CHECK(std::abs(length(normal) - 1) < 1e-5f);
    const float along = gap_along(normal);
    worst.axis = std::max(worst.axis, exact - along);
    CHECK(along > exact - k_tolerance);

    for (int i = 0; i < m.count; ++i) {
        CHECK(m.points[i].separation < k_margin);
        const SurfacePoints points = surfaces(m, i, at_a);
        const float from_a = std::abs(distance_a(points.on_a));
        const float from_b = std::abs(distance_b(points.on_b));
        worst.surface = std::max({worst.surface, from_a, from_b});
        CHECK(std::max(from_a, from_b) < k_tolerance);
        for (int k = 0; k < i; ++k) CHECK(m.points[i].feature != m.points[k].feature);
    }
}

/// Two solids.
inline void check_solids(const PlacedPair& p, const Manifold& m, Worst& worst) {
    const float exact = proximity(p.a, p.at_a, p.b, p.at_b).separation;
    check_manifold(
        m, p.at_a, exact,
        [&](const Vec3& n) { return float(-reach(p.b, p.at_b, -n) - reach(p.a, p.at_a, n)); },
        [&](const Vec3& x) { return distance_to(p.a, p.at_a, x); },
        [&](const Vec3& x) { return distance_to(p.b, p.at_b, x); }, worst);
}

} // namespace fovea::test
