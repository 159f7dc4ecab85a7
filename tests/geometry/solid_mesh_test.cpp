// Meshes that move: their mass, their bytes, and what is refused of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "fovea/geometry/mass.h"
#include "fovea/geometry/shape_bounds.h"
#include "fovea/geometry/shape_bytes.h"
#include "fovea/geometry/tessellate.h"
#include "tests/geometry/sample_shapes.h"

using namespace fovea;

namespace {

SolidMesh solid(TriangleMesh mesh, SphereRecipe recipe = {}) {
    return {std::make_shared<const TriangleMesh>(std::move(mesh)), recipe};
}

struct Integrals {
    double volume = 0;
    Vec3d first;
    Mat3d second;
};

/// Integrates over the inside in columns along z: what lies between two crossings of a column with
/// the surface is inside, and is integrated in closed form. One column at random in every cell.
Integrals integrate_columns(const TriangleMesh& mesh, int cells) {
    const Aabb box = bounds(mesh);
    const Vec3d size = Vec3d(box.high) - Vec3d(box.low);
    const double dx = size.x / cells, dy = size.y / cells;
    Random random(5);
    Integrals sum;
    std::vector<double> crossings;
    for (int i = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j) {
            const double x = box.low.x + (i + random.uniform()) * dx;
            const double y = box.low.y + (j + random.uniform()) * dy;
            crossings.clear();
            for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
                const auto [a, b, c] = corners(mesh, t);
                const auto side = [&](const Vec3& p, const Vec3& q) {
                    return (double(q.x) - p.x) * (y - p.y) - (double(q.y) - p.y) * (x - p.x);
                };
                const double u = side(b, c), v = side(c, a), w = side(a, b);
                if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) continue;
                crossings.push_back((u * a.z + v * b.z + w * c.z) / (u + v + w));
            }
            std::ranges::sort(crossings);
            REQUIRE(crossings.size() % 2 == 0);
            for (std::size_t k = 0; k < crossings.size(); k += 2) {
                const double low = crossings[k], high = crossings[k + 1];
                const double length = (high - low) * dx * dy;
                const double z = (low + high) / 2;
                const double zz = (low * low + low * high + high * high) / 3;
                sum.volume += length;
                sum.first += Vec3d(x, y, z) * length;
                sum.second += Mat3d{Vec3d(x * x, x * y, x * z), Vec3d(x * y, y * y, y * z),
                                    Vec3d(x * z, y * z, zz)} *
                              length;
            }
        }
    return sum;
}

/// Of the worst column.
double relative_error(const Mat3& found, const Mat3d& expected) {
    return std::max({length(Vec3d(found.x) - expected.x) / length(expected.x),
                     length(Vec3d(found.y) - expected.y) / length(expected.y),
                     length(Vec3d(found.z) - expected.z) / length(expected.z)});
}

std::string refusal(const Shape& shape) {
    const Result<void> checked = check_shape(shape);
    return checked ? std::string("accepted") : checked.error().message;
}

} // namespace

TEST_CASE("mass of a solid mesh agrees with an integral over columns") {
    for (const char* name : {"torusknot", "bowl", "spiky", "lshape"}) {
        CAPTURE(name);
        TriangleMesh mesh = make_procedural(name, 1).value();
        for (Vec3& vertex : mesh.vertices) vertex += Vec3(0.3f, -0.2f, 0.1f);
        const Integrals sum = integrate_columns(mesh, 150);
        const Vec3d centre = sum.first / sum.volume;
        const Mat3d c = sum.second - outer(centre, centre) * sum.volume;
        const Mat3d inertia = Mat3d::identity() * (c.x.x + c.y.y + c.z.z) - c;
        const MassProperties mass = mass_properties(solid(mesh), 1).value();
        // Only cells that the outline cuts are in doubt, some 10^3 of 2 * 10^4, each by half a
        // column at random: 16 columns, one in a thousand.
        CHECK(mass.mass == doctest::Approx(sum.volume).epsilon(0.004));
        CHECK(length(Vec3d(mass.centre) - centre) < 0.002);
        CHECK(relative_error(mass.inertia, inertia) < 0.006);
    }
}

TEST_CASE("an L is two boxes") {
    // Arms of 1 m, 0.3 m thick and 0.4 m deep, centred on the box around it.
    const MassProperties l = mass_properties(solid(make_l_shape(1, 0.3f, 0.4f)), 2).value();
    const Compound boxes{{{Box{{0.5f, 0.15f, 0.2f}}, Transform({0, -0.35f, 0})},
                          {Box{{0.15f, 0.35f, 0.2f}}, Transform({-0.35f, 0.15f, 0})}}};
    const MassProperties sum =
        mass_properties(CompoundShape{std::make_shared<const Compound>(boxes)}, 2).value();
    CHECK(l.mass == doctest::Approx(sum.mass).epsilon(1e-6));
    CHECK(length(l.centre - sum.centre) < 1e-6f);
    const Mat3& i = sum.inertia;
    CHECK(relative_error(l.inertia, {Vec3d(i.x), Vec3d(i.y), Vec3d(i.z)}) < 1e-6);
}

TEST_CASE("an open mesh has no mass, but is a shape") {
    TriangleMesh mesh = make_procedural("bowl", 1).value();
    mesh.triangles.pop_back();
    CHECK(refusal(solid(mesh)) == "accepted");
    const auto mass = mass_properties(solid(mesh), 1);
    REQUIRE_FALSE(mass);
    CHECK(mass.error().message.find("not closed") != std::string::npos);
}

TEST_CASE("bounds and tessellation of a solid mesh are those of its surface") {
    const auto mesh = std::get<MeshSurface>(sample_mesh()).data;
    Random random(4);
    const Transform at(random_point(random, -5, 5), random_orientation(random));
    CHECK(bounds(Shape(SolidMesh{mesh}), at).low == bounds(Shape(MeshSurface{mesh}), at).low);
    CHECK(bounds(Shape(SolidMesh{mesh}), at).high == bounds(Shape(MeshSurface{mesh}), at).high);
    CHECK(bounding_radius(SolidMesh{mesh}) == bounding_radius(MeshSurface{mesh}));
    CHECK(tessellate(SolidMesh{mesh}, 8, 1).triangles == mesh->triangles);
}

TEST_CASE("bytes of a solid mesh bring back mesh and recipe") {
    const SphereRecipe recipe{SphereMethod::medial, 5, 6};
    Shape out = solid(make_procedural("gear", 1).value(), recipe);
    ByteWriter writer;
    fields(writer, out);
    Shape in;
    ByteReader reader(writer.bytes);
    fields(reader, in);
    REQUIRE(reader.at_end());
    REQUIRE(type_of(in) == ShapeType::solid_mesh);
    CHECK(std::get<SolidMesh>(in).spheres == recipe);
    CHECK(std::get<SolidMesh>(in).data->vertices == std::get<SolidMesh>(out).data->vertices);
    CHECK(std::get<SolidMesh>(in).data->triangles == std::get<SolidMesh>(out).data->triangles);

    std::vector<std::byte> bad = writer.bytes;
    bad[bad.size() - 12] = std::byte{k_sphere_methods}; // the method stands before two numbers
    ByteReader damaged(bad);
    fields(damaged, in);
    CHECK_FALSE(damaged.ok());
}

TEST_CASE("recipes out of range are refused with the numbers") {
    const auto says = [](SphereRecipe recipe, const char* expected) {
        const std::string said = refusal(solid(make_procedural("gear", 1).value(), recipe));
        CHECK_MESSAGE(said.find(expected) != std::string::npos, said);
    };
    says({SphereMethod::grid, 5, 8}, "accepted"); // 4,096 spheres
    says({SphereMethod::grid, 6, 8}, "6 levels and a branching of 8");
    says({SphereMethod::grid, 0, 8}, "0 levels");
    says({SphereMethod::grid, 2'000'000'000, 2}, "at most 4096");
    says({SphereMethod::grid, 4, 1}, "branching of 1");
    says({SphereMethod::grid, 2, 65}, "branching of 65");
    says({SphereMethod(7), 4, 8}, "method number 7");
    CHECK(refusal(SolidMesh{}) == "mesh has no data");
    TriangleMesh far = make_procedural("gear", 1).value();
    far.vertices[3].x = 2e15f;
    CHECK(refusal(solid(far)).find("2^50") != std::string::npos);
    const Shape compound = CompoundShape{
        std::make_shared<const Compound>(Compound{{{solid(make_l_shape(1, 0.3f, 0.4f)), {}}}})};
    CHECK(refusal(compound).find("only bounded convex shapes") != std::string::npos);
}
