#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "fovea/geometry/height_field.h"
#include "fovea/geometry/mass.h"
#include "fovea/geometry/tessellate.h"
#include "tests/geometry/sample_shapes.h"

using namespace fovea;

namespace {

double largest_entry(const Mat3& m) {
    double largest = 0;
    for (const Vec3& column : {m.x, m.y, m.z}) {
        for (int i = 0; i < 3; ++i) largest = std::max(largest, std::abs(double(column[i])));
    }
    return largest;
}

double inertia_error(const Mat3& a, const Mat3& b) {
    return largest_entry(a - b) / largest_entry(b);
}

/// Symmetric, positive definite (Sylvester), and no principal moment above the sum of the others:
/// tr(I) / 2 - I, the second moment of the mass, is positive definite too.
void check_physical(const Mat3& inertia) {
    CHECK(inertia == transposed(inertia));
    const Mat3d m{Vec3d(inertia.x), Vec3d(inertia.y), Vec3d(inertia.z)};
    const double half_trace = (m.x.x + m.y.y + m.z.z) / 2;
    for (const Mat3d& s : {m, Mat3d::identity() * half_trace - m}) {
        CHECK(s.x.x > 0);
        CHECK(s.x.x * s.y.y - s.x.y * s.y.x > 0);
        CHECK(determinant(s) > 0);
    }
}

Shape meshed(TriangleMesh mesh) {
    return MeshSurface{std::make_shared<const TriangleMesh>(std::move(mesh))};
}

std::string refusal(const Result<MassProperties>& result) {
    return result ? std::string("accepted") : result.error().message;
}

/// True inside the solid, by its definition alone.
bool inside(const Sphere& s, const Vec3d& p) {
    return length(p) <= s.radius;
}
bool inside(const Box& b, const Vec3d& p) {
    const Vec3d a = abs(p);
    return a.x <= b.half_extents.x && a.y <= b.half_extents.y && a.z <= b.half_extents.z;
}
bool inside(const Cylinder& c, const Vec3d& p) {
    return std::hypot(p.x, p.z) <= c.radius && std::abs(p.y) <= c.half_height;
}
bool inside(const Capsule& c, const Vec3d& p) {
    const double y = std::clamp(p.y, -double(c.half_height), double(c.half_height));
    return length(p - Vec3d(0, y, 0)) <= c.radius;
}
bool inside(const Cone& c, const Vec3d& p) {
    const double left =
        (c.half_height - p.y) / (2.0 * c.half_height); // 1 at the base, 0 at the tip
    return left <= 1 && left >= 0 && std::hypot(p.x, p.z) <= c.radius * left;
}

/// Mass properties with density 1 by asking at one random place in every cell of a grid.
template <class Solid>
void check_against_samples(const Solid& solid) {
    Random random(1);
    const int cells = 120;
    const double half = 1.6, step = 2 * half / cells;
    double volume = 0;
    Vec3d first;
    Mat3d second;
    for (int x = 0; x < cells; ++x) {
        for (int y = 0; y < cells; ++y) {
            for (int z = 0; z < cells; ++z) {
                const Vec3d place(x + random.uniform(), y + random.uniform(), z + random.uniform());
                const Vec3d p = place * step - Vec3d(half, half, half);
                if (!inside(solid, p)) continue;
                volume += 1;
                first += p;
                second += outer(p, p);
            }
        }
    }
    const Vec3d centre = first / volume;
    const Mat3d c = (second - outer(centre, centre) * volume) * (step * step * step);
    const Mat3d inertia = Mat3d::identity() * (c.x.x + c.y.y + c.z.z) - c;
    const MassProperties mass = mass_properties(solid, 1).value();
    // Only the cells that the surface cuts are in doubt: some 10^4 of them, each wrong by at most
    // half a cell on average, so 50 cells in 8 * 10^4 at one standard deviation. Inertia leans on
    // the outermost cells, up to 5/3 as much.
    CHECK(mass.mass == doctest::Approx(volume * step * step * step).epsilon(0.003));
    CHECK(length(Vec3d(mass.centre) - centre) < 0.003);
    CHECK(inertia_error(mass.inertia, {Vec3(inertia.x), Vec3(inertia.y), Vec3(inertia.z)}) < 0.005);
}

} // namespace

TEST_CASE("closed forms agree with random samples of the solid") {
    check_against_samples(Sphere{0.7f});
    check_against_samples(Box{{0.5f, 1.5f, 0.25f}});
    check_against_samples(Cylinder{0.6f, 1.1f});
    check_against_samples(Capsule{0.4f, 0.9f});
    check_against_samples(Cone{0.8f, 0.6f});
}

TEST_CASE("closed forms agree with the divergence theorem over a fine tessellation") {
    for (const Shape& shape : sample_solids()) {
        CAPTURE(name_of(type_of(shape)));
        const MassProperties exact = mass_properties(shape, 2.5f).value();
        const MassProperties meshed_mass =
            mass_properties(meshed(tessellate(shape, 600, 1)), 2.5f).value();
        // An inscribed sphere of 600 segments lacks 5/12 (2 pi / 600)^2 = 4.6e-5 of its volume;
        // inertia goes with the fifth power of size and lacks 5/3 of that.
        CHECK(meshed_mass.mass == doctest::Approx(exact.mass).epsilon(5e-5));
        // The compound's round parts, 2 m off the centre, weigh that much less than its others.
        CHECK(length(meshed_mass.centre - exact.centre) < 1e-4f);
        CHECK(inertia_error(meshed_mass.inertia, exact.inertia) < 1e-4);
        check_physical(exact.inertia);
    }
}

TEST_CASE("Stokes' sphere and cylinder (4.3)") {
    // Sphere 2/5 m r^2; cylinder: axial m r^2 / 2, transverse m (r^2 / 4 + half_height^2 / 3).
    const MassProperties sphere = mass_properties_of_mass(Sphere{2}, 5).value();
    CHECK(sphere.mass == 5);
    CHECK(sphere.inertia.x.x == doctest::Approx(0.4 * 5 * 4));
    const MassProperties cylinder = mass_properties_of_mass(Cylinder{0.3f, 2}, 2).value();
    CHECK(cylinder.inertia.y.y == doctest::Approx(2 * 0.09 / 2));
    CHECK(cylinder.inertia.x.x == doctest::Approx(2 * (0.09 / 4 + 4.0 / 3)));
    CHECK(cylinder.inertia.z.z == cylinder.inertia.x.x);
    CHECK(cylinder.inertia.x.y == 0);
}

TEST_CASE("density and mass scale everything alike") {
    for (const Shape& shape : sample_solids()) {
        const MassProperties one = mass_properties(shape, 1).value();
        const MassProperties given = mass_properties_of_mass(shape, one.mass * 7).value();
        const MassProperties seven = mass_properties(shape, 7).value();
        CHECK(given.mass == doctest::Approx(seven.mass).epsilon(1e-6));
        CHECK(given.centre == one.centre);
        CHECK(inertia_error(given.inertia, seven.inertia) < 1e-6);
        CHECK(inertia_error(one.inertia * 7, seven.inertia) < 1e-6);
    }
}

TEST_CASE("moving and turning a body moves its centre and turns its inertia") {
    Random random(1);
    for (int round = 0; round < 50; ++round) {
        const Transform at(random_point(random, -5, 5), random_orientation(random));
        const Mat3 turn = to_matrix(at.orientation);
        for (const Shape& shape : sample_convex_solids()) {
            const MassProperties own = mass_properties(shape, 1).value();
            const MassProperties moved =
                mass_properties(
                    CompoundShape{std::make_shared<const Compound>(Compound{{{shape, at}}})}, 1)
                    .value();
            CHECK(moved.mass == doctest::Approx(own.mass).epsilon(1e-6));
            // Float rounding of positions up to 9 and of the quaternion.
            CHECK(length(moved.centre - at * own.centre) < 5e-6f);
            CHECK(inertia_error(moved.inertia, turn * own.inertia * transposed(turn)) < 2e-6);
        }
        TriangleMesh mesh = *std::get<MeshSurface>(sample_mesh()).data;
        const MassProperties own = mass_properties(sample_mesh(), 1).value();
        for (Vec3& vertex : mesh.vertices) vertex = at * vertex;
        const MassProperties moved = mass_properties(meshed(std::move(mesh)), 1).value();
        CHECK(length(moved.centre - at * own.centre) < 5e-6f);
        // Vertices some 10 from the origin are rounded by 1e-6 of the mesh's size.
        CHECK(inertia_error(moved.inertia, turn * own.inertia * transposed(turn)) < 1e-5);
    }
}

TEST_CASE("two halves of a box make the box") {
    const Compound halves{{{Box{{0.5f, 2, 3}}, Transform({9.5f, 0, 0})},
                           {Box{{0.5f, 2, 3}}, Transform({10.5f, 0, 0})}}};
    const MassProperties joined =
        mass_properties(CompoundShape{std::make_shared<const Compound>(halves)}, 1).value();
    const MassProperties whole = mass_properties(Box{{1, 2, 3}}, 1).value();
    CHECK(joined.mass == whole.mass);
    CHECK(joined.centre == Vec3(10, 0, 0));
    CHECK(inertia_error(joined.inertia, whole.inertia) < 1e-6);
}

TEST_CASE("what has no mass is refused with the reason") {
    CHECK(refusal(mass_properties(HalfSpace{{0, 1, 0}, 0}, 1)).find("wall is unbounded") == 0);
    TriangleMesh open = *std::get<MeshSurface>(sample_mesh()).data;
    open.triangles.pop_back();
    CHECK(refusal(mass_properties(meshed(open), 1)).find("not closed") != std::string::npos);
    TriangleMesh inward = *std::get<MeshSurface>(sample_mesh()).data;
    for (auto& t : inward.triangles) std::swap(t[0], t[1]);
    CHECK(refusal(mass_properties(meshed(inward), 1)).find("inwards") != std::string::npos);
    // Two triangles back to back: closed, but empty.
    const TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
    CHECK(refusal(mass_properties(meshed(flat), 1)).find("flat") != std::string::npos);
    CHECK(refusal(mass_properties(Sphere{-1}, 1)).find("sphere radius is -1") == 0);
    const Shape ground =
        HeightSurface{std::make_shared<const HeightField>(HeightField{2, 2, 1, {0, 0, 1, 0}})};
    CHECK(refusal(mass_properties(ground, 1)).find("cannot move") != std::string::npos);

    for (const float bad : {0.0f, -2.0f, INFINITY, std::numeric_limits<float>::quiet_NaN()}) {
        CHECK(refusal(mass_properties(Sphere{1}, bad)).find("density is") == 0);
        CHECK(refusal(mass_properties_of_mass(Sphere{1}, bad)).find("mass is") == 0);
    }
    CHECK(refusal(mass_properties(Sphere{1e15f}, 1)).find("range of a float") != std::string::npos);
    CHECK(refusal(mass_properties(Sphere{1e-20f}, 1)).find("range of a float") !=
          std::string::npos);
}
