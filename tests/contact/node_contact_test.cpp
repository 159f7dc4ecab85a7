// Contacts of single nodes and the five reductions, against closed forms.
#include <doctest/doctest.h>

#include "fovea/base/random.h"
#include "fovea/contact/contact_reduction.h"
#include "fovea/contact/node_contact.h"
#include "fovea/contact/triangle_contacts.h"

using namespace fovea;

namespace {

constexpr PointFormula k_formulas[] = {PointFormula::ratio, PointFormula::plane,
                                       PointFormula::middle};
constexpr Reduction k_reductions[] = {Reduction::deepest, Reduction::average, Reduction::grouped,
                                      Reduction::gradient, Reduction::probability};

float along(float radius_a, float radius_b, float d, PointFormula formula) {
    return sphere_contact({0, 0, 0}, radius_a, {d, 0, 0}, radius_b, formula, {0, 1, 0}).point.x;
}

ContactHit hit(const Vec3& point, const Vec3& normal, float closeness, float weight = 1,
               std::uint32_t patch = 0) {
    return {point, normal, -closeness, closeness, weight, patch, std::uint32_t(closeness * 1000)};
}

PairManifolds reduced(std::span<const ContactHit> hits, const ReductionSettings& settings) {
    PairManifolds manifolds;
    ContactReducer reducer;
    reducer.reduce(hits, settings, manifolds);
    return manifolds;
}

} // namespace

TEST_CASE("the three points of two spheres, as published") {
    // Radii 2 and 1 at distance 2 (graceful degradation, section 4).
    CHECK(along(2, 1, 2, PointFormula::ratio) == doctest::Approx(4.0 / 3));
    CHECK(along(2, 1, 2, PointFormula::plane) == doctest::Approx(1.75));
    CHECK(along(2, 1, 2, PointFormula::middle) == doctest::Approx(1.5));
    for (const PointFormula formula : k_formulas) {
        CHECK(along(2, 1, 3, formula) == doctest::Approx(2)); // they touch
        CHECK(along(0.5f, 0.5f, 0.8f, formula) == doctest::Approx(0.4));
    }
    // One inside the other: the middle of the smaller.
    CHECK(along(2, 0.5f, 1, PointFormula::middle) == doctest::Approx(1));
}

TEST_CASE("closeness is 0 where spheres touch, 1 where one holds the other, and never more") {
    const auto closeness = [](float d) {
        return sphere_contact({}, 2, {d, 0, 0}, 1, PointFormula::ratio, {0, 1, 0}).closeness;
    };
    CHECK(closeness(3) == doctest::Approx(0));
    CHECK(closeness(2) == doctest::Approx(0.5));
    CHECK(closeness(1) == doctest::Approx(1));
    CHECK(closeness(0.2f) == 1);
    CHECK(closeness(0) == 1);
}

TEST_CASE("coincident centres take the fallback and stay finite") {
    const Vec3 fallback(0, 0, -1);
    for (const PointFormula formula : k_formulas) {
        for (const Vec3 centre : {Vec3(1, 2, 3), Vec3(1, 2, 3 + 1e-7f)}) {
            const NodeContact c = sphere_contact({1, 2, 3}, 1, centre, 0.5f, formula, fallback);
            CHECK(c.normal == fallback);
            CHECK(is_finite(c.point));
            CHECK(c.depth == doctest::Approx(1.5));
        }
        const NodeVolumed cube{VolumeType::cube, {1, 2, 3}, {0.2, 0, 0}, {0, 0.2, 0}, 0};
        const NodeVolumed capsule{VolumeType::segment, {1, 2, 3}, {0.5, 0, 0}, {}, 0.1};
        CHECK(volume_contact(cube, cube, formula, fallback).normal == fallback);
        const NodeContact crossing = volume_contact(capsule, capsule, formula, fallback);
        CHECK(is_finite(crossing.point));
        CHECK(length(crossing.normal) == doctest::Approx(1));
    }
}

TEST_CASE("volumes of any type: unit normals from A to B, depth along them parts the cores") {
    Random random(5);
    for (int i = 0; i < 2000; ++i) {
        const auto volume = [&] {
            NodeVolumed v;
            v.type = VolumeType(random.below(3));
            v.centre = random.direction() * random.uniform(0, 1);
            const Vec3d u = random.direction();
            if (v.type != VolumeType::point) v.u = u * random.uniform(0.1, 0.5);
            if (v.type == VolumeType::rectangle) v.v = perpendicular(u) * random.uniform(0.1, 0.5);
            v.radius = random.uniform(0.05, 0.3);
            return v;
        };
        const NodeVolumed a = volume(), b = volume();
        for (const PointFormula formula : k_formulas) {
            const NodeContact c = volume_contact(a, b, formula, {0, 1, 0});
            REQUIRE(length(c.normal) == doctest::Approx(1));
            // Moved apart by the depth, and by nothing less, they only just touch.
            for (const double share : {0.99, 1.01}) {
                NodeVolumed moved = b;
                moved.centre += Vec3d(c.normal) * (double(c.depth) * share);
                const double gap = volume_contact(a, moved, PointFormula::ratio, {0, 1, 0}).depth;
                if (c.depth > 0.01 && share > 1) CHECK(gap < 1e-5);
                if (c.depth > 0.01 && share < 1 && a.type == VolumeType::point &&
                    b.type == VolumeType::point)
                    CHECK(gap > 0);
            }
            if (formula == PointFormula::ratio && c.depth > 0 && c.depth < a.radius + b.radius) {
                CHECK(core_distance(a, Vec3d(c.point)) <= a.radius + 1e-5);
                CHECK(core_distance(b, Vec3d(c.point)) <= b.radius + 1e-5);
            }
        }
    }
}

TEST_CASE("volumes on a plane") {
    const NodeVolumed ball{VolumeType::point, {0, 0.3, 0}, {}, {}, 0.5};
    const NodeContact c = plane_contact(ball, {0, 1, 0}, 0);
    CHECK(c.normal == Vec3(0, -1, 0));
    CHECK(c.depth == doctest::Approx(0.2));
    CHECK(c.point.y == doctest::Approx(-0.1)); // midway between -0.2 and 0
    CHECK(c.closeness == doctest::Approx(0.2));
    const NodeVolumed cube{VolumeType::cube, {0, 1, 0}, {0.6, 0.8, 0}, {-0.8, 0.6, 0}, 0};
    CHECK(plane_contact(cube, {0, 1, 0}, 0).depth == doctest::Approx(0.4)); // corner at -0.4
}

TEST_CASE("a flat contact has its normal after every reduction, and points that span it") {
    std::vector<ContactHit> hits;
    for (int x = 0; x < 8; ++x)
        for (int z = 0; z < 8; ++z)
            hits.push_back(
                hit({float(x) * 0.1f, 0, float(z) * 0.1f}, {0, 1, 0}, 0.2f + 0.001f * float(x)));
    for (const Reduction reduction : k_reductions) {
        const PairManifolds four = reduced(hits, {reduction, 4, 4});
        REQUIRE(four.size() == 1);
        CHECK(four[0].normal == Vec3(0, 1, 0));
        if (reduction == Reduction::deepest) {
            CHECK(four[0].count == 1);
            CHECK(four[0].points[0].point.x == doctest::Approx(0.7));
            continue;
        }
        CHECK(four[0].count == 4);
        Vec3 low(1, 1, 1), high;
        for (int i = 0; i < 4; ++i) {
            low = min(low, four[0].points[i].point);
            high = max(high, four[0].points[i].point);
        }
        CHECK(high.x - low.x == doctest::Approx(0.7));
        CHECK(high.z - low.z == doctest::Approx(0.7));
        const PairManifolds one = reduced(hits, {reduction, 1, 4});
        REQUIRE(one[0].count == 1);
        CHECK(one[0].points[0].point.x == doctest::Approx(0.35));
        CHECK(one[0].points[0].point.z == doctest::Approx(0.35));
        CHECK(one[0].points[0].separation == doctest::Approx(-0.207));
    }
}

TEST_CASE("a concave contact keeps both directions; averaging them away is refused") {
    std::vector<ContactHit> hits;
    for (int i = 0; i < 10; ++i) {
        hits.push_back(hit({float(i), 0, 0}, {0, 1, 0}, 0.1f, 1, 1));
        hits.push_back(hit({0, float(i), 0}, {0, -1, 0}, 0.05f, 1, 2));
    }
    for (const Reduction reduction :
         {Reduction::average, Reduction::grouped, Reduction::probability}) {
        const PairManifolds found = reduced(hits, {reduction, 4, 4});
        REQUIRE(found.size() == 2);
        CHECK(found[0].normal == Vec3(0, 1, 0)); // the closer first
        CHECK(found[1].normal == Vec3(0, -1, 0));
        CHECK(reduced(hits, {reduction, 4, 1}).size() == 1);
    }
    // At right angles the mean still is a direction: average merges, grouping does not.
    for (ContactHit& h : hits)
        if (h.patch == 2) h.normal = {1, 0, 0};
    CHECK(reduced(hits, {Reduction::average, 4, 4}).size() == 1);
    CHECK(reduced(hits, {Reduction::grouped, 4, 4}).size() == 2);
}

TEST_CASE("patches whose normals do not agree leave room for what their hits say apart") {
    // As many patches as there are clusters, each seen from both sides: nothing agrees in any.
    for (std::uint32_t patches = 1; patches < 20; ++patches) {
        std::vector<ContactHit> hits;
        for (std::uint32_t i = 0; i < patches; ++i) {
            hits.push_back(hit({float(i), 0, 0}, {0, 1, 0}, 0.1f, 1, i));
            hits.push_back(hit({float(i), 0, 0}, {0, -1, 0}, 0.1f, 1, i));
        }
        CHECK(reduced(hits, {Reduction::grouped, 4, 4}).size() == 2);
        CHECK(reduced(hits, {Reduction::probability, 4, 4}).size() == 2);
    }
}

TEST_CASE("weights decide") {
    const ContactHit hits[] = {hit({0, 0, 0}, {0, 1, 0}, 0.1f, 3),
                               hit({4, 0, 0}, {1, 0, 0}, 0.1f, 1)};
    const PairManifolds found = reduced(hits, {Reduction::probability, 1, 4});
    REQUIRE(found.size() == 1);
    CHECK(found[0].points[0].point.x == doctest::Approx(1));
    CHECK(found[0].normal.y == doctest::Approx(3 / std::sqrt(10.0)));
}

TEST_CASE("more directions than there is room for: the closest are kept, nothing breaks") {
    Random random(6);
    std::vector<ContactHit> hits;
    for (int i = 0; i < 500; ++i)
        hits.push_back(hit(Vec3(random.direction()), Vec3(random.direction()),
                           float(random.uniform()), float(random.uniform()), std::uint32_t(i)));
    hits[77].closeness = 1;
    for (const Reduction reduction : k_reductions) {
        const PairManifolds found = reduced(hits, {reduction, 4, 4});
        CHECK(found.size() >= 1);
        CHECK(found.size() <= 4);
        for (const Manifold& m : found) CHECK(length(m.normal) == doctest::Approx(1));
    }
    CHECK(dot(reduced(hits, {Reduction::grouped, 4, 4})[0].normal, hits[77].normal) > 0.5f);
}

TEST_CASE("a tip that pokes into a face is parted along the face's normal") {
    // A face of A facing up, and a four-sided tip of B that reaches 0.1 below it.
    const TriangleCorners face = {Vec3(-5, 0, -5), Vec3(0, 0, 5), Vec3(5, 0, -5)};
    const Vec3 tip(0.1f, -0.1f, 0);
    const Vec3 base[] = {{1, 1, 1}, {1, 1, -1}, {-1, 1, -1}, {-1, 1, 1}};
    std::vector<ContactHit> hits;
    for (std::uint32_t i = 0; i < 4; ++i)
        add_triangle_contact(face, {tip, base[(i + 1) % 4], base[i]}, i, 0, hits);
    REQUIRE(hits.size() == 4);
    const PairManifolds found = reduced(hits, {Reduction::average, 4, 4});
    REQUIRE(found.size() == 1);
    CHECK(found[0].normal.y > 0.995f); // the tip leans by 0.1 over 1.1
    float deepest = 0;
    for (int i = 0; i < found[0].count; ++i)
        deepest = std::min(deepest, found[0].points[i].separation);
    CHECK(deepest == doctest::Approx(-0.1).epsilon(0.2));
    // A triangle 0.05 above, within the margin and not.
    hits.clear();
    const TriangleCorners above = {Vec3(0, 0.05f, 0), Vec3(0, 1, 1), Vec3(0, 1, -1)};
    add_triangle_contact(face, above, 0, 0.01f, hits);
    CHECK(hits.empty());
    add_triangle_contact(face, above, 0, 0.1f, hits);
    REQUIRE(hits.size() == 1);
    CHECK(hits[0].separation == doctest::Approx(0.05));
    CHECK(hits[0].normal.y == doctest::Approx(1));
}
