// Mesh files: every format, joined corners, broken contents.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "fovea/geometry/procedural.h"
#include "fovea/scene/gltf_check.h"
#include "fovea/scene/import_mesh.h"
#include "fovea/scene/weld.h"

using namespace fovea;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

Result<TriangleMesh> import_text(const std::string& text, std::string_view extension,
                                 const MeshLimits& limits = {}) {
    return import_mesh(bytes_of(text), extension, limits);
}

std::string number(float x) {
    return std::to_string(x);
}

std::string to_obj(const TriangleMesh& mesh) {
    std::string text;
    for (const Vec3& v : mesh.vertices)
        text += "v " + number(v.x) + " " + number(v.y) + " " + number(v.z) + "\n";
    for (const auto& t : mesh.triangles)
        text += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " +
                std::to_string(t[2] + 1) + "\n";
    return text;
}

std::string to_stl(const TriangleMesh& mesh) {
    std::string text = "solid thing\n";
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        text += "facet normal 0 0 0\nouter loop\n";
        for (const Vec3& v : corners(mesh, i))
            text += "vertex " + number(v.x) + " " + number(v.y) + " " + number(v.z) + "\n";
        text += "endloop\nendfacet\n";
    }
    return text + "endsolid thing\n";
}

std::string to_binary_stl(const TriangleMesh& mesh) {
    std::string bytes(80, ' ');
    const auto append = [&](const void* data, std::size_t size) {
        bytes.append(static_cast<const char*>(data), size);
    };
    const auto count = std::uint32_t(mesh.triangles.size());
    append(&count, 4);
    for (std::size_t i = 0; i < count; ++i) {
        const float normal[3] = {};
        append(normal, 12);
        for (const Vec3& v : corners(mesh, i)) append(&v, 12);
        append("\0\0", 2);
    }
    return bytes;
}

std::string to_ply(const TriangleMesh& mesh) {
    std::string text = "ply\nformat ascii 1.0\nelement vertex " +
                       std::to_string(mesh.vertices.size()) +
                       "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
                       std::to_string(mesh.triangles.size()) +
                       "\nproperty list uchar int vertex_indices\nend_header\n";
    for (const Vec3& v : mesh.vertices)
        text += number(v.x) + " " + number(v.y) + " " + number(v.z) + "\n";
    for (const auto& t : mesh.triangles)
        text += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " +
                std::to_string(t[2]) + "\n";
    return text;
}

std::string base64(const std::string& bytes) {
    const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t triple = 0;
        for (std::size_t k = 0; k < 3; ++k)
            triple = triple << 8 | (i + k < bytes.size() ? std::uint8_t(bytes[i + k]) : 0u);
        for (int k = 3; k >= 0; --k)
            text += i + std::size_t(3 - k) > bytes.size() ? '=' : digits[triple >> (6 * k) & 63];
    }
    return text;
}

/// A mesh under a node that moves it by (0, 0, 5).
std::string to_gltf(const TriangleMesh& mesh) {
    std::string buffer;
    for (const Vec3& v : mesh.vertices) buffer.append(reinterpret_cast<const char*>(&v), 12);
    const std::string points = std::to_string(buffer.size());
    for (const auto& t : mesh.triangles) buffer.append(reinterpret_cast<const char*>(&t), 12);
    const std::string indices = std::to_string(12 * mesh.triangles.size());
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,)"
           R"("translation":[0,0,5]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},)"
           R"("indices":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":)" +
           std::to_string(mesh.vertices.size()) +
           R"(,"type":"VEC3","min":[-1,-1,-1],"max":[1,1,1]},)"
           R"({"bufferView":1,"componentType":5125,"count":)" +
           std::to_string(3 * mesh.triangles.size()) +
           R"(,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":)" +
           points + R"(},{"buffer":0,"byteOffset":)" + points + R"(,"byteLength":)" + indices +
           R"(}],"buffers":[{"byteLength":)" + std::to_string(buffer.size()) +
           R"(,"uri":"data:application/octet-stream;base64,)" + base64(buffer) + R"("}]})";
}

} // namespace

TEST_CASE("a closed mesh survives the way through each format") {
    const TriangleMesh gear = *make_procedural("gear", 1);
    REQUIRE(is_closed_and_oriented(gear));
    const std::pair<std::string, const char*> files[] = {{to_obj(gear), "obj"},
                                                         {to_stl(gear), "stl"},
                                                         {to_binary_stl(gear), "stl"},
                                                         {to_ply(gear), "ply"},
                                                         {to_gltf(gear), "gltf"}};
    for (const auto& entry : files) {
        const auto& text = entry.first;
        const auto& extension = entry.second;
        CAPTURE(extension);
        const auto mesh = import_text(text, extension);
        REQUIRE_MESSAGE(mesh.has_value(), (mesh ? "" : mesh.error().message));
        CHECK(mesh->vertices.size() == gear.vertices.size());
        CHECK(mesh->triangles.size() == gear.triangles.size());
        CHECK(is_closed_and_oriented(*mesh));
        // Six decimals of coordinates below 1 over a surface of about 3.
        CHECK(std::abs(signed_volume(*mesh) - signed_volume(gear)) < 1e-5);
    }
    // The glTF node's transform has been applied.
    CHECK(std::abs(bounds(*import_text(to_gltf(gear), "gltf")).centre().z - 5) < 1e-5f);
}

TEST_CASE("polygons become triangles, and parts one mesh") {
    const auto mesh = import_text("o a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"
                                  "o b\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 5 6 7\np 1\nl 1 2\n",
                                  "obj");
    REQUIRE_MESSAGE(mesh.has_value(), (mesh ? "" : mesh.error().message));
    CHECK(mesh->triangles.size() == 3);
    CHECK(mesh->vertices.size() == 7);
}

TEST_CASE("broken mesh files are refused with words") {
    const std::pair<const char*, const char*> broken[] = {
        {"", "obj"},
        {"hello", "obj"},
        {"v 0 0 0\n", "obj"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "obj"},
        {"v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n", "obj"},
        {"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "obj"},
        {"v 1e39 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "obj"},
        {"", "stl"},
        {"solid x\nendsolid x\n", "stl"},
        {"solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0", "stl"},
        {"", "ply"},
        {"ply\nformat ascii 1.0\nend_header\n", "ply"},
        {"ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n", "ply"},
        {"", "gltf"},
        {"{}", "gltf"},
        {"[[[", "gltf"},
        {"glTF\x02\0\0\0", "glb"},
    };
    for (const auto& entry : broken) {
        const auto& text = entry.first;
        const auto& extension = entry.second;
        CAPTURE(text);
        const auto mesh = import_text(text, extension);
        CHECK(!mesh.has_value());
        if (!mesh) CHECK(!mesh.error().message.empty());
    }
    CHECK(!import_text("solid", "blend").has_value());
}

TEST_CASE("mesh limits are kept") {
    const TriangleMesh gear = *make_procedural("gear", 1);
    CHECK(!import_text(to_obj(gear), "obj", {.max_triangles = 10}).has_value());
    CHECK(!import_text(to_obj(gear), "obj", {.max_bytes = 10}).has_value());
    CHECK(import_mesh("missing.obj").error().message == "mesh file missing.obj: no such file");
    CHECK(!import_mesh("/dev").has_value());
}

TEST_CASE("glTF that is deep, cut short or claims much is refused before assimp sees it") {
    const auto sound = [](const std::string& json) {
        return check_gltf(bytes_of(json), 1000000).has_value();
    };
    CHECK(sound(std::string(64, '[') + std::string(64, ']')));
    CHECK_FALSE(sound(std::string(65, '[')));
    CHECK(sound("{\"name\":\"" + std::string(1000, '[') + "\\\"[99999999\"}"));
    std::string chain;
    for (int i = 0; i < 1001; ++i) chain += "{\"children\":[1]},";
    CHECK_FALSE(sound(chain));
    CHECK(sound("[1000000, 0.99999999999999, -3.5e7, 123]"));
    CHECK_FALSE(sound("[1000001]"));
    CHECK_FALSE(sound("[99999999999999999999999999]"));

    const auto chunk = [](const std::string& contents, std::uint32_t length) {
        return std::string(reinterpret_cast<const char*>(&length), 4) + "JSON" + contents;
    };
    const std::string header("glTF\2\0\0\0\0\0\0\0", 12);
    CHECK(sound(header + chunk("{}  ", 4)));
    CHECK(sound(header + chunk("{}  ", 4) + chunk(std::string(500, '['), 500)));
    CHECK_FALSE(sound(header + chunk(std::string(66, '{'), 66)));
    CHECK_FALSE(sound(header + chunk("{}  ", 5)));
    CHECK_FALSE(sound(header + chunk("{}  ", 4) + chunk("", 0xffffffffu)));
    CHECK_FALSE(sound(header));
    CHECK_FALSE(sound(header + "abc"));
}

TEST_CASE("welding joins equal positions and drops what is degenerate") {
    TriangleMesh mesh{{{0, 0, 0},
                       {1, 0, 0},
                       {0, 1, 0},
                       {1, 0, 0},
                       {0, 1, 0},
                       {1, 1, 0},
                       {9, 9, 9},
                       {-0.0f, 0, 0}},
                      {{0, 1, 2}, {3, 5, 4}, {0, 1, 3}, {7, 0, 2}}};
    weld(mesh);
    CHECK(mesh.vertices.size() == 4);
    CHECK(mesh.triangles == std::vector<TriangleMesh::Triangle>{{0, 1, 2}, {1, 3, 2}});
}
