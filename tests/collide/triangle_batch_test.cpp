// Which of many pairs of triangles are near each other, against their distances one by one.
#include <doctest/doctest.h>

#include "fovea/base/random.h"
#include "fovea/collide/triangle_batch.h"
#include "fovea/geometry/triangle_distance.h"

using namespace fovea;

namespace {

std::array<Vec3d, 3> wide(const TriangleCorners& t) {
    return {Vec3d(t[0]), Vec3d(t[1]), Vec3d(t[2])};
}

double feature_gap(const TriangleCorners& a, const TriangleCorners& b) {
    return triangle_feature_gap(wide(a), wide(b)).distance;
}

/// General ones; on a coarse lattice, where edges are parallel, triangles segments and points;
/// slender ones.
TriangleCorners some_triangle(Random& random, int kind) {
    TriangleCorners t;
    for (Vec3& p : t) {
        p = Vec3(random.direction());
        if (kind == 1)
            p = Vec3(float(random.below(3)), float(random.below(3)), float(random.below(3)));
        if (kind == 2) p.y *= 1e-3f, p.z *= 1e-2f;
    }
    return t;
}

bool bit(std::uint32_t bits, std::uint32_t number) {
    return (bits >> number & 1) != 0;
}

TriangleCorners moved(TriangleCorners t, const Vec3& by) {
    for (Vec3& p : t) p += by;
    return t;
}

} // namespace

TEST_CASE("batches find the pairs of triangles that are near") {
    Random random(3);
    // Coordinates of about 2 are rounded by 1e-7; along slender edges that are almost parallel the
    // nearest points move by some of their width.
    const double rounding = 1e-5;
    int near = 0, beyond = 0, all = 0;
    for (int round = 0; round < 4000; ++round) {
        TriangleBatch batch;
        const std::uint32_t size = 1 + random.below(TriangleBatch::k_capacity);
        std::array<double, TriangleBatch::k_capacity> gaps{};
        for (std::uint32_t i = 0; i < size; ++i) {
            const int kind = int(random.below(3));
            const TriangleCorners a = some_triangle(random, kind);
            const TriangleCorners b = moved(some_triangle(random, int(random.below(3))),
                                            Vec3(random.direction() * random.uniform(0, 2)));
            gaps[i] = feature_gap(a, b);
            batch.add(a, b, i, 0);
        }
        const double limit = random.uniform(0.01f, 1);
        const std::uint32_t planes = batch.between_planes(float(limit)),
                            within = batch.within(float(limit));
        const std::uint64_t none = std::uint64_t(planes | within) >> size;
        CHECK(none == 0);
        for (std::uint32_t i = 0; i < size; ++i) {
            INFO("gap ", gaps[i], ", limit ", limit);
            if (gaps[i] < limit - rounding) {
                CHECK(bit(within, i));
                CHECK(bit(planes, i));
            }
            if (gaps[i] > limit + rounding) CHECK_FALSE(bit(within, i));
            near += bit(within, i), beyond += !bit(planes, i), ++all;
        }
    }
    CHECK(near > all / 4);
    CHECK(near < all * 3 / 4);
    CHECK(beyond > all / 10);
}

TEST_CASE("a pair copied from one batch to another is the same pair") {
    Random random(4);
    TriangleBatch from, to;
    for (std::uint32_t i = 0; i < TriangleBatch::k_capacity; ++i)
        from.add(some_triangle(random, 0),
                 moved(some_triangle(random, 0), Vec3(random.direction())), i, 7);
    for (std::uint32_t i = 1; i < TriangleBatch::k_capacity; i += 2) to.add(from, i);
    REQUIRE(to.size() == TriangleBatch::k_capacity / 2);
    const std::uint32_t of_all = from.within(0.3f), of_odd = to.within(0.3f);
    for (std::uint32_t i = 0; i < to.size(); ++i) {
        CHECK(to.leaf_a(i) == 2 * i + 1);
        CHECK(to.leaf_b(i) == 7);
        CHECK(bit(of_odd, i) == bit(of_all, 2 * i + 1));
    }
    CHECK(of_odd != 0);
}
