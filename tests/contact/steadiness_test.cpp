// The same contact under other circumstances: a moment later, with the shapes exchanged, with
// another instruction set.
#include <cstring>

#include "fovea/base/hash.h"
#include "fovea/base/simd.h"
#include "tests/contact/manifold_checks.h"

using namespace fovea;
using namespace fovea::test;

namespace {

PlacedPair stacked(Random& random) {
    PlacedPair p{Box{{0.5f, 0.5f, 0.5f}}, Box{{0.4f, 0.5f, 0.6f}}, {}, {}};
    const Vec3 up(float(random.uniform(-0.4, 0.4)), 0.999f, float(random.uniform(-0.4, 0.4)));
    const Quat turn(from_axis_angle(Vec3d(0, 1, 0), random.uniform(-3, 3)));
    p.at_b = {up, turn};
    return p;
}

bool has_feature(const Manifold& m, std::uint32_t feature) {
    for (int i = 0; i < m.count; ++i)
        if (m.points[i].feature == feature) return true;
    return false;
}

void add(Hasher& hash, const Manifold& m) {
    hash.add(std::uint64_t(m.count));
    if (m.count == 0) return;
    hash.add(m.normal);
    for (int i = 0; i < m.count; ++i) {
        hash.add(m.points[i].point);
        hash.add(m.points[i].separation);
        hash.add(std::uint64_t(m.points[i].feature));
    }
}

/// All pairs of solids, with caches, through a few steps of a motion.
std::uint64_t hash_of_many() {
    Random random(77);
    Hasher hash;
    for (const ShapeType type_a : k_solids) {
        for (const ShapeType type_b : k_solids) {
            for (int trial = 0; trial < 200; ++trial) {
                PlacedPair p = random_pair(random, type_a, type_b, k_margin);
                PairCache cache;
                for (int step = 0; step < 3; ++step) {
                    add(hash, collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache));
                    p.at_b.position += Vec3(0.001f, -0.002f, 0.001f);
                }
            }
        }
    }
    return hash.value();
}

} // namespace

TEST_CASE("resting boxes keep their features under small motions") {
    Random random(11);
    int kept = 0, all = 0;
    for (int run = 0; run < 2000; ++run) {
        PlacedPair p = stacked(random);
        PairCache cache;
        Manifold before = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache);
        for (int step = 0; step < 20; ++step) {
            // What a resting body does in a step: micrometres.
            p.at_b.position += Vec3(random.direction() * 1e-5);
            p.at_b.orientation = normalized(random_tilt(random, 1e-5) * p.at_b.orientation);
            const Manifold m = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache);
            CHECK(m.normal.y > 0.999f);
            for (int i = 0; i < m.count; ++i) kept += has_feature(before, m.points[i].feature);
            all += m.count;
            before = m;
        }
    }
    MESSAGE("features kept: ", double(kept) / all);
    // Where five or more corners are nearly as deep and far, the choice of four may change.
    CHECK(kept > 0.98 * all);
}

TEST_CASE("a cylinder and a hull at rest keep their features") {
    Random random(12);
    const Box ground{{3, 0.5f, 3}};
    for (const Shape& shape :
         {Shape(Cylinder{0.4f, 0.5f}), Shape(prism(7, 0.5f, 0.5f)), Shape(Cone{0.5f, 0.5f})}) {
        PlacedPair p{ground, shape, {}, {{0.3f, 0.999f, 0.2f}}};
        PairCache cache;
        const Manifold first = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache);
        CHECK(first.count == 4);
        int kept = 0, all = 0;
        for (int step = 0; step < 500; ++step) {
            const Transform moved{p.at_b.position + Vec3(random.direction() * 1e-5),
                                  random_tilt(random, 1e-5) * p.at_b.orientation};
            const Manifold m = collide_convex(p.a, p.at_a, p.b, moved, k_margin, cache);
            for (int i = 0; i < m.count; ++i) kept += has_feature(first, m.points[i].feature);
            all += m.count;
        }
        CHECK(kept > 0.98 * all);
    }
}

TEST_CASE("exchanging the shapes exchanges the result") {
    Random random(13);
    for (const ShapeType type_a : k_solids) {
        for (const ShapeType type_b : k_solids) {
            int same_count = 0;
            constexpr int k_trials = 1000;
            for (int trial = 0; trial < k_trials; ++trial) {
                const PlacedPair p = random_pair(random, type_a, type_b, k_margin);
                PairCache cache, cache_back;
                const Manifold m = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache);
                const Manifold back =
                    collide_convex(p.b, p.at_b, p.a, p.at_a, k_margin, cache_back);
                same_count += m.count == back.count;
                if (m.count == 0 || back.count == 0) continue;
                // Each is within the bound of the exact one.
                CHECK(std::abs(deepest(m) - deepest(back)) < 2 * k_tolerance);
            }
            // Axes equally good within the bound may be decided otherwise.
            CHECK(same_count > 0.95 * k_trials);
        }
    }
    for (int trial = 0; trial < 1000; ++trial) {
        CAPTURE(trial);
        const PlacedPair p = stacked(random);
        PairCache cache, cache_back;
        const Manifold m = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache);
        const Manifold back = collide_convex(p.b, p.at_b, p.a, p.at_a, k_margin, cache_back);
        CHECK(m.count == back.count);
        const Vec3 normal = world_normal(m, p.at_a);
        CHECK(length(normal + world_normal(back, p.at_b)) < 1e-5f);
    }
}

TEST_CASE("the same bits every time and with every instruction set") {
    const std::uint64_t expected = hash_of_many();
    CHECK(hash_of_many() == expected);
    for (const SimdTarget& target : simd_targets()) {
        CAPTURE(target.name);
        use_simd_target(target);
        CHECK(hash_of_many() == expected);
    }
    use_best_simd_target();
}

TEST_CASE("odd input gives finite manifolds or none") {
    const Shape box = Box{{0.5f, 0.5f, 0.5f}};
    const Shape hull = prism(6, 0.5f, 0.5f);
    for (const Shape& a : {box, hull, Shape(Sphere{0.5f}), Shape(Capsule{0.3f, 0.5f}),
                           Shape(Cylinder{0.4f, 0.5f}), Shape(Cone{0.4f, 0.5f})}) {
        for (const Shape& b : {box, hull, Shape(Sphere{0.5f}), Shape(Capsule{0.3f, 0.5f}),
                               Shape(Cylinder{0.4f, 0.5f}), Shape(Cone{0.4f, 0.5f})}) {
            PairCache cache;
            const Manifold m = collide_convex(a, {}, b, {}, k_margin, cache); // coincident
            CHECK(m.count > 0);
            for (int i = 0; i < m.count; ++i) {
                CHECK(is_finite(m.points[i].point));
                CHECK(std::isfinite(m.points[i].separation));
                CHECK(m.points[i].separation < 0);
            }
            CHECK(std::abs(length(m.normal) - 1) < 1e-5f);
            PairCache fresh;
            CHECK(collide_convex(a, {}, b, {{NAN, 0, 0}}, k_margin, fresh).count == 0);
            CHECK(collide_convex(a, {{0, INFINITY, 0}}, b, {}, k_margin, fresh).count == 0);
            // A sphere has no orientation to go wrong; nothing else can be placed.
            const Manifold askew =
                collide_convex(a, {}, b, {{0, 0.9f, 0}, {NAN, 0, 0, 0}}, k_margin, fresh);
            for (int i = 0; i < askew.count; ++i) {
                CHECK(is_finite(askew.points[i].point));
                CHECK(is_finite(askew.normal));
            }
        }
    }
    // A triangle without area.
    PairCache cache;
    const std::array<Vec3, 3> needle{Vec3(-1, 0.4f, 0), Vec3(0, 0.4f, 0), Vec3(1, 0.4f, 0)};
    const Manifold m = collide_convex(box, {}, needle, k_margin, cache);
    CHECK(m.count > 0);
    for (int i = 0; i < m.count; ++i) CHECK(is_finite(m.points[i].point));
}
