// Solids on meshes and height fields: the right normals, and no ghosts at inner edges.
#include "fovea/contact/surface_contacts.h"
#include "fovea/geometry/height_field.h"
#include "fovea/geometry/shape_bounds.h"
#include "fovea/geometry/tessellate.h"
#include "fovea/volume/box_tree.h"
#include "tests/contact/manifold_checks.h"

using namespace fovea;
using namespace fovea::test;

namespace {

struct Ground {
    TriangleMesh mesh;
    MeshNeighbours neighbours;
    BoxTree tree;

    explicit Ground(TriangleMesh made)
        : mesh(std::move(made))
        , neighbours(find_neighbours(mesh))
        , tree(BoxTree::build(mesh)) {}

    std::vector<SurfaceTriangle> near_to(const Shape& solid, const Transform& at) const {
        std::vector<SurfaceTriangle> found;
        tree.query(expanded(bounds(solid, at), k_margin), [&](std::uint32_t i) {
            found.push_back(surface_triangle(mesh, neighbours, i));
        });
        return found;
    }

    SurfaceManifolds collide(const Shape& solid, const Transform& at,
                             bool two_sided = false) const {
        SurfaceManifolds result;
        collide_surface(solid, at, near_to(solid, at), {}, {k_margin, two_sided}, result);
        return result;
    }
};

/// A grid of 0.37 m cells whose heights are given by `height(x, z)`, jittered within the plane.
template <class Height>
HeightField field_of(Height height) {
    HeightField field{17, 17, 0.37f, {}};
    for (int row = 0; row < 17; ++row)
        for (int column = 0; column < 17; ++column)
            field.heights.push_back(float(height(column * 0.37 - 2.96, row * 0.37 - 2.96)));
    return field;
}

/// The field's mesh, moved so that its middle is at the origin.
TriangleMesh centred(const HeightField& field) {
    TriangleMesh mesh = to_mesh(field);
    for (Vec3& v : mesh.vertices) v = v - Vec3(2.96f, 0, 2.96f);
    return mesh;
}

float deepest(const SurfaceManifolds& manifolds) {
    float least = std::numeric_limits<float>::infinity();
    for (const Manifold& m : manifolds) least = std::min(least, fovea::test::deepest(m));
    return least;
}

/// Places a solid over y = 0 so that its lowest point is at `height`.
Transform placed_over(const Shape& solid, const Quat& orientation, float x, float z, float height) {
    Transform at{{x, 0, z}, orientation};
    at.position.y = height + float(reach(solid, at, Vec3(0, -1, 0)));
    return at;
}

} // namespace

TEST_CASE("the deepest point is found among more triangles than there is room for") {
    // A floor of strips a few millimetres wide: hundreds of triangles below every solid.
    TriangleMesh strips;
    Random random(11);
    for (float x = -2; x < 2; x += 0.002f * float(std::exp(random.uniform(0, 2))))
        for (const float z : {-2.0f, 2.0f}) strips.vertices.push_back({x, 0, z});
    for (std::uint32_t i = 0; i + 3 < strips.vertices.size(); i += 2) {
        strips.triangles.push_back({i, i + 1, i + 2});
        strips.triangles.push_back({i + 2, i + 1, i + 3});
    }
    const Ground ground(std::move(strips));
    for (int trial = 0; trial < 600; ++trial) {
        CAPTURE(trial);
        const Shape solid = random_shape(random, k_solids[random.below(6)]);
        const auto height = float(random.uniform(-0.02, 0.015));
        const Transform at = placed_over(solid, random_rotation(random), 0, 0, height);
        const SurfaceManifolds found = ground.collide(solid, at);
        REQUIRE(found.size() == 1);
        CHECK(std::abs(deepest(found) - height) < k_tolerance);
    }
}

TEST_CASE("a flat mesh is like a plane: no ghosts at its edges") {
    const Ground ground(centred(field_of([](double, double) { return 0; })));
    for (const ShapeType type : k_solids) {
        Random random(std::uint64_t(type) + 1);
        int manifolds = 0;
        for (int trial = 0; trial < 3000; ++trial) {
            CAPTURE(trial);
            CAPTURE(int(type));
            const Shape solid = random_shape(random, type);
            const Quat turn =
                random.below(2) == 0 ? random_rotation(random) : random_quarter_turns(random);
            // Just above, and in the ground by up to the margin: a part that hangs over below the
            // ground, farther from the next triangle than the margin, is not that one's contact.
            const auto height = float(random.below(2) == 0 ? random.uniform(-0.02, -0.001)
                                                           : random.uniform(-0.005, 0.019));
            const Transform at = placed_over(solid, turn, float(random.uniform(-1, 1)),
                                             float(random.uniform(-1, 1)), height);
            const SurfaceManifolds found = ground.collide(solid, at);
            REQUIRE(found.size() == 1);
            const Manifold& m = found[0];
            CHECK(rotate(at.orientation, m.normal).y < -0.99999f);
            CHECK(std::abs(deepest(found) - height) < k_tolerance);
            manifolds += m.count > 0;
            for (int i = 0; i < m.count; ++i) {
                const SurfacePoints p = surfaces(m, i, at);
                CHECK(std::abs(p.on_b.y) < 1e-4f);
                CHECK(std::abs(distance_to(solid, at, p.on_a)) < k_tolerance);
            }
        }
        CHECK(manifolds == 3000);
    }
}

TEST_CASE("a box on a flat mesh stands on four points that span its base") {
    const Ground ground(centred(field_of([](double, double) { return 0; })));
    const Shape box = Box{{0.5f, 0.5f, 0.5f}};
    const SurfaceManifolds found = ground.collide(box, {{0.1f, 0.498f, 0.07f}});
    REQUIRE(found.size() == 1);
    REQUIRE(found[0].count == 4);
    for (int i = 0; i < 4; ++i) {
        CHECK(std::abs(std::abs(found[0].points[i].point.x) - 0.5f) < 1e-4f);
        CHECK(std::abs(std::abs(found[0].points[i].point.z) - 0.5f) < 1e-4f);
        for (int k = 0; k < i; ++k) CHECK(found[0].points[i].feature != found[0].points[k].feature);
    }
}

TEST_CASE("a valley pushes along its two faces only, a ridge in between as well") {
    const double slope = 0.5;
    const Vec3 left = normalized(Vec3(1, 2, 0)), right = normalized(Vec3(-1, 2, 0));
    Random random(8);
    SUBCASE("valley") {
        const Ground ground(
            centred(field_of([&](double x, double) { return slope * std::abs(x); })));
        int exact = 0;
        for (int trial = 0; trial < 2000; ++trial) {
            CAPTURE(trial);
            const Shape solid = random_shape(random, k_solids[random.below(6)]);
            Transform at{{float(random.uniform(-0.3, 0.3)), 2, float(random.uniform(-1, 1))},
                         random_rotation(random)};
            // Down along y until one side is 5 mm deep.
            const double over_left = -reach(solid, at, -left),
                         over_right = -reach(solid, at, -right);
            at.position.y -= float((std::min(over_left, over_right) + 0.005) / left.y);
            const SurfaceManifolds found = ground.collide(solid, at);
            CHECK(found.size() >= 1);
            for (const Manifold& m : found) {
                const Vec3 outward = -rotate(at.orientation, m.normal);
                CHECK(std::max(dot(outward, left), dot(outward, right)) > 0.9999f);
            }
            CHECK(deepest(found) > -0.005f - k_tolerance);
            exact += deepest(found) < -0.005f + k_tolerance;
        }
        // Deepest under one face may be a point that lies over the other one.
        CHECK(exact > 1990);
    }
    SUBCASE("ridge") {
        const Ground ground(
            centred(field_of([&](double x, double) { return -slope * std::abs(x); })));
        for (int trial = 0; trial < 2000; ++trial) {
            CAPTURE(trial);
            const Shape ball = Sphere{float(random.uniform(0.2, 0.6))};
            const float radius = std::get<Sphere>(ball).radius;
            // Around the ridge, in the wedge between its faces: pushed straight away from it.
            const double lean = random.uniform(-0.44, 0.44); // the faces lean by 0.4636
            const Vec3 outward(float(std::sin(lean)), float(std::cos(lean)), 0);
            const Vec3 centre =
                outward * (radius - 0.005f) + Vec3(0, 0, float(random.uniform(-1, 1)));
            const SurfaceManifolds found = ground.collide(ball, {centre});
            REQUIRE(found.size() == 1);
            CHECK(length(found[0].normal + outward) < 0.03f);
            CHECK(std::abs(deepest(found) + 0.005f) < 2e-4f);
        }
    }
}

TEST_CASE("every corner of a cube made of triangles is felt") {
    const Shape cube = Box{{0.5f, 0.5f, 0.5f}};
    const Ground ground(tessellate(cube, 8, 1));
    Random random(14);
    for (int trial = 0; trial < 2000; ++trial) {
        CAPTURE(trial);
        const Shape ball = Sphere{0.3f};
        // Anywhere around, 5 mm deep.
        PlacedPair p{cube, ball, {}, {Vec3(random.direction() * 1.3)}};
        part(p, -0.005f);
        const Proximity exact = proximity(p.a, p.at_a, p.b, p.at_b);
        const SurfaceManifolds found = ground.collide(ball, p.at_b);
        REQUIRE(found.size() >= 1);
        CHECK(std::abs(deepest(found) - exact.separation) < 1e-4f);
        CHECK(length(found[0].normal + exact.normal) < 0.03f);
    }
}

TEST_CASE("bodies behind a one-sided surface pass, a two-sided one holds them") {
    const Ground ground(centred(field_of([](double, double) { return 0; })));
    const Shape box = Box{{0.5f, 0.5f, 0.5f}};
    const Transform below{{0.1f, -0.495f, 0.1f}};
    CHECK(ground.collide(box, below).empty());
    const SurfaceManifolds found = ground.collide(box, below, true);
    REQUIRE(found.size() == 1);
    CHECK(found[0].normal.y == doctest::Approx(1));
    CHECK(found[0].count == 4);
    CHECK(deepest(found) == doctest::Approx(-0.005).epsilon(0.01));
}

TEST_CASE("a height field gives the triangles of its mesh") {
    Random random(21);
    HeightField field{9, 7, 0.5f, {}};
    for (int i = 0; i < 63; ++i) field.heights.push_back(float(random.uniform(-0.3, 0.3)));
    REQUIRE(check_height_field(field));
    const TriangleMesh mesh = to_mesh(field);
    const MeshNeighbours neighbours = find_neighbours(mesh);
    REQUIRE(mesh.triangles.size() == field.triangles());
    for (std::uint32_t i = 0; i < field.triangles(); ++i) {
        const SurfaceTriangle a = surface_triangle(field, i);
        const SurfaceTriangle b = surface_triangle(mesh, neighbours, i);
        CHECK(a.corners == b.corners);
        CHECK(a.open == b.open);
        for (std::size_t e = 0; e < 3; ++e) CHECK((a.open[e] || a.across[e] == b.across[e]));
        CHECK(cross(a.corners[1] - a.corners[0], a.corners[2] - a.corners[0]).y > 0);
    }
    for (int trial = 0; trial < 2000; ++trial) {
        CAPTURE(trial);
        const Vec3 middle(float(random.uniform(-1, 5)), float(random.uniform(-0.5, 0.5)),
                          float(random.uniform(-1, 4)));
        const Vec3 half(float(random.uniform(0, 1)), float(random.uniform(0, 0.3)),
                        float(random.uniform(0, 1)));
        const Aabb box{middle - half, middle + half};
        std::vector<SurfaceTriangle> found;
        gather_triangles(field, box, found);
        std::size_t next = 0;
        for (std::uint32_t i = 0; i < field.triangles(); ++i) {
            Aabb around;
            for (const Vec3& c : corners(mesh, i)) around = merged(around, c);
            if (!overlap(around, box)) continue;
            REQUIRE(next < found.size());
            CHECK(found[next++].number == i);
        }
        CHECK(next == found.size());
    }
}

TEST_CASE("bad height fields are refused") {
    CHECK_FALSE(check_height_field({1, 2, 1, {0, 0}}));
    CHECK_FALSE(check_height_field({2, 2, 0, {0, 0, 0, 0}}));
    CHECK_FALSE(check_height_field({2, 2, 1, {0, 0, 0}}));
    CHECK_FALSE(check_height_field({2, 2, 1, {0, 0, 0, NAN}}));
    CHECK(check_height_field({2, 2, 1, {0, 0, 0, 0}}));
}

TEST_CASE("exchanged manifolds are the same contact seen from the other side") {
    Random random(31);
    for (int trial = 0; trial < 500; ++trial) {
        const PlacedPair p = random_pair(random, ShapeType::box, ShapeType::hull, k_margin);
        PairCache cache;
        const Manifold m = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache);
        const Manifold back = exchanged(m, relative(p.at_a, p.at_b));
        if (m.count == 0) continue;
        CHECK(length(world_normal(m, p.at_a) + world_normal(back, p.at_b)) < 1e-5f);
        for (int i = 0; i < m.count; ++i)
            CHECK(length(p.at_a * m.points[i].point - p.at_b * back.points[i].point) < 1e-5f);
    }
}
