// Contacts of whole pairs on every rung: the ladder experiment, resting on planes and surfaces,
// solids, steadiness.
#include <doctest/doctest.h>

#include <array>
#include <map>

#include "fovea/contact/collide_convex.h"
#include "fovea/contact/tree_contacts.h"
#include "fovea/geometry/triangle_distance.h"
#include "tests/collide/ladder_cases.h"
#include "tests/oracles/allocation_counter.h"

using namespace fovea;
using namespace fovea::test;

namespace {

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Two bodies on a line, seen on one rung.
class Approach {
  public:
    Approach(const LadderBody& a, const LadderBody& b, Random& random)
        : a_(a)
        , b_(b)
        , at_a_({}, random_turn(random))
        , direction_(random.direction())
        , at_b_({}, random_turn(random)) {}

    /// Climbs to the rung; true if the pair is in contact there.
    bool touches(int rung, double distance, float margin = 0) {
        arena_.reset();
        at_b_.position = Vec3(direction_ * distance);
        WorkMeter work;
        LadderDescent descent({a_.ladder, at_a_}, {b_.ladder, at_b_}, {.margin = margin}, scratch_);
        descent.open(work, arena_, pair);
        while (pair.rung < rung && !pair.finished) descent.advance(work, arena_, pair);
        return pair.count > 0;
    }

    /// Where, coming from `from`, the rung first reports a contact; negative if never.
    double first_contact(int rung, double from) {
        constexpr double k_step = 0.02;
        double outside = from, inside = from;
        while (inside > 0.1 && !touches(rung, inside)) outside = inside, inside -= k_step;
        if (inside <= 0.1) return -1;
        for (int i = 0; i < 12; ++i) {
            const double middle = 0.5 * (outside + inside);
            (touches(rung, middle) ? inside : outside) = middle;
        }
        return inside;
    }

    /// Unit vector between the nearest points of the surfaces, from A to B, in the frame of A;
    /// by all pairs of triangles that the exact rung finds within a margin.
    Vec3d nearest_direction(double distance) {
        if (!touches(100, distance, 0.01f)) return {};
        double least = 1;
        Vec3d direction;
        const Transformd pose = b_in_a(at_a_, at_b_);
        for (std::uint32_t i = 0; i < pair.count; ++i) {
            const TriangleGap gap =
                triangle_gap(corners(a_.mesh, pair.a[i]), corners_in(b_.mesh, pair.b[i], pose));
            if (gap.distance <= 0 || gap.distance >= least) continue;
            least = gap.distance;
            direction = (gap.on_b - gap.on_a) / gap.distance;
        }
        return direction;
    }

    PairManifolds contacts(const TreeContactSettings& settings) {
        PairManifolds manifolds;
        contacts_.model({a_.ladder, at_a_}, {b_.ladder, at_b_}, pair, settings, manifolds);
        return manifolds;
    }

    /// Hits that the last contacts were made of.
    std::size_t hits() const { return contacts_.hits().size(); }

    PairDescent pair;
    const Transform& at_a() const { return at_a_; }
    const Vec3d& line() const { return direction_; }

  private:
    const LadderBody &a_, &b_;
    Transform at_a_;
    Vec3d direction_;
    Transform at_b_;
    Arena arena_;
    DescentScratch scratch_;
    TreeContacts contacts_;
};

double angle_between(const Vec3& a, const Vec3d& b) {
    return std::acos(std::clamp(dot(Vec3d(a), b), -1.0, 1.0)) * 180 / 3.14159265358979;
}

} // namespace

TEST_CASE("depth on the exact rung is about how far the bodies were pushed together") {
    const LadderBody body =
        sphere_body("lshape", 3, SphereMethod::grid, 4, 8, Nesting::cover_share);
    Random random(7);
    std::vector<double> ratios;
    while (ratios.size() < 300) {
        Approach pair(body, body, random);
        const double exact = pair.first_contact(100, 1.6);
        if (exact < 0) continue;
        const Vec3d truth = pair.nearest_direction(exact + 0.0005);
        const Vec3d line = rotate_back(Quatd(pair.at_a().orientation), pair.line());
        if (dot(truth, line) < 0.5) continue;
        constexpr double k_push = 0.01;
        REQUIRE(pair.touches(100, exact - k_push));
        if (!pair.pair.exact) continue;
        double deepest = 0;
        for (const Manifold& m : pair.contacts({}))
            for (int i = 0; i < m.count; ++i)
                deepest = std::max(deepest, double(-m.points[i].separation));
        ratios.push_back(deepest / (k_push * dot(truth, line)));
    }
    MESSAGE("depth over push, median: ", median(ratios));
    // Right to a third in the median; the rest is for corners and edges, whose planes turn.
    CHECK(median(ratios) > 0.67);
    CHECK(median(ratios) < 1.5);
}

TEST_CASE("above the leaves contacts do not push, on the leaves they do") {
    const LadderBody body =
        sphere_body("lshape", 1, SphereMethod::grid, 3, 8, Nesting::cover_share);
    Random random(8);
    int leaves = 0;
    for (int i = 0; i < 50; ++i) {
        Approach pair(body, body, random);
        for (int rung = 0; rung <= 4; ++rung) {
            if (!pair.touches(rung, 0.5)) continue;
            for (const Manifold& m : pair.contacts({})) {
                for (int k = 0; k < m.count; ++k) {
                    if (pair.pair.rung < 4) CHECK(m.points[k].separation == 0);
                    if (pair.pair.rung == 4) leaves += m.points[k].separation < 0;
                }
            }
        }
    }
    CHECK(leaves > 50);
}

TEST_CASE("a flat foot on a plane: the plane's normal on every rung, four points on the finest") {
    const LadderBody body =
        sphere_body("lshape", 2, SphereMethod::grid, 4, 8, Nesting::cover_share);
    const LadderBody floor = solid_body("half-space", HalfSpace{{0, 1, 0}, 0});
    const Transform at({3, 0.499f, 2}); // half a metre high, one millimetre deep
    for (const bool plane_first : {false, true}) {
        const PlacedLadder l{body.ladder, at}, f{floor.ladder, {}};
        const PlacedLadder &a = plane_first ? f : l, &b = plane_first ? l : f;
        Arena arena;
        DescentScratch scratch;
        PairDescent pair;
        WorkMeter work;
        TreeContacts contacts;
        LadderDescent descent(a, b, {}, scratch);
        descent.open(work, arena, pair);
        for (;;) {
            for (const Reduction reduction : {Reduction::average, Reduction::grouped,
                                              Reduction::deepest, Reduction::probability}) {
                PairManifolds found;
                TreeContactSettings settings;
                settings.reduce.reduction = reduction;
                contacts.model(a, b, pair, settings, found);
                REQUIRE(found.size() >= 1);
                for (const Manifold& m : found)
                    CHECK(dot(m.normal, Vec3(0, plane_first ? 1 : -1, 0)) > 0.9999f);
            }
            if (pair.finished) break;
            descent.advance(work, arena, pair);
        }
        REQUIRE(pair.exact);
        PairManifolds found;
        contacts.model(a, b, pair, {}, found);
        REQUIRE(found.size() == 1);
        REQUIRE(found[0].count == 4);
        Vec3 low(9, 9, 9), high(-9, -9, -9);
        for (int i = 0; i < 4; ++i) {
            CHECK(found[0].points[i].separation == doctest::Approx(-0.001).epsilon(0.01));
            low = min(low, found[0].points[i].point);
            high = max(high, found[0].points[i].point);
        }
        CHECK(high.x - low.x == doctest::Approx(1)); // the whole foot
        CHECK(high.z - low.z == doctest::Approx(0.3));
    }
}

TEST_CASE("on a fixed surface nodes push along its normal from the floor of the ladder on") {
    // A field of ten by ten metres, flat, in 800 triangles.
    LadderBody field{"field", {}, {}, false};
    for (int z = 0; z <= 20; ++z)
        for (int x = 0; x <= 20; ++x)
            field.mesh.vertices.push_back({float(x) * 0.5f - 5, 0, float(z) * 0.5f - 5});
    for (std::uint32_t z = 0; z < 20; ++z)
        for (std::uint32_t x = 0; x < 20; ++x) {
            const std::uint32_t i = z * 21 + x;
            field.mesh.triangles.push_back({i, i + 21, i + 1});
            field.mesh.triangles.push_back({i + 1, i + 21, i + 22});
        }
    field.ladder = *make_surface_ladder(field.mesh);
    const LadderBody body =
        sphere_body("lshape", 1, SphereMethod::grid, 3, 8, Nesting::cover_share);
    Random random(9);
    for (int i = 0; i < 60; ++i) {
        const Transform at(Vec3(float(random.uniform(-3, 3)), 0.3f, float(random.uniform(-3, 3))),
                           random_turn(random));
        // Bodies that are mostly through are pushed on.
        if ((at * body.ladder.ball(k_root_slot).centre).y < 0.05f) continue;
        Arena arena;
        DescentScratch scratch;
        PairDescent pair;
        WorkMeter work;
        TreeContacts contacts;
        const PlacedLadder a{body.ladder, at}, b{field.ladder, {}};
        LadderDescent descent(a, b, {}, scratch);
        descent.open(work, arena, pair);
        REQUIRE(pair.count > 0);
        for (;;) {
            PairManifolds found;
            contacts.model(a, b, pair, {}, found);
            if (!pair.exact) {
                REQUIRE(found.size() >= 1);
                CHECK(rotate(at.orientation, found[0].normal).y < -0.999f);
            }
            if (pair.finished) break;
            descent.advance(work, arena, pair);
        }
    }
}

TEST_CASE("solids on the exact rung have the manifolds of the ordinary narrow phase") {
    const Shape box = Box{{0.5f, 0.2f, 0.3f}};
    const LadderBody a = solid_body("box", box), b = solid_body("box", box);
    const Transform at_a({1, 2, 3}, normalized(Quat(1, 0.2f, 0, 0))),
        at_b = at_a * Transform({0.1f, 0.395f, 0});
    Arena arena;
    DescentScratch scratch;
    PairDescent pair;
    WorkMeter work;
    TreeContacts contacts;
    LadderDescent descent({a.ladder, at_a}, {b.ladder, at_b}, {}, scratch);
    descent.open(work, arena, pair);
    descent.finish(work, arena, pair);
    REQUIRE(pair.exact);
    PairManifolds found;
    contacts.model({a.ladder, at_a}, {b.ladder, at_b}, pair, {}, found);
    REQUIRE(found.size() == 1);
    PairCache cache;
    const Manifold plain = collide_convex(box, at_a, box, at_b, 0, cache);
    CHECK(found[0].count == plain.count);
    CHECK(length(found[0].normal - plain.normal) < 1e-5f);
    CHECK(found[0].points[0].separation == doctest::Approx(plain.points[0].separation));
}

TEST_CASE("a solid on a mesh body: the surface's manifolds from either side") {
    const LadderBody mesh =
        sphere_body("lshape", 1, SphereMethod::grid, 3, 8, Nesting::cover_share);
    const LadderBody box = solid_body("box", Box{{0.1f, 0.1f, 0.1f}});
    // On the foot of the L, whose top is 0.3 above its sole.
    const Transform at_box({0.3f, -0.5f + 0.3f + 0.099f, 0});
    for (const bool mesh_first : {true, false}) {
        const PlacedLadder m{mesh.ladder, {}}, s{box.ladder, at_box};
        const PlacedLadder &a = mesh_first ? m : s, &b = mesh_first ? s : m;
        Arena arena;
        DescentScratch scratch;
        PairDescent pair;
        WorkMeter work;
        TreeContacts contacts;
        LadderDescent descent(a, b, {}, scratch);
        descent.open(work, arena, pair);
        descent.finish(work, arena, pair);
        REQUIRE(pair.exact);
        PairManifolds found;
        contacts.model(a, b, pair, {}, found);
        REQUIRE(found.size() == 1);
        CHECK(found[0].normal.y == doctest::Approx(mesh_first ? 1 : -1));
        CHECK(found[0].count == 4);
        CHECK(found[0].points[0].separation == doctest::Approx(-0.001).epsilon(0.02));
    }
}

TEST_CASE("a point for the impulse response: from A's deepest point to B's along the normal") {
    Manifold manifold;
    manifold.normal = {0, 0, 1};
    manifold.count = 1;
    manifold.points[0] = {{1, 2, 3}, -0.2f, 7};
    const Transform at({10, 0, 0}, from_axis_angle(Vec3(1, 0, 0), 1.57079633f)); // z goes to -y
    const Contact c = world_contact(manifold, 0, at, 4, 9);
    CHECK(length(c.normal - Vec3(0, -1, 0)) < 1e-6f);
    CHECK(dot(c.normal, c.point_b - c.point_a) == doctest::Approx(c.separation));
    CHECK(length(c.point() - Vec3(11, -3, 2)) < 1e-5f);
    CHECK(c.a == 4);
    CHECK(c.b == 9);
    CHECK(c.feature == 7);
}

TEST_CASE(
    "flat faces in cubes: every reduction finds the face, the means better than the deepest") {
    // The set-up of Dingliana 6.1.2: a slab on a slab, a little askew, in cubes that do not line
    // up.
    TriangleMesh slab = *make_procedural("lshape", 2);
    const VolumeTree cubes = *VolumeTree::build_cubes(slab, {.levels = 4, .threads = 1});
    const LadderBody body{"cubes", slab, *make_ladder(cubes, slab), false};
    std::map<Reduction, std::vector<double>> errors;
    Random random(12);
    for (int i = 0; i < 60; ++i) {
        // The sole of the upper L on the back of the lower one, turned about the vertical.
        const Quat turn = from_axis_angle(Vec3(0, 1, 0), float(random.uniform(0, 6.28)));
        const Transform at_b(
            {float(random.uniform(-0.2, 0.2)), 1.0f, float(random.uniform(-0.1, 0.1))}, turn);
        const Transform at_a({}, Quat(0, 0, 0, 1)); // half a turn about z: its sole is on top
        Arena arena;
        DescentScratch scratch;
        PairDescent pair;
        WorkMeter work;
        TreeContacts contacts;
        const PlacedLadder a{body.ladder, at_a}, b{body.ladder, at_b};
        LadderDescent descent(a, b, {.exact = false}, scratch);
        descent.open(work, arena, pair);
        descent.finish(work, arena, pair);
        REQUIRE(pair.count > 0);
        for (const Reduction reduction : {Reduction::deepest, Reduction::average,
                                          Reduction::gradient, Reduction::probability}) {
            TreeContactSettings settings;
            settings.reduce.reduction = reduction;
            PairManifolds found;
            contacts.model(a, b, pair, settings, found);
            REQUIRE(found.size() >= 1);
            errors[reduction].push_back(
                angle_between(rotate(at_a.orientation, found[0].normal), Vec3d(0, 1, 0)));
        }
    }
    for (const auto& [reduction, list] : errors)
        MESSAGE("reduction ", int(reduction), ": normal off by ", median(list), " degrees");
    CHECK(median(errors[Reduction::average]) < median(errors[Reduction::deepest]));
    CHECK(median(errors[Reduction::probability]) < median(errors[Reduction::deepest]));
    for (const auto& [reduction, list] : errors) CHECK(median(list) < 10);
}

TEST_CASE("of many hits as many are looked at as the settings say, on every rung") {
    Random random(8);
    const LadderBody a = sphere_body("lshape", 2, SphereMethod::octree, 3, 8, Nesting::cover_share);
    const LadderBody b = sphere_body("gear", 1, SphereMethod::grid, 3, 8, Nesting::cover_share);
    int more = 0;
    for (int trial = 0; trial < 20; ++trial) {
        Approach approach(a, b, random);
        for (const int rung : {4, 100}) {
            if (!approach.touches(rung, 0.3)) continue;
            const std::size_t all = approach.pair.count;
            for (const std::uint32_t most : {1u, 8u, 1000000u}) {
                TreeContactSettings settings;
                settings.most_hits = settings.most_exact_hits = most;
                const PairManifolds manifolds = approach.contacts(settings);
                CHECK(manifolds.size() > 0);
                CHECK(approach.hits() <= std::min<std::size_t>(all, most));
                CHECK(approach.hits() >= std::min<std::size_t>(all, most) / 2);
            }
            more += all > 8;
        }
    }
    CHECK(more > 20);
}

TEST_CASE("features and points stay from step to step while a pair hardly moves") {
    const LadderBody body =
        sphere_body("lshape", 2, SphereMethod::grid, 4, 8, Nesting::cover_share);
    Random random(10);
    int kept = 0, all = 0;
    for (int i = 0; i < 100; ++i) {
        Approach pair(body, body, random);
        const double distance = random.uniform(0.3, 0.7);
        for (const int rung : {2, 6}) {
            if (!pair.touches(rung, distance)) continue;
            const PairManifolds first = pair.contacts({});
            pair.touches(rung, distance + 1e-5);
            const PairManifolds second = pair.contacts({});
            if (first.size() == 0 || second.size() == 0) continue;
            for (int k = 0; k < first[0].count; ++k) {
                ++all;
                for (int m = 0; m < second[0].count; ++m)
                    kept += first[0].points[k].feature == second[0].points[m].feature;
            }
        }
    }
    CHECK(all > 300);
    CHECK(kept > all * 95 / 100);
}

TEST_CASE("modelling leaves the heap alone once it is warm") {
    const LadderBody body =
        sphere_body("lshape", 2, SphereMethod::grid, 4, 8, Nesting::cover_share);
    Random random(11);
    Approach pair(body, body, random);
    const auto run = [&] {
        for (const int rung : {0, 3, 6, 100}) {
            pair.touches(rung, 0.4);
            for (int r = 0; r < 5; ++r) {
                TreeContactSettings settings;
                settings.reduce.reduction = Reduction(r);
                pair.contacts(settings);
            }
        }
    };
    run();
    run();
    const long before = allocations();
    run();
    CHECK(allocations() == before);
}
