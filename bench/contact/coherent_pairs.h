// Pairs near contact that drift slowly against each other, as bodies in a pile do: what the caches
// of the pair tests are made for.
#pragma once

#include <vector>

#include "fovea/base/random.h"
#include "fovea/contact/manifold.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/proximity.h"

namespace fovea::bench {

constexpr float k_margin = 0.02f;
constexpr std::size_t k_pairs = 1024;

struct DriftingPair {
    Shape a, b;
    Transform at_a, at_b;
    Vec3 drift; ///< metres per step, away from the start and back again
    PairCache cache{};
    Manifold manifold{};
    int age = 0;

    /// Moves on by one step; turns round every sixteen steps.
    void step() {
        const float sign = (age++ & 16) ? -1.0f : 1.0f;
        at_b.position += drift * sign;
        at_b.orientation =
            normalized(at_b.orientation + Quat(0, drift * (0.5f * sign)) * at_b.orientation);
    }
};

inline Quat random_rotation(Random& random) {
    return Quat(normalized(
        Quatd(random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian())));
}

/// One of 32 hulls of so many points on a sphere of half a metre: bodies share their shapes.
template <int points>
Hull ball_hull(Random& random) {
    static const std::vector<Hull> hulls = [] {
        Random shapes(points);
        std::vector<Hull> made;
        for (int i = 0; i < 32; ++i) {
            std::vector<Vec3> cloud;
            for (int k = 0; k < points; ++k) cloud.push_back(Vec3(shapes.direction() * 0.5));
            made.push_back({std::make_shared<const ConvexHull>(make_convex_hull(cloud).value())});
        }
        return made;
    }();
    return hulls[random.below(32)];
}

/// `make` gives a shape. Separations lie in [low, high]; `speed` in metres and radians per step.
template <class MakeA, class MakeB>
std::vector<DriftingPair> drifting_pairs(MakeA make_a, MakeB make_b, float low, float high,
                                         double speed) {
    Random random(7);
    std::vector<DriftingPair> pairs;
    for (std::size_t i = 0; i < k_pairs; ++i) {
        DriftingPair p{make_a(random), make_b(random), {}, {}, {}};
        p.at_a = {Vec3(random.direction() * 5.0), random_rotation(random)};
        p.at_b = {p.at_a.position + Vec3(random.direction() * 0.7), random_rotation(random)};
        const Proximity found = proximity(p.a, p.at_a, p.b, p.at_b);
        const auto wanted = float(random.uniform(low, high));
        p.at_b.position += found.normal * (wanted - found.separation);
        p.drift = Vec3(random.direction() * speed);
        pairs.push_back(p);
    }
    return pairs;
}

/// Boxes that lie on one another, faces nearly parallel, as in a stack.
inline std::vector<DriftingPair> stacked_boxes(double speed) {
    Random random(9);
    std::vector<DriftingPair> pairs;
    for (std::size_t i = 0; i < k_pairs; ++i) {
        DriftingPair p{Box{{0.5f, 0.5f, 0.5f}}, Box{{0.5f, 0.5f, 0.5f}}, {}, {}, {}};
        p.at_a = {Vec3(random.direction() * 5.0), Quat()};
        const Vec3 up(float(random.uniform(-0.4, 0.4)), 0.999f, float(random.uniform(-0.4, 0.4)));
        const Quat turn(from_axis_angle(Vec3d(0, 1, 0), random.uniform(-3, 3)));
        const Quat tilt(from_axis_angle(random.direction(), 1e-3));
        p.at_b = {p.at_a.position + up, normalized(tilt * turn)};
        p.drift = Vec3(random.direction() * speed);
        pairs.push_back(p);
    }
    return pairs;
}

} // namespace fovea::bench
