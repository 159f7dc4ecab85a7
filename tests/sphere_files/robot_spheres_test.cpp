// Spheres in robot descriptions: what is replaced, where it lands, what is refused.
#include <doctest/doctest.h>

#include <sstream>

#include "fovea/geometry/procedural.h"
#include "fovea/scene/robot_spheres.h"
#include "fovea/scene/xml_scan.h"

using namespace fovea;

namespace {

constexpr const char* k_arm = R"(<?xml version="1.0"?>
<!-- <collision> in a comment is left alone -->
<robot name="arm">
  <link name="base"><visual><geometry><mesh filename="seen.stl"/></geometry></visual></link>
  <link name="hand">
    <collision>
      <origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>
      <geometry><mesh filename="ball.stl" scale="2 2 2"/></geometry>
    </collision>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
</robot>
)";

/// A ball of radius 1 about (5, 0, 0).
Result<TriangleMesh> load_ball(const std::string& file) {
    if (file != "ball.stl") return failure("no such file");
    TriangleMesh ball = make_icosphere(1, 3);
    for (Vec3& v : ball.vertices) v.x += 5;
    return ball;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

std::string refusal(const std::string& urdf) {
    const auto result = with_spheres(urdf, load_ball, {.levels = 1});
    return result ? std::string() : result.error().message;
}

} // namespace

TEST_CASE("a collision mesh becomes spheres in the frame of its link") {
    const auto result = with_spheres(k_arm, load_ball, {.levels = 1});
    REQUIRE(result.has_value());
    CHECK(result->meshes.size() == 1);
    CHECK(result->spheres == 1);
    CHECK(result->urdf.find("ball.stl") == std::string::npos);
    CHECK(result->urdf.find("seen.stl") != std::string::npos);
    CHECK(result->urdf.find("<box size=\"1 1 1\"/>") != std::string::npos);
    CHECK(result->urdf.find("in a comment is left alone") != std::string::npos);
    CHECK(result->srdf.find("<link_sphere_approximation link=\"hand\">") != std::string::npos);
    CHECK(result->srdf.find("link=\"base\"") == std::string::npos);

    // (5, 0, 0) doubled, a quarter turn about z, moved: (1, 12, 3); the radius is doubled too.
    const auto tags = scan_tags(result->srdf);
    REQUIRE(tags.has_value());
    for (const XmlTag& tag : *tags) {
        if (tag.name != "sphere") continue;
        std::istringstream centre(tag.attribute("center"));
        double x, y, z;
        centre >> x >> y >> z;
        // The ball's mesh is a little smaller than the ball.
        CHECK(x == doctest::Approx(1).epsilon(0.01));
        CHECK(y == doctest::Approx(12).epsilon(0.01));
        CHECK(z == doctest::Approx(3).epsilon(0.01));
        CHECK(std::stod(tag.attribute("radius")) == doctest::Approx(2).epsilon(0.01));
    }
}

TEST_CASE("small spheres far from the link's origin lose nothing to the text") {
    // A ball of a millimetre, a kilometre away: nine digits would round it by half its size.
    const RobotMeshLoader load = [](const std::string&) -> Result<TriangleMesh> {
        return make_icosphere(1e-3f, 2);
    };
    const std::string urdf = R"(<robot name="r"><link name="l"><collision>
        <origin xyz="1000.0001 0 0"/><geometry><mesh filename="m" scale="3 1 1"/></geometry>
        </collision></link></robot>)";
    const auto result = with_spheres(urdf, load, {.method = SphereMethod::octree}, true);
    REQUIRE(result.has_value());
    std::vector<std::pair<Vec3d, double>> spheres;
    const auto tags = scan_tags(result->srdf);
    REQUIRE(tags.has_value());
    for (const XmlTag& tag : *tags) {
        if (tag.name != "sphere") continue;
        std::istringstream centre(tag.attribute("center"));
        Vec3d c;
        centre >> c.x >> c.y >> c.z;
        spheres.emplace_back(c, std::stod(tag.attribute("radius")));
    }
    CHECK(spheres.size() == result->spheres);
    int left_out = 0;
    for (const Vec3& v : make_icosphere(1e-3f, 2).vertices) {
        const Vec3d p(3 * double(v.x) + 1000.0001, v.y, v.z);
        left_out += std::none_of(spheres.begin(), spheres.end(),
                                 [&](const auto& s) { return length(p - s.first) <= s.second; });
    }
    CHECK(left_out == 0);

    REQUIRE(result->meshes.size() == 1);
    const RobotMesh& mesh = result->meshes[0];
    CHECK(mesh.link == "l");
    CHECK(mesh.file == "m");
    CHECK(mesh.line == 2);
    CHECK(mesh.triangles == 320);
    CHECK(mesh.spheres == spheres.size());
    CHECK(mesh.proof.surface_enclosed);
    REQUIRE(mesh.quality.levels.size() == 3);
    CHECK(mesh.quality.levels[2].spheres == spheres.size());
    CHECK(mesh.quality.levels[2].worst_error > 0);
    CHECK(mesh.quality.levels[2].coverage == 1);
}

TEST_CASE("a text without meshes goes through unchanged") {
    const std::string text = "<robot name='r'><link name=\"a\"/><joint name=\"j\"/></robot>";
    const auto result = with_spheres(text, load_ball, {});
    REQUIRE(result.has_value());
    CHECK(result->urdf == text);
    CHECK(result->meshes.empty());
}

TEST_CASE("faults are named with their line") {
    CHECK(refusal("nothing").find("not a URDF") != std::string::npos);
    CHECK(refusal(replaced(k_arm, "ball.stl", "cube.stl")) == "line 8: cube.stl: no such file");
    CHECK(refusal(replaced(k_arm, "2 2 2", "2 two 2")).find("line 8: <mesh>: scale=\"2 two 2\"") ==
          0);
    CHECK(refusal(replaced(k_arm, "1 2 3", "1 2")).find("line 7: <origin>") == 0);
    CHECK(refusal("<robot name=\"r\">\n<link name=\"a\">\n<collision>\n</link></robot>")
              .find("line 3: <collision> does not end") == 0);
    CHECK(refusal("<robot name=\"r\">\n<link").find("line 2: a tag does not end") == 0);
    CHECK(refusal("<robot name=\"r\">\n<!-- ").find("line 2") == 0);
    CHECK(refusal("<robot name=r>").find("not quoted") != std::string::npos);
}
