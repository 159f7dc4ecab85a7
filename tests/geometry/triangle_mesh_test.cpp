#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "fovea/geometry/triangle_mesh.h"

using namespace fovea;

namespace {

TriangleMesh tetrahedron() {
    return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
            {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

std::string message(const TriangleMesh& mesh) {
    const Result<void> checked = check_mesh(mesh);
    return checked ? std::string("accepted") : checked.error().message;
}

} // namespace

TEST_CASE("a mesh is checked for triangles, indices and finite vertices") {
    CHECK(message(tetrahedron()) == "accepted");
    CHECK(message({}).find("no triangles") != std::string::npos);
    TriangleMesh mesh = tetrahedron();
    mesh.triangles[2][1] = 4;
    CHECK(message(mesh) == "mesh triangle 2 uses vertex 4, but the mesh has only 4");
    mesh = tetrahedron();
    mesh.vertices[1].z = -INFINITY;
    CHECK(message(mesh) == "mesh vertex 1 is (1, 0, -inf), which is not finite");
    mesh.vertices[1].z = NAN;
    CHECK(message(mesh).find("not finite") != std::string::npos);
}

TEST_CASE("closed and oriented means: every edge twice, in opposite senses") {
    CHECK(is_closed_and_oriented(tetrahedron()));
    CHECK_FALSE(is_closed_and_oriented({}));

    TriangleMesh open = tetrahedron();
    open.triangles.pop_back();
    CHECK_FALSE(is_closed_and_oriented(open));

    TriangleMesh flipped = tetrahedron();
    std::swap(flipped.triangles[1][0], flipped.triangles[1][1]);
    CHECK_FALSE(is_closed_and_oriented(flipped));

    TriangleMesh doubled = tetrahedron();
    for (int i = 0; i < 4; ++i) doubled.triangles.push_back(doubled.triangles[i]);
    CHECK_FALSE(is_closed_and_oriented(doubled));

    TriangleMesh degenerate = tetrahedron();
    degenerate.triangles.push_back({0, 0, 1});
    CHECK_FALSE(is_closed_and_oriented(degenerate));

    TriangleMesh inside_out = tetrahedron();
    for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
    CHECK(is_closed_and_oriented(inside_out));
}

TEST_CASE("signed volume is right wherever the mesh is, negative inside out") {
    TriangleMesh mesh = tetrahedron();
    CHECK(signed_volume(mesh) == doctest::Approx(1.0 / 6));
    for (Vec3& vertex : mesh.vertices) vertex += Vec3(1024, -512, 256); // exact in floats
    CHECK(signed_volume(mesh) == doctest::Approx(1.0 / 6));
    for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
    CHECK(signed_volume(mesh) == doctest::Approx(-1.0 / 6));
    CHECK(signed_volume({}) == 0);
}

TEST_CASE("bounds of a mesh, and of nothing") {
    CHECK(bounds(tetrahedron()) == Aabb{{0, 0, 0}, {1, 1, 1}});
    CHECK(bounds(TriangleMesh{}).empty());
}
