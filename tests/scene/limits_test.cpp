// Hostile and merely wrong input: sizes, floods of errors, files that are none.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <streambuf>
#include <string>

#include "scene_support.h"

using namespace fovea;

namespace {

const std::string k_ball = "sphere { radius 1 mass 1 centre 0,0,0 }\n";

std::string repeated(const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
}

/// An endless stream that counts what is taken from it.
class Endless : public std::streambuf {
  public:
    std::size_t taken = 0;

  protected:
    std::streamsize xsgetn(char* to, std::streamsize count) override {
        std::fill_n(to, count, ' ');
        taken += std::size_t(count);
        return count;
    }
    int_type underflow() override { return ' '; }
};

/// A directory of its own, gone at the end.
struct Folder {
    std::filesystem::path path;

    Folder()
        : path(std::filesystem::temp_directory_path() /
               ("fovea_scene_test_" + std::to_string(std::size_t(&path)))) {
        std::filesystem::create_directories(path);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::filesystem::path write(const char* name, const std::string& text) const {
        std::ofstream(path / name, std::ios::binary) << text;
        return path / name;
    }
};

} // namespace

TEST_CASE("reports beyond the limit are counted, not kept") {
    const ParsedScene parsed = parse_scene(repeated("sphere;", 1000) + repeated("}", 500));
    CHECK(parsed.diagnostics.size() == 100);
    CHECK(parsed.rejected == 1000);
    CHECK(parsed.stray == 500);
    CHECK(describe(parsed).find("... and 1400 more") != std::string::npos);
}

TEST_CASE("faults beyond the limit are counted, not kept") {
    const ParsedScene parsed = parse_scene("sphere {" + repeated(" x 1 radius 2", 1000) + "}");
    REQUIRE(parsed.diagnostics.size() == 1);
    CHECK(parsed.diagnostics[0].faults.size() == 100);
    // 1000 unknown, 999 duplicates, two missing, less those kept.
    CHECK(parsed.diagnostics[0].faults_left_out == 1901);
    CHECK(describe(parsed).find("2001 faults") != std::string::npos);
}

TEST_CASE("nesting does not recurse") {
    for (const char* open : {"{", "a{", "sphere{radius ", "-", "[", "(", "sphere { point - "}) {
        const ParsedScene parsed = parse_scene(repeated(open, 300000));
        CHECK(parsed.accepted == 0);
        CHECK(parsed.reports() > 0);
    }
}

TEST_CASE("long tokens are cut in messages") {
    const std::string name(100000, 'x'), digits(100000, '9');
    const ParsedScene parsed =
        parse_scene(name + "; sphere { " + name + " 1 mass " + digits + " name \"" + name + "\" }");
    CHECK(parsed.rejected == 2);
    CHECK(describe(parsed).size() < 2000);
}

TEST_CASE("bodies, springs and lights have limits") {
    ParseSettings settings;
    settings.max_bodies = 3;
    const ParsedScene parsed =
        parse_scene(repeated(k_ball, 5) + "light { position 0,1,0 }", settings);
    CHECK(parsed.scene.bodies.size() == 3);
    CHECK(parsed.accepted == 4);
    CHECK(parsed.rejected == 2);
    settings = {};
    settings.max_springs = 2;
    CHECK(parse_scene("sphere { radius 1 mass 1 centre 0,0,0 name a }"
                      "sphere { radius 1 mass 1 centre 0,5,0 name b }" +
                          repeated("spring { from a to b stiffness 1 }", 3),
                      settings)
              .scene.springs.size() == 2);
    CHECK(parse_scene(repeated("light { position 0,1,0 }", 100)).scene.lights.size() == 64);
}

TEST_CASE("meshes have limits, each and together") {
    ParseSettings settings;
    settings.meshes.max_triangles = 1000;
    const ParsedScene parsed = parse_scene("mesh { kind gear detail 64 } mesh { kind gear }"
                                           "mesh { kind gear } mesh { kind gear scale 2 }"
                                           "mesh { kind gear scale 3 } mesh { kind gear scale 4 }"
                                           "mesh { kind gear scale 5 } mesh { kind gear }",
                                           settings);
    CHECK(parsed.rejected >= 2);
    CHECK(parsed.accepted >= 3);
    std::size_t triangles = 0;
    for (const SceneBody& body : parsed.scene.bodies)
        triangles = std::max(triangles, std::get<MeshSurface>(body.shape).data->triangles.size());
    CHECK(triangles < 1000);
    // A mesh may be scaled to any size that floats can hold, and no further.
    CHECK(parse_scene("mesh { kind gear scale 1e38 }").accepted == 1);
    // Half of the smallest float is nothing.
    CHECK(parse_scene("capsule { radius 1 height 1.4e-45 centre 0,0,0 }").rejected == 1);
}

TEST_CASE("files that are none, or are too large, give one clear error") {
    const Folder folder;
    const auto error = [](const std::filesystem::path& path, ParseSettings settings = {}) {
        const auto loaded = load_scene(path, settings);
        REQUIRE(!loaded.has_value());
        CHECK(loaded.error().message.find(path.string()) == 0);
        return loaded.error().message;
    };
    CHECK(error(folder.path / "missing.scene").find("no such file") != std::string::npos);
    CHECK(error(folder.path).find("directory") != std::string::npos);
    CHECK(error(folder.write("plain", "") / "below").size() > 0);

    ParseSettings settings;
    settings.max_bytes = 100;
    CHECK(error(folder.write("large.scene", std::string(101, ' ')), settings)
              .find("larger than 100 bytes") != std::string::npos);
    CHECK(load_scene(folder.write("fits.scene", std::string(100, ' ')), settings).has_value());
    // A sparse file of a terabyte is refused by its size, unread.
    const auto sparse = folder.write("sparse.scene", "");
    std::error_code code;
    std::filesystem::resize_file(sparse, std::uintmax_t(1) << 40, code);
    if (!code) CHECK(error(sparse).find("larger") != std::string::npos);
    if (std::filesystem::exists("/dev/zero"))
        CHECK(error("/dev/zero").find("larger") != std::string::npos);
}

TEST_CASE("an endless stream is given up soon after the limit") {
    Endless endless;
    std::istream stream(&endless);
    ParseSettings settings;
    settings.max_bytes = 1 << 20;
    const auto read = read_scene(stream, "standard input", settings);
    REQUIRE(!read.has_value());
    CHECK(read.error().message.find("standard input: larger than 1048576 bytes") == 0);
    CHECK(endless.taken <= (1 << 20) + (1 << 17));
}

TEST_CASE("a stream and a file give the same scene, named in messages") {
    const Folder folder;
    const std::string text = k_ball + "sphere;\n" + k_ball;
    const auto loaded = load_scene(folder.write("two.scene", text));
    std::istringstream stream(text);
    const auto read = read_scene(stream, "standard input");
    REQUIRE(loaded.has_value());
    REQUIRE(read.has_value());
    CHECK(loaded->scene.bodies.size() == 2);
    CHECK(read->scene.bodies.size() == 2);
    CHECK(describe(*read).find("standard input:2:1: sphere") == 0);
    CHECK(describe(*loaded).find("two.scene:2:1: sphere") != std::string::npos);
}

TEST_CASE("mesh files are found beside the scene and bounded") {
    const Folder folder;
    folder.write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                              "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    const auto scene = folder.write("mesh.scene", "mesh { file \"tetra.obj\" scale 2 }\n"
                                                  "mesh { file \"tetra.obj\" mass 1 }\n"
                                                  "mesh { file \"missing.obj\" }\n"
                                                  "mesh { file \".\" }\n"
                                                  "mesh { file \"mesh.scene\" }\n"
                                                  "mesh { file \"/dev/zero.obj\" }\n"
                                                  "mesh { file \"tetra.obj\" kind gear }\n"
                                                  "mesh { file \"tetra.obj\" detail 2 }\n");
    const auto loaded = load_scene(scene);
    REQUIRE(loaded.has_value());
    CHECK(loaded->accepted == 2);
    CHECK(loaded->rejected == 6);
    REQUIRE(loaded->scene.bodies.size() == 2);
    const auto& surface = std::get<MeshSurface>(loaded->scene.bodies[0].shape).data;
    CHECK(surface->triangles.size() == 4);
    CHECK(bounds(*surface).high == Vec3(2, 2, 2));
    CHECK(std::get<SolidMesh>(loaded->scene.bodies[1].shape).data->vertices.size() == 4);
    CHECK(loaded->diagnostics[0].faults[0].message.find("no such file") != std::string::npos);

    ParseSettings settings;
    settings.meshes.files = false;
    CHECK(load_scene(scene, settings)->accepted == 0);
}

TEST_CASE("an open mesh cannot have a mass, but its hull can") {
    const Folder folder;
    folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
    const auto loaded = load_scene(folder.write("open.scene", "mesh { file \"open.obj\" }\n"
                                                              "mesh { file \"open.obj\" mass 1 }\n"
                                                              "mesh { file \"open.obj\" mass 1 "
                                                              "as hull }\n"));
    REQUIRE(loaded.has_value());
    CHECK(loaded->accepted == 2);
    REQUIRE(loaded->diagnostics.size() == 1);
    const auto& fault = loaded->diagnostics[0].faults.at(0);
    CHECK(fault.place.line == 2);
    CHECK(fault.place.column == 13);
    CHECK(fault.message.find("not closed") != std::string::npos);
    CHECK(fault.message.find("'as hull'") != std::string::npos);
}

TEST_CASE("a scene of a hundred thousand bodies is read whole") {
    const ParsedScene parsed = parse_scene(repeated(k_ball, 100000));
    CHECK(parsed.accepted == 100000);
    CHECK(parsed.scene.bodies.size() == 100000);
}
