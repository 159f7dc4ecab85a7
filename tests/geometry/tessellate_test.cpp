#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "fovea/geometry/mass.h"
#include "fovea/geometry/tessellate.h"
#include "tests/geometry/sample_shapes.h"

using namespace fovea;

namespace {

/// Distance to the surface, for shapes about the y axis.
double off_surface(const Sphere& s, const Vec3d& p) {
    return std::abs(length(p) - s.radius);
}

double off_surface(const Capsule& c, const Vec3d& p) {
    const double y = std::clamp(p.y, -double(c.half_height), double(c.half_height));
    return std::abs(length(p - Vec3d(0, y, 0)) - c.radius);
}

double off_surface(const Cylinder& c, const Vec3d& p) {
    const double side = std::hypot(p.x, p.z) - c.radius, cap = std::abs(p.y) - c.half_height;
    return std::abs(std::max(side, cap));
}

double off_surface(const Cone& c, const Vec3d& p) {
    const double slant = std::hypot(double(c.radius), 2.0 * c.half_height);
    const double side =
        (std::hypot(p.x, p.z) * 2 * c.half_height + (p.y - c.half_height) * c.radius) / slant;
    return std::abs(std::max(side, -c.half_height - p.y));
}

template <class Round>
void check_round(const Round& shape) {
    double missing = 1;
    for (const int segments : {3, 4, 5, 8, 33, 100}) {
        CAPTURE(segments);
        const TriangleMesh mesh = tessellate(shape, segments, 1);
        CHECK(check_mesh(mesh));
        CHECK(is_closed_and_oriented(mesh));
        for (const Vec3& vertex : mesh.vertices) CHECK(off_surface(shape, Vec3d(vertex)) < 1e-6);
        // Vertices on a convex surface enclose less than it does, and the more the finer.
        const double volume = mass_properties(shape, 1).value().mass;
        CHECK(signed_volume(mesh) > 0);
        CHECK(signed_volume(mesh) < volume);
        CHECK(1 - signed_volume(mesh) / volume < missing);
        missing = 1 - signed_volume(mesh) / volume;
    }
    // With steps of angle d, going around loses d^2 / 6 of the volume; a sphere's meridian, whose
    // chords sag by d^2 / 12 radii on average, another d^2 / 4. In all at most 5/12 (2 pi / 100)^2.
    CHECK(missing < 0.00165);
}

} // namespace

TEST_CASE("round shapes: closed, vertices on the surface, volume converging from below") {
    check_round(Sphere{0.7f});
    check_round(Capsule{0.4f, 0.9f});
    check_round(Cylinder{0.6f, 1.1f});
    check_round(Cone{0.8f, 0.6f});
}

TEST_CASE("shapes with flat faces come out exactly") {
    const TriangleMesh box = tessellate(Box{{0.5f, 1.5f, 0.25f}}, 8, 1);
    CHECK(box.vertices.size() == 8);
    CHECK(box.triangles.size() == 12);
    CHECK(is_closed_and_oriented(box));
    CHECK(signed_volume(box) == doctest::Approx(1.5));

    const Shape hull = sample_hull(1);
    const TriangleMesh polyhedron = tessellate(hull, 8, 1);
    CHECK(is_closed_and_oriented(polyhedron));
    for (std::size_t i = 0; i < polyhedron.triangles.size(); ++i) {
        // No corner of a convex body lies in front of one of its triangles.
        const auto [a, b, c] = corners(polyhedron, i);
        const Vec3d normal = normalized(cross(Vec3d(b) - Vec3d(a), Vec3d(c) - Vec3d(a)));
        for (const Vec3& v : polyhedron.vertices) CHECK(dot(normal, Vec3d(v) - Vec3d(a)) < 1e-6);
    }

    const Shape surface = sample_mesh();
    CHECK(tessellate(surface, 8, 1).vertices == std::get<MeshSurface>(surface).data->vertices);
    CHECK(tessellate(surface, 8, 1).triangles == std::get<MeshSurface>(surface).data->triangles);
}

TEST_CASE("a compound is the union of its placed parts") {
    const Shape shape = sample_compound();
    const TriangleMesh mesh = tessellate(shape, 16, 1);
    CHECK(is_closed_and_oriented(mesh));
    double volume = 0;
    std::size_t first = 0;
    for (const auto& part : std::get<CompoundShape>(shape).data->parts) {
        const TriangleMesh piece = tessellate(part.shape, 16, 1);
        volume += signed_volume(piece);
        for (std::size_t i = 0; i < piece.vertices.size(); ++i) {
            CHECK(length(mesh.vertices[first + i] - part.placement * piece.vertices[i]) < 1e-5f);
        }
        first += piece.vertices.size();
    }
    CHECK(first == mesh.vertices.size());
    CHECK(signed_volume(mesh) == doctest::Approx(volume).epsilon(1e-5));
}

TEST_CASE("a half-space is a square of its plane facing along the normal") {
    Random random(1);
    for (int i = 0; i < 50; ++i) {
        const HalfSpace plane{Vec3(random.direction()), float(random.uniform(-3, 3))};
        const TriangleMesh mesh = tessellate(plane, 8, 20);
        REQUIRE(mesh.triangles.size() == 2);
        double area = 0;
        for (std::size_t t = 0; t < 2; ++t) {
            const auto [a, b, c] = corners(mesh, t);
            const Vec3 doubled = cross(b - a, c - a);
            CHECK(length(normalized(doubled) - plane.normal) < 1e-5f);
            area += double(length(doubled)) / 2;
        }
        CHECK(area == doctest::Approx(400).epsilon(1e-5));
        for (const Vec3& v : mesh.vertices) {
            CHECK(std::abs(dot(plane.normal, v) - plane.offset) < 1e-5f);
        }
        for (int side = 0; side < 4; ++side) {
            CHECK(length(mesh.vertices[side] - mesh.vertices[(side + 1) % 4]) ==
                  doctest::Approx(20).epsilon(1e-5));
        }
    }
}
