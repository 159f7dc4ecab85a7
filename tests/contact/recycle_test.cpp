// Manifolds carried along with small motions, against new ones.
#include "fovea/contact/recycle.h"
#include "tests/contact/manifold_checks.h"

using namespace fovea;
using namespace fovea::test;

namespace {

constexpr RecycleLimits k_limits{};

/// Two boxes of about a metre, one resting on the other.
PlacedPair resting(Random& random) {
    PlacedPair p{Box{{0.5f, 0.5f, 0.5f}}, Box{{0.4f, 0.5f, 0.6f}}, {}, {}};
    const Quat whole = random_rotation(random);
    const Vec3 offset(float(random.uniform(-0.4, 0.4)), float(random.uniform(0.99, 1.01)),
                      float(random.uniform(-0.4, 0.4)));
    p.at_a = {Vec3(random.direction() * 3.0), whole};
    const Quat turn(from_axis_angle(Vec3d(0, 1, 0), random.uniform(-3, 3)));
    p.at_b = {p.at_a * offset, whole * random_tilt(random, random.uniform(0, 0.005)) * turn};
    return p;
}

float deepest(const WorldManifold& m) {
    float least = m.points[0].separation;
    for (int i = 1; i < m.count; ++i) least = std::min(least, m.points[i].separation);
    return least;
}

float largest_height_difference(const WorldManifold& kept, const Transform& at_a,
                                const PlacedPair& p) {
    float worst = 0;
    for (int i = 0; i < kept.count; ++i) {
        const WorldPoint& point = kept.points[i];
        const Vec3 midway = at_a.position + point.anchor_a;
        const Vec3 half = kept.normal * (0.5f * point.separation);
        worst = std::max({worst, std::abs(distance_to(p.a, p.at_a, midway - half)),
                          std::abs(distance_to(p.b, p.at_b, midway + half))});
    }
    return worst;
}

} // namespace

TEST_CASE("a manifold in world space has the same place from both bodies") {
    Random random(1);
    for (int trial = 0; trial < 1000; ++trial) {
        const PlacedPair p = resting(random);
        PairCache cache;
        const Manifold m = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache);
        const WorldManifold world = to_world(m, p.at_a, p.at_b);
        REQUIRE(world.count == m.count);
        CHECK(length(world.normal - world_normal(m, p.at_a)) < 1e-5f);
        for (int i = 0; i < m.count; ++i) {
            const Vec3 expected = p.at_a * m.points[i].point;
            CHECK(length(p.at_a.position + world.points[i].anchor_a - expected) < 1e-5f);
            CHECK(length(p.at_b.position + world.points[i].anchor_b - expected) < 1e-5f);
            CHECK(world.points[i].separation == m.points[i].separation);
            CHECK(world.points[i].feature == m.points[i].feature);
        }
        // Recycled where it was made, it is the same but for rounding.
        WorldManifold again;
        REQUIRE(recycle(m, cache, p.at_a, p.at_b, k_limits, again));
        for (int i = 0; i < m.count; ++i) {
            CHECK(length(again.points[i].anchor_a - world.points[i].anchor_a) < 2e-6f);
            CHECK(std::abs(again.points[i].separation - world.points[i].separation) < 2e-6f);
        }
    }
}

TEST_CASE("a recycled manifold is within a millimetre of a new one") {
    Random random(2);
    int recycled = 0, refused = 0;
    float worst_depth = 0, worst_place = 0, worst_normal = 0;
    double sum_of_depths = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        CAPTURE(trial);
        PlacedPair p = resting(random);
        PairCache cache;
        const Manifold m = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache);
        if (m.count == 0) continue;
        // Both bodies move together, and against each other up to twice the limit.
        const Transform together{Vec3(random.direction()), random_rotation(random)};
        p.at_b.position += Vec3(random.direction() * random.uniform(0, 2 * k_limits.distance));
        p.at_b.orientation =
            normalized(random_tilt(random, random.uniform(0, 0.003)) * p.at_b.orientation);
        p.at_a = together * p.at_a;
        p.at_b = together * p.at_b;
        WorldManifold kept;
        if (!recycle(m, cache, p.at_a, p.at_b, k_limits, kept)) {
            ++refused;
            continue;
        }
        ++recycled;
        PairCache fresh_cache = cache;
        const Manifold fresh = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, fresh_cache);
        if (fresh.count == 0) {
            CHECK(deepest(kept) > k_margin - 0.001f);
            continue;
        }
        const float depth = std::abs(deepest(kept) - deepest(fresh));
        const float place = largest_height_difference(kept, p.at_a, p);
        const float normal = length(kept.normal - world_normal(fresh, p.at_a));
        worst_depth = std::max(worst_depth, depth);
        sum_of_depths += depth;
        worst_place = std::max(worst_place, place);
        worst_normal = std::max(worst_normal, normal);
        CHECK(depth < 0.001f);
        CHECK(place < 0.001f);
    }
    MESSAGE(recycled, " recycled, ", refused, " refused; depth off by ", worst_depth, " m (mean ",
            sum_of_depths / recycled, "), points off the surfaces by ", worst_place,
            " m, normal by ", worst_normal);
    // Without the new distance along the normal the mean would be a third of the limit.
    CHECK(sum_of_depths / recycled < 0.1 * k_limits.distance);
    CHECK(recycled > 3000);
    CHECK(refused > 3000);
}

TEST_CASE("pairs that moved or hold nothing are not recycled") {
    const Shape box = Box{{0.5f, 0.5f, 0.5f}};
    PairCache cache;
    WorldManifold world;
    CHECK_FALSE(recycle(Manifold{}, cache, {}, {}, k_limits, world));
    const Transform above{{0, 0.99f, 0}};
    const Manifold m = collide_convex(box, {}, box, above, k_margin, cache);
    REQUIRE(m.count == 4);
    CHECK(recycle(m, cache, {}, above, k_limits, world));
    CHECK_FALSE(recycle(m, cache, {}, {{0.0011f, 0.99f, 0}}, k_limits, world));
    const Quat turned(from_axis_angle(Vec3d(0, 1, 0), 0.011));
    CHECK_FALSE(recycle(m, cache, {}, {{0, 0.99f, 0}, turned}, {1, 0.01f}, world));
    // Far apart: the axis in the cache is no manifold.
    collide_convex(box, {}, box, {{0, 3, 0}}, k_margin, cache);
    CHECK_FALSE(recycle(m, cache, {}, {{0, 3, 0}}, k_limits, world));
}
