// Meshes from numbered files, and the surfaces that play them.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "fovea/scene/mesh_sequence.h"
#include "fovea/scene/populate.h"
#include "scene_support.h"

using namespace fovea;

namespace {

namespace fs = std::filesystem;

/// A folder that is gone at the end.
struct Folder {
    fs::path path;

    explicit Folder(const std::string& name)
        : path(fs::temp_directory_path() / ("fovea_sequence_" + name)) {
        fs::remove_all(path);
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(path / name, std::ios::binary) << text;
    }
};

/// A square of two triangles at the given height; two vertices of it coincide where it is folded.
std::string square(float height, bool folded = false) {
    std::string text;
    for (const auto& [x, z] : {std::pair{-2, -2}, {-2, 2}, {2, -2}, {2, 2}})
        text += "v " + std::to_string(folded ? -2 : x) + " " + std::to_string(height) + " " +
                std::to_string(z) + "\n";
    return text + "f 1 2 3\nf 3 2 4\n";
}

std::string square_ply(float height) {
    const std::string y = std::to_string(height);
    return "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
           "property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
           "-2 " +
           y + " -2\n-2 " + y + " 2\n2 " + y + " -2\n2 " + y + " 2\n3 0 1 2\n3 2 1 3\n";
}

bool mentions(const std::string& text, const std::string& word) {
    return text.find(word) != std::string::npos;
}

} // namespace

TEST_CASE("a sequence is read in the order of its numbers, vertex by vertex") {
    const Folder folder("order");
    for (int i = 8; i <= 11; ++i)
        folder.write("up_" + std::string(i < 10 ? "0" : "") + std::to_string(i) + ".obj",
                     square(float(i)));
    folder.write("up_09.obj", square(9, true)); // corners that meet stay two vertices
    folder.write("up_9.obj", "nonsense");       // written otherwise: not of this sequence
    folder.write("up_10.ply", "nonsense");
    folder.write("upper_12.obj", "nonsense");
    folder.write("up_07.obj", square(7)); // before the first
    const auto read = import_mesh_sequence(folder.path / "up_08.obj");
    REQUIRE_MESSAGE(read, read.error().message);
    REQUIRE(read->frames.size() == 4);
    CHECK(read->first.triangles.size() == 2);
    for (std::size_t i = 0; i < 4; ++i) {
        REQUIRE(read->frames[i].size() == 4);
        CHECK(read->frames[i][3].y == float(8 + i));
        CHECK(read->frames[i][3].x == (i == 1 ? -2 : 2));
    }
    folder.write("p0.ply", square_ply(1));
    folder.write("p1.ply", square_ply(2));
    const auto ply = import_mesh_sequence(folder.path / "p0.ply");
    REQUIRE_MESSAGE(ply, ply.error().message);
    CHECK(ply->frames.size() == 2);
    CHECK(ply->frames[1][0].y == 2);
}

TEST_CASE("broken sequences are refused with the name of the file") {
    const Folder folder("broken");
    const auto error = [&](const char* first, const MeshLimits& limits = {}) {
        const auto read = import_mesh_sequence(folder.path / first, limits);
        REQUIRE(!read);
        return read.error().message;
    };
    for (const char* name : {"a_000.obj", "a_001.obj", "a_003.obj"}) folder.write(name, square(0));
    CHECK(mentions(error("a_000.obj"), "a_002.obj: is missing, but there is a_003.obj"));
    folder.write("a_002.obj", square(0) + "v 0 0 0\n");
    CHECK(mentions(error("a_000.obj"), "a_002.obj: has 5 vertices, but a_000.obj has 4"));
    folder.write("a_002.obj", square(0) + "f 1 2 4\n");
    CHECK(mentions(error("a_000.obj"), "a_002.obj: has 3 triangles, but a_000.obj has 2"));
    folder.write("a_002.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\nf 1 2 4\n");
    CHECK(mentions(error("a_000.obj"), "a_002.obj: triangle 1 joins other vertices"));
    folder.write("a_002.obj", "v 0 nan 0\n");
    CHECK(mentions(error("a_000.obj"), "a_002.obj"));
    folder.write("a_002.obj", square(0));
    CHECK(mentions(error("a_000.obj", {.max_triangles = 4}), "12 vertices in all"));
    CHECK(import_mesh_sequence(folder.path / "a_000.obj"));
    CHECK(mentions(error("a_005.obj"), "no such file"));
    folder.write("still.obj", square(0));
    CHECK(mentions(error("still.obj"), "must end in a number"));
    folder.write("b_0.stl", "solid");
    CHECK(mentions(error("b_0.stl"), "obj and ply files alone"));
}

TEST_CASE("frames are played at their rate, to the end and on") {
    const auto frames = std::make_shared<const std::vector<std::vector<Vec3>>>(
        std::vector<std::vector<Vec3>>{{{0, 0, 0}}, {{0, 1, 0}}, {{0, 4, 0}}});
    const auto height = [&](SurfaceFrames::End end, double time) {
        std::vector<Vec3> vertices;
        SceneMotion{0, SurfaceFrames{frames, 2, end}}.vertices_at(time, {}, vertices);
        return vertices[0].y;
    };
    using enum SurfaceFrames::End;
    for (const auto end : {stay, repeat, reverse}) {
        CHECK(height(end, 0) == 0);
        CHECK(height(end, 0.25) == 0.5f);
        CHECK(height(end, 0.75) == 2.5f);
    }
    CHECK(height(stay, 1) == 4);
    CHECK(height(stay, 100) == 4);
    CHECK(height(repeat, 1.25) == 2); // half way back to the first
    CHECK(height(repeat, 1.5) == 0);
    CHECK(height(repeat, 1.5 + 0.25) == 0.5f);
    CHECK(height(reverse, 1.25) == 2.5f);
    CHECK(height(reverse, 2) == 0);
    CHECK(height(reverse, 2.25) == 0.5f);
}

TEST_CASE("a scene lifts a ball with a sequence") {
    const Folder folder("scene");
    for (int i = 0; i < 4; ++i)
        folder.write("lift_" + std::to_string(i) + ".obj", square(float(i) * 0.5f));
    const auto parsed = parse_scene("surface { file \"lift_0.obj\" rate 2 friction 0.5 }\n"
                                    "sphere { radius 0.5 mass 1 centre 0,0.5,0 elastic 0 }",
                                    {.meshes = {.directory = folder.path}});
    REQUIRE_MESSAGE(parsed.reports() == 0, describe(parsed));
    REQUIRE(parsed.scene.motions.size() == 1);
    auto populated = populate(parsed.scene, {});
    REQUIRE(populated);
    for (int i = 0; i < 60; ++i) CHECK(populated->step(1.0f / 60).warnings.empty());
    // Two frames a second, half a metre apart: 1 m/s.
    CHECK(populated->world.velocity(populated->bodies[1]).y == doctest::Approx(1).epsilon(0.01));
    for (int i = 0; i < 180; ++i) populated->step(1.0f / 60);
    CHECK(populated->world.transform(populated->bodies[1]).position.y ==
          doctest::Approx(2).epsilon(0.01));
}

TEST_CASE("a scene lifts a ball with a mesh that morphs") {
    const Folder folder("morph");
    for (int i = 0; i < 3; ++i)
        folder.write("pose_" + std::to_string(i) + ".obj", square(float(i) * 0.5f));
    const auto scene = [&](const std::string& weights) {
        return parse_scene("surface { file \"pose_0.obj\" weights \"" + weights +
                               "\" rate 2 friction 0.5 }\n"
                               "sphere { radius 0.5 mass 1 centre 0,0.5,0 elastic 0 }",
                           {.meshes = {.directory = folder.path}});
    };
    const auto parsed = scene("1 0 0; 0 1 0; 0,0.5,0.5;0 0 1");
    REQUIRE_MESSAGE(parsed.reports() == 0, describe(parsed));
    auto populated = populate(parsed.scene, {});
    REQUIRE(populated);
    const auto& ball = populated->bodies[1];
    // The sheet is at 0, 0.5, 0.75 and 1 m after 0, 0.5, 1 and 1.5 s, and stays there.
    for (int i = 0; i < 25; ++i) CHECK(populated->step(1.0f / 60).warnings.empty());
    CHECK(populated->world.velocity(ball).y == doctest::Approx(1).epsilon(0.01));
    CHECK(populated->world.vertices(populated->bodies[0])[0].y ==
          doctest::Approx(24.0 / 60).epsilon(1e-5));
    for (int i = 0; i < 180; ++i) populated->step(1.0f / 60);
    CHECK(populated->world.transform(ball).position.y == doctest::Approx(1.5).epsilon(0.01));

    const auto fault = [&](const std::string& weights) {
        const auto wrong = scene(weights);
        REQUIRE(wrong.reports() == 1);
        return describe(wrong);
    };
    CHECK(mentions(fault("1 0; 0 1 0"), "row 1 has 2 weights, but there are 3 meshes"));
    CHECK(mentions(fault("1 0 0; 0 1 0.5"), "row 2 must lie between 0 and 1 and sum to 1"));
    CHECK(mentions(fault("1 0 0; 2 -1 0"), "row 2"));
    CHECK(mentions(fault("1 0 0; nan 0 0"), "row 2"));
    CHECK(mentions(fault("1 0 x"), "'x' is not a number"));
    CHECK(mentions(fault("1 0 0;"), "row 2 has 0 weights"));
}

TEST_CASE("surfaces are checked like other declarations") {
    const auto fault = [](const std::string& text) {
        const auto parsed = parse_scene(text);
        REQUIRE(parsed.reports() == 1);
        return describe(parsed);
    };
    CHECK(parse_scene("surface { width 4 cells 8 wave 0.2 length 2 period 1 }").reports() == 0);
    CHECK(mentions(fault("surface { }"), "either 'width' or 'file'"));
    CHECK(mentions(fault("surface { width 4 file \"a_0.obj\" }"), "either 'width' or 'file'"));
    CHECK(mentions(fault("surface { width 4 rate 3 }"), "'rate'"));
    CHECK(mentions(fault("surface { file \"a_0.obj\" wave 3 }"), "'wave'"));
    CHECK(mentions(fault("surface { file \"a_0.obj\" }"), "a_0.obj"));
    CHECK(mentions(fault("surface { width 4 cells 1.5 }"), "whole number"));
    CHECK(mentions(fault("surface { file \"a_0.obj\" end never }"), "stay, repeat or reverse"));
    CHECK(mentions(fault("surface { file \"a_0.obj\" rate 0 }"), "'rate'"));
    CHECK(mentions(fault("surface { file \"a_0.obj\" scale 0 }"), "'scale'"));
    CHECK(mentions(fault("surface { width 1e30 }"), "2^50"));
    CHECK(parse_scene("surface { width 4 }", {.strict = true}).reports() == 1);
    // Each has triangles of its own, and a scene has room for so many.
    std::string many;
    for (int i = 0; i < 6; ++i) many += "surface { width 4 cells 1000 }\n";
    CHECK(parse_scene(many).reports() == 1);
}
