// A height field against the mesh of the same triangles: every answer is the same, to the bit.
#include <doctest/doctest.h>

#include <algorithm>

#include "fovea/collide/shape_impact.h"
#include "fovea/collide/shape_query.h"
#include "fovea/collide/swept_box.h"
#include "fovea/collide/triangle_surface.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/shape_bounds.h"
#include "tests/collide/bumpy_field.h"

using namespace fovea;
using namespace fovea::test;

namespace {

#ifdef FOVEA_SANITIZED
constexpr int k_requests = 300; ///< sanitizers are slow
#else
constexpr int k_requests = 3000;
#endif

Quat random_turn(Random& random) {
    return Quat(normalized(
        Quatd(random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian() + 1e-3)));
}

/// The same ground twice, somewhere, turned in every second round.
struct Twins {
    CollisionShape heights, mesh;
    Transform at;

    explicit Twins(std::uint64_t seed) {
        Random random(seed);
        const auto bump = float(random.uniform(0, 1));
        const HeightField field =
            bumpy_field(seed, 2 + random.below(40), 2 + random.below(40), 0.3f, bump);
        heights = *make_collision_shape(as_heights(field));
        mesh = *make_collision_shape(as_mesh(field));
        at = {Vec3(random.direction() * 20), seed % 2 ? Quat() : random_turn(random)};
    }

    /// A place on the ground or near it.
    Vec3 place(Random& random, double rim) const {
        const Vec3 low = heights.extent.low, high = heights.extent.high;
        return at * Vec3(float(random.uniform(low.x - rim, high.x + rim)),
                         float(random.uniform(low.y - rim, high.y + rim)),
                         float(random.uniform(low.z - rim, high.z + rim)));
    }
};

std::vector<CollisionShape> movers() {
    Random random(5);
    std::vector<Vec3> points;
    for (int i = 0; i < 12; ++i) points.emplace_back(random.direction() * 0.4);
    const Shape hull = Hull{std::make_shared<const ConvexHull>(make_convex_hull(points).value())};
    Compound compound;
    for (const Shape& s : {Shape(Box{{0.1f, 0.3f, 0.2f}}), Shape(Capsule{0.1f, 0.2f}), hull})
        compound.parts.push_back(
            {s, Transform(Vec3(random.direction() * 0.4), random_turn(random))});
    std::vector<CollisionShape> made;
    for (const Shape& s :
         {Shape(Sphere{0.3f}), Shape(Box{{0.3f, 0.2f, 0.4f}}), Shape(Capsule{0.15f, 0.3f}),
          Shape(Cylinder{0.2f, 0.3f}), Shape(Cone{0.3f, 0.3f}), hull,
          Shape(CompoundShape{std::make_shared<const Compound>(compound)})})
        made.push_back(*make_collision_shape(s));
    return made;
}

bool same(const std::optional<PartHit>& a, const std::optional<PartHit>& b) {
    if (!a || !b) return a.has_value() == b.has_value();
    return a->part == b->part && a->measure == b->measure && a->point == b->point &&
           a->normal == b->normal && a->inside == b->inside;
}

} // namespace

TEST_CASE("rays, casts, overlaps and closest points on a height field are those on its mesh") {
    const std::vector<CollisionShape> shapes = movers();
    int hits[5] = {};
    for (int i = 0; i < k_requests; ++i) {
        CAPTURE(i);
        const Twins twins(std::uint64_t(i / 30));
        Random random(std::uint64_t(i) + 1000);
        const Vec3 from = twins.place(random, 2);
        const Vec3 way = random.below(3) ? twins.place(random, 2) - from
                                         : Vec3(random.direction() * random.uniform(0.1, 30));
        const CollisionShape& shape = shapes[random.below(7)];
        const Transform start{from, random_turn(random)};
        const auto limit = float(random.below(2) ? 1 : random.uniform());
        const auto on = [&](const CollisionShape& ground) {
            return std::array{cast_ray(Ray{from, way}, limit, ground, twins.at),
                              cast_shape(shapes[0], Transform(from), way, limit, ground, twins.at),
                              cast_shape(shape, start, way, limit, ground, twins.at),
                              deepest_overlap(shape, start, ground, twins.at),
                              closest_point(from, 5 * limit, ground, twins.at)};
        };
        const auto expected = on(twins.mesh), found = on(twins.heights);
        for (std::size_t kind = 0; kind < 5; ++kind) {
            CAPTURE(kind);
            CHECK(same(found[kind], expected[kind]));
            hits[kind] += found[kind].has_value();
        }
    }
    for (const int count : hits) CHECK(count > k_requests / 20); // not all in the air
}

TEST_CASE("meetings and impacts with a height field are those with its mesh") {
    const std::vector<CollisionShape> shapes = movers();
    std::size_t meetings = 0;
    int impacts = 0;
    for (int i = 0; i < k_requests; ++i) {
        CAPTURE(i);
        const Twins twins(std::uint64_t(i / 30));
        Random random(std::uint64_t(i) + 2000);
        const CollisionShape& shape = shapes[random.below(7)];
        const Transform start{twins.place(random, 0.3), random_turn(random)};
        // Meetings come in an order of each surface's own.
        const auto by_feature = [](const PartMeeting& a, const PartMeeting& b) {
            return a.feature < b.feature;
        };
        std::vector<PartMeeting> expected, found;
        if (random.below(2)) {
            find_contacts(shape, start, twins.mesh, twins.at, expected);
            find_contacts(shape, start, twins.heights, twins.at, found);
        } else {
            find_contacts(twins.mesh, twins.at, shape, start, expected);
            find_contacts(twins.heights, twins.at, shape, start, found);
        }
        std::sort(expected.begin(), expected.end(), by_feature);
        std::sort(found.begin(), found.end(), by_feature);
        REQUIRE(found.size() == expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
            CHECK(found[k].feature == expected[k].feature);
            CHECK(found[k].proximity.separation == expected[k].proximity.separation);
            CHECK(found[k].proximity.normal == expected[k].proximity.normal);
        }
        meetings += found.size();

        const Motion motion{Transform(twins.place(random, 2), random_turn(random)),
                            {},
                            Vec3(random.direction() * 100),
                            Vec3(random.direction() * 5)};
        const Motion still{twins.at, {}, {}, {}};
        const ShapeImpact a = time_of_impact(shape, motion, twins.heights, still, 0.05f);
        const ShapeImpact b = time_of_impact(shape, motion, twins.mesh, still, 0.05f);
        CHECK(a.impact.outcome == b.impact.outcome);
        CHECK(a.impact.time == b.impact.time);
        CHECK(a.part_a == b.part_a);
        CHECK(a.part_b == b.part_b);
        impacts += a.impact.stops();
    }
    CHECK(meetings > std::size_t(k_requests));
    CHECK(impacts > k_requests / 20);
}

TEST_CASE("a height field needs no tree and no table of neighbours") {
    const CollisionShape shape = *make_collision_shape(as_heights(bumpy_field(1, 50, 30, 1, 1)));
    CHECK(shape.parts == nullptr);
    CHECK(shape.neighbours == nullptr);
    CHECK(shape.extent == bounds(shape.shape, Transform()));
}

TEST_CASE("a search of a wide height field looks at few cells") {
    const CollisionShape shape =
        *make_collision_shape(as_heights(bumpy_field(1, 1025, 1025, 1, 0.1f)));
    const TriangleSurface surface(shape);
    // Down through one cell: ten halvings along each side, and the neighbours at each.
    {
        const SweptBoxd ray(Vec3d(300.3, 5, 700.4), Vec3d(0, -10, 0));
        int boxes = 0, triangles = 0;
        surface.search(
            ray.origin, [&](const Aabb& box) { return ++boxes, ray.meets(box, 1); },
            [&](std::uint32_t, const std::array<Vec3, 3>&) { ++triangles; });
        CHECK(triangles == 2);
        CHECK(boxes < 60);
    }
    // Along all of the field, but stopped by the first hit: the cells at its start come first,
    // whichever way it goes.
    for (const double sense : {-1.0, 1.0}) {
        const SweptBoxd ray(Vec3d(512 - sense * 600, 0, 512.3 + sense), Vec3d(sense * 1200, 0, 0));
        int boxes = 0;
        float limit = 1;
        surface.search(
            ray.origin, [&](const Aabb& box) { return ++boxes, ray.meets(box, limit); },
            [&](std::uint32_t, const std::array<Vec3, 3>& t) {
                limit = std::min(limit, float(sense * (t[0].x - ray.origin.x) / 1200));
            });
        CHECK(limit < 0.1f);
        CHECK(boxes < 100);
    }
    // The point nearest to one far above its middle.
    {
        const Aabb at{{400, 3, 200}, {400, 3, 200}};
        int boxes = 0;
        float limit = 1000;
        surface.search(
            Vec3d(at.low),
            [&](const Aabb& box) { return ++boxes, overlap(box, expanded(at, limit)); },
            [&](std::uint32_t, const std::array<Vec3, 3>& t) {
                limit = std::min(limit, length(t[0] - at.low));
            });
        CHECK(limit < 4);
        CHECK(boxes < 400);
    }
}
