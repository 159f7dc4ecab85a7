#include <doctest/doctest.h>

#include <algorithm>
#include <numbers>
#include <string>

#include "fovea/geometry/procedural.h"
#include "tests/oracles/cgal_oracle.h"

using namespace fovea;

namespace {

/// The least height of any triangle over the longest side of it.
double flattest(const TriangleMesh& mesh) {
    double least = 1;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto [a, b, c] = corners(mesh, i);
        const double longest =
            std::max({length_squared(Vec3d(b) - Vec3d(a)), length_squared(Vec3d(c) - Vec3d(b)),
                      length_squared(Vec3d(a) - Vec3d(c))});
        const double doubled = length(cross(Vec3d(b) - Vec3d(a), Vec3d(c) - Vec3d(a)));
        least = std::min(least, doubled / longest);
    }
    return least;
}

void check_solid(const TriangleMesh& mesh) {
    CHECK(check_mesh(mesh));
    CHECK(is_closed_and_oriented(mesh));
    CHECK(signed_volume(mesh) > 0);
    // Long thin triangles are part of some designs; 0.5% is far from where arithmetic suffers.
    CHECK(flattest(mesh) > 0.005);
    CHECK_FALSE(cgal_self_intersects(mesh));
}

} // namespace

TEST_CASE("every procedural mesh is a sound solid about a metre across, at every detail") {
    for (const std::string_view name : procedural_names()) {
        for (const int detail : {1, 2, 3, 6}) {
            CAPTURE(name);
            CAPTURE(detail);
            const TriangleMesh mesh = make_procedural(name, detail).value();
            check_solid(mesh);
            CHECK(mesh.triangles.size() >= std::size_t(250 * detail * detail));
            CHECK(mesh.triangles.size() <= std::size_t(400 * detail * detail));
            const Vec3 size = bounds(mesh).half_extents() * 2;
            const float across = std::max({size.x, size.y, size.z});
            CHECK(across > 0.8f);
            CHECK(across < 1.001f);
        }
    }
}

TEST_CASE("detail reaches 200000 triangles") {
    for (const std::string_view name : procedural_names()) {
        const TriangleMesh mesh = make_procedural(name, 28).value();
        CAPTURE(name);
        CHECK(mesh.triangles.size() >= 200000);
        CHECK(is_closed_and_oriented(mesh));
    }
}

TEST_CASE("other proportions than the named ones are sound too") {
    check_solid(make_icosphere(2, 0));
    check_solid(make_icosphere(0.01f, 3));
    CHECK(make_icosphere(1, 3).triangles.size() == 20 * 64);
    check_solid(make_torus_knot(1, 0.15f, 2, 5, 300, 8));
    check_solid(make_torus_knot(1, 0.2f, 3, 2, 200, 8));
    check_solid(make_torus_knot(1, 0.3f, 1, 1, 60, 12));
    check_solid(make_l_shape(3, 0.2f, 0.5f));
    check_solid(make_gear(2, 0.3f, 0.5f, 3));
    check_solid(make_gear(2, 0.1f, 0.5f, 60));
    check_solid(make_spiky(1, 3, 1, 3));
    check_solid(make_spiky(1, 1, 60, 4));
    check_solid(make_spiky(1, 1, 12, 1));
    check_solid(make_folded(2, 1, 0.02f, 30));
    check_solid(make_folded(1, 1, 0.2f, 1));
    check_solid(make_folded(1, 1, 0.2f, 2));
    check_solid(make_torus(1, 0.9f, 12, 5));
    check_solid(make_jack(1, 0.9f, 0.1f));
    check_solid(make_crescent(1, 0.9f, 2, 3));
    check_solid(make_crescent(1, 0.1f, 0.1f, 40));
    check_solid(make_bowl(1, 0.05f, 12, 6));
    check_solid(make_bowl(1, 0.9f, 3, 1));
}

TEST_CASE("volumes follow from the measures") {
    // Inscribed in a ball: less, by about the square of the edge's angle (0.07) over 2.
    const double ball = 4 * std::numbers::pi / 3 * 8;
    const double sphere = signed_volume(make_icosphere(2, 4));
    CHECK(sphere < ball);
    CHECK(sphere > ball * 0.995);
    for (const Vec3& v : make_icosphere(2, 4).vertices) CHECK(length(v) == doctest::Approx(2));

    // Ring: 2 pi^2 R r^2 (Pappus). Jack: the cube, six bars, six pyramids. Bowl: two half balls.
    CHECK(signed_volume(make_torus(1, 0.3f, 200, 100)) ==
          doctest::Approx(2 * std::numbers::pi * std::numbers::pi * 0.09).epsilon(0.002));
    CHECK(signed_volume(make_jack(1, 0.4f, 0.3f)) ==
          doctest::Approx(0.064 + 6 * 0.16 * 0.5 + 6 * 0.16 * 0.1));
    CHECK(signed_volume(make_bowl(1, 0.2f, 200, 60)) ==
          doctest::Approx(2 * std::numbers::pi / 3 * (1 - 0.512)).epsilon(0.002));
    // Three quarters of the integral of R t - t^2 / 2 with t = T sin.
    CHECK(signed_volume(make_crescent(1, 0.4f, 0.5f, 400)) ==
          doctest::Approx(1.5 * std::numbers::pi * (0.4 * 2 / std::numbers::pi - 0.04) * 0.5)
              .epsilon(0.002));

    CHECK(signed_volume(make_l_shape(3, 0.5f, 2)) == doctest::Approx((3 + 2.5) * 0.5 * 2));
    // Thickness is measured across the sheet: the outlines of a single straight fold are a
    // parallelogram of vertical side h - rise, hence area = width * (h - rise).
    const Aabb folded = bounds(make_folded(2, 1, 0.1f, 5));
    CHECK(length(folded.half_extents() - Vec3(1, 0.5f, 1)) < 1e-6f);
    const double rise = 1 - signed_volume(make_folded(2, 1, 0.1f, 5)) / 4;
    CHECK((1 - rise) / std::hypot(1, rise / 0.4) == doctest::Approx(0.1).epsilon(1e-5));
    const Vec3 gear = bounds(make_gear(2, 0.3f, 0.5f, 12)).half_extents();
    CHECK(gear.z == 0.25f);
    CHECK(gear.x == doctest::Approx(2).epsilon(0.05));
    // A thin tube along the trefoil: length times cross-section (Pappus), the length
    // summed over a fine polygon.
    double length_of_knot = 0;
    const auto knot = [](double t) {
        return Vec3d((1 + 0.5 * std::cos(3 * t)) * std::cos(2 * t),
                     (1 + 0.5 * std::cos(3 * t)) * std::sin(2 * t), 0.5 * std::sin(3 * t));
    };
    for (int i = 0; i < 10000; ++i) {
        length_of_knot += length(knot(2 * std::numbers::pi * (i + 1) / 10000) -
                                 knot(2 * std::numbers::pi * i / 10000));
    }
    const double tube = length_of_knot * std::numbers::pi * 0.1 * 0.1;
    CHECK(signed_volume(make_torus_knot(1, 0.1f, 2, 3, 2000, 64)) ==
          doctest::Approx(tube).epsilon(0.003));
}

TEST_CASE("spikes reach their height") {
    const TriangleMesh mesh = make_spiky(1, 0.5f, 12, 3);
    int tips = 0;
    for (const Vec3& v : mesh.vertices) {
        CHECK(length(v) > 0.999f);
        CHECK(length(v) < 1.501f);
        if (length(v) > 1.499f) ++tips;
    }
    CHECK(tips == 12);
}

TEST_CASE("unknown names and absurd details are refused") {
    const auto message = [](std::string_view name, int detail) {
        const auto made = make_procedural(name, detail);
        return made ? std::string("accepted") : made.error().message;
    };
    CHECK(message("teapot", 1).find("'teapot'") != std::string::npos);
    CHECK(message("teapot", 1).find("icosphere, torusknot, lshape, gear, spiky, folded") !=
          std::string::npos);
    CHECK(message("", 1).find("there are icosphere") != std::string::npos);
    for (const int detail : {0, -1, -2147483647, 65, 1000000000}) {
        CHECK(message("gear", detail)
                  .find("is " + std::to_string(detail) + "; it must be from 1 to 64") !=
              std::string::npos);
    }
}
