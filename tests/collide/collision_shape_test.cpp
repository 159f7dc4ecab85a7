// Contacts of compounds and meshes against the exact test of every single pair of parts.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <variant>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/collide/collision_shape.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/procedural.h"
#include "fovea/geometry/triangle_mesh.h"

using namespace fovea;

namespace {

Transform random_placement(Random& random, double space) {
    const Vec3d p(random.uniform(-space, space), random.uniform(-space, space),
                  random.uniform(-space, space));
    return {Vec3(p), Quat(from_axis_angle(random.direction(), random.uniform(0, 6)))};
}

Shape random_solid(Random& random) {
    const auto size = [&] { return float(random.uniform(0.1, 0.5)); };
    switch (random.below(6)) {
    case 0:
        return Sphere{size()};
    case 1:
        return Box{{size(), size(), size()}};
    case 2:
        return Cylinder{size(), size()};
    case 3:
        return Capsule{size(), size()};
    case 4:
        return Cone{size(), size()};
    default: {
        std::vector<Vec3> points;
        for (int i = 0; i < 12; ++i) points.push_back(Vec3(random.direction()) * size());
        return Hull{std::make_shared<const ConvexHull>(make_convex_hull(points).value())};
    }
    }
}

Shape random_compound(Random& random) {
    Compound compound;
    const std::uint32_t count = 1 + random.below(12);
    for (std::uint32_t i = 0; i < count; ++i)
        compound.parts.push_back({random_solid(random), random_placement(random, 0.8)});
    return CompoundShape{std::make_shared<const Compound>(compound)};
}

Shape mesh_named(const char* name) {
    return MeshSurface{std::make_shared<const TriangleMesh>(make_procedural(name, 1).value())};
}

struct Part {
    std::variant<Shape, std::array<Vec3, 3>> what; ///< a triangle is in world coordinates
    Transform at;
};

std::vector<Part> parts_of(const Shape& shape, const Transform& at) {
    std::vector<Part> parts;
    if (const auto* compound = std::get_if<CompoundShape>(&shape)) {
        for (const auto& part : compound->data->parts)
            parts.push_back({part.shape, at * part.placement});
    } else if (const auto* surface = std::get_if<MeshSurface>(&shape)) {
        for (std::size_t i = 0; i < surface->data->triangles.size(); ++i) {
            auto triangle = corners(*surface->data, i);
            for (Vec3& corner : triangle) corner = at * corner;
            parts.push_back({triangle, {}});
        }
    } else {
        parts.push_back({shape, at});
    }
    return parts;
}

Proximity exact(const Part& a, const Part& b) {
    if (const auto* triangle = std::get_if<1>(&b.what))
        return proximity(std::get<Shape>(a.what), a.at, *triangle);
    if (std::holds_alternative<std::array<Vec3, 3>>(a.what)) return flipped(exact(b, a));
    return proximity(std::get<Shape>(a.what), a.at, std::get<Shape>(b.what), b.at);
}

/// Returns how many contacts there were.
std::size_t compare(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
    const CollisionShape made_a = make_collision_shape(a).value();
    const CollisionShape made_b = make_collision_shape(b).value();
    std::vector<PartMeeting> found, again;
    find_contacts(made_a, at_a, made_b, at_b, found);
    find_contacts(make_collision_shape(a).value(), at_a, made_b, at_b, again);

    const auto parts_a = parts_of(a, at_a), parts_b = parts_of(b, at_b);
    std::map<std::uint32_t, Proximity> expected;
    for (std::size_t i = 0; i < parts_a.size(); ++i)
        for (std::size_t k = 0; k < parts_b.size(); ++k) {
            const Proximity p = exact(parts_a[i], parts_b[k]);
            if (p.intersects()) expected[std::uint32_t(i * parts_b.size() + k)] = p;
        }
    REQUIRE(found.size() == expected.size());
    REQUIRE(again.size() == found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        REQUIRE(found[i].feature == again[i].feature); // same order
        const auto match = expected.find(found[i].feature);
        REQUIRE(match != expected.end());
        const Proximity &p = found[i].proximity, &q = match->second;
        // A pair tested with its sides exchanged takes other roundings: 1e-4 m is the promise of
        // the exact tests, not of this search.
        REQUIRE(std::abs(p.separation - q.separation) < 1e-4f);
        REQUIRE(std::abs(dot(p.normal, p.point_b - p.point_a) - p.separation) < 1e-3f);
        expected.erase(match); // each feature once
    }
    return found.size();
}

} // namespace

TEST_CASE("contacts of parts are those of the exact test of every pair of parts") {
    Random random(1);
    const HalfSpace oblique{Vec3(normalized(Vec3d(1, 2, -1))), 0.3f};
    const Shape knot = mesh_named("torusknot"), spiky = mesh_named("spiky");
    std::map<std::string, std::size_t> contacts;
    for (int round = 0; round < 60; ++round) {
        const Shape solid = random_solid(random), other = random_solid(random);
        const Shape many = random_compound(random), others = random_compound(random);
        const Transform at = random_placement(random, 0.6), to = random_placement(random, 0.6);
        contacts["solid-solid"] += compare(solid, at, other, to);
        contacts["solid-half-space"] += compare(solid, at, oblique, {});
        contacts["half-space-solid"] += compare(oblique, {}, solid, at);
        contacts["solid-compound"] += compare(solid, at, many, to);
        contacts["compound-solid"] += compare(many, at, solid, to);
        contacts["compound-compound"] += compare(many, at, others, to);
        contacts["compound-half-space"] += compare(many, at, oblique, {});
        contacts["half-space-compound"] += compare(oblique, {}, many, at);
        if (round % 6 > 0) continue;
        contacts["solid-mesh"] += compare(solid, at, knot, to);
        contacts["mesh-solid"] += compare(spiky, at, solid, to);
        contacts["compound-mesh"] += compare(many, at, spiky, to);
        contacts["mesh-compound"] += compare(knot, at, many, to);
    }
    for (const auto& [kind, count] : contacts) {
        INFO(kind);
        CHECK(count > 10);
    }
}

TEST_CASE("far from the origin no contact is lost to rounding") {
    Random random(2);
    const Shape knot = mesh_named("torusknot");
    std::size_t contacts = 0;
    for (int round = 0; round < 10; ++round) {
        Transform at = random_placement(random, 0.5), to = random_placement(random, 0.5);
        at.position += Vec3(500, -800, 300), to.position += Vec3(500, -800, 300);
        contacts += compare(random_compound(random), at, knot, to);
        contacts += compare(random_compound(random), at, random_compound(random), to);
    }
    CHECK(contacts > 10);
}

TEST_CASE("a sphere resting in a mesh corner meets both faces, each pushing outwards") {
    // A floor (y = 0) and a wall (x = 0), one triangle each.
    const TriangleMesh corner{
        {{-9, 0, -9}, {-9, 0, 9}, {30, 0, 0}, {0, -9, -9}, {0, 30, 0}, {0, -9, 9}},
        {{0, 1, 2}, {3, 4, 5}}};
    const auto mesh =
        make_collision_shape(MeshSurface{std::make_shared<const TriangleMesh>(corner)}).value();
    const auto ball = make_collision_shape(Sphere{1}).value();
    std::vector<PartMeeting> contacts;
    find_contacts(ball, {{0.9f, 0.95f, 0}}, mesh, {}, contacts);
    REQUIRE(contacts.size() == 2);
    std::sort(contacts.begin(), contacts.end(),
              [](const auto& x, const auto& y) { return x.feature < y.feature; });
    CHECK(contacts[0].feature == 0);
    CHECK(contacts[1].feature == 1);
    // Normals run from the ball to the surface; depths are 1 - 0.95 and 1 - 0.9.
    CHECK(length(contacts[0].proximity.normal - Vec3(0, -1, 0)) < 1e-5f);
    CHECK(length(contacts[1].proximity.normal - Vec3(-1, 0, 0)) < 1e-5f);
    CHECK(std::abs(contacts[0].proximity.separation + 0.05f) < 1e-5f);
    CHECK(std::abs(contacts[1].proximity.separation + 0.1f) < 1e-5f);
}

TEST_CASE("immovable shapes never meet, and bad shapes are refused") {
    const auto mesh = make_collision_shape(mesh_named("icosphere")).value();
    const auto ground = make_collision_shape(HalfSpace{{0, 1, 0}, 0}).value();
    std::vector<PartMeeting> contacts;
    find_contacts(mesh, {}, ground, {}, contacts);
    find_contacts(ground, {}, mesh, {}, contacts);
    find_contacts(mesh, {}, mesh, {}, contacts);
    find_contacts(ground, {}, ground, {}, contacts);
    CHECK(contacts.empty());
    CHECK_FALSE(make_collision_shape(Sphere{-1}).has_value());
    CHECK_FALSE(make_collision_shape(MeshSurface{}).has_value());
    CHECK_FALSE(make_collision_shape(CompoundShape{}).has_value());
}
