#include <cstring>

#include <fmt/format.h>

#include "fovea/scene/diagnostic.h"
#include "fovea/scene/mesh_readers.h"
#include "fovea/scene/text_cursor.h"

namespace fovea {

namespace {

std::optional<Vec3> read_vector(TextCursor& words) {
    const auto x = words.number<float>(), y = words.number<float>(), z = words.number<float>();
    if (!x || !y || !z) return std::nullopt;
    return Vec3(*x, *y, *z);
}

/// The vertex of a face's corner, written "7", "7/1", "7//2" or, from the end, "-1".
std::optional<std::uint32_t> obj_corner(std::string_view word, std::size_t vertices) {
    const auto index = TextCursor::parse<std::int64_t>(word.substr(0, word.find('/')));
    if (!index) return std::nullopt;
    const std::int64_t from_zero = *index > 0 ? *index - 1 : std::int64_t(vertices) + *index;
    if (*index == 0 || from_zero < 0 || from_zero >= std::int64_t(vertices)) return std::nullopt;
    return std::uint32_t(from_zero);
}

Result<TriangleMesh> read_binary_stl(std::string_view bytes) {
    constexpr std::size_t k_header = 84, k_record = 50, k_normal = 12;
    TriangleMesh mesh;
    for (std::size_t at = k_header; at < bytes.size(); at += k_record) {
        std::array<Vec3, 3> corners;
        std::memcpy(corners.data(), bytes.data() + at + k_normal, sizeof corners);
        const auto first = std::uint32_t(mesh.vertices.size());
        mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

/// Whether the size is just what the count in a binary file's header asks for.
bool is_binary_stl(std::string_view bytes) {
    if (bytes.size() < 84) return false;
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + 80, sizeof count);
    return bytes.size() == 84 + std::size_t(50) * count;
}

} // namespace

Result<TriangleMesh> read_obj(std::string_view bytes) {
    TriangleMesh mesh;
    TextCursor text(bytes);
    for (std::size_t line = 1; !text.at_end(); ++line) {
        TextCursor words(text.line());
        const std::string_view what = words.word();
        if (what == "v") {
            const auto vertex = read_vector(words);
            if (!vertex)
                return failure(fmt::format("line {}: a vertex is not three numbers", line));
            mesh.vertices.push_back(*vertex);
        } else if (what == "f") {
            TriangleMesh::Triangle fan{};
            std::size_t corners = 0;
            for (auto word = words.word(); !word.empty(); word = words.word(), ++corners) {
                const auto corner = obj_corner(word, mesh.vertices.size());
                if (!corner)
                    return failure(fmt::format("line {}: '{}' is not a vertex; there are {} so far",
                                               line, readable(word), mesh.vertices.size()));
                fan[1] = fan[2];
                fan[corners == 0 ? 0 : 2] = *corner;
                if (corners >= 2) mesh.triangles.push_back(fan);
            }
            if (corners < 3)
                return failure(fmt::format("line {}: a face has {} corners", line, corners));
        }
    }
    return mesh;
}

Result<TriangleMesh> read_stl(std::string_view bytes) {
    if (is_binary_stl(bytes)) return read_binary_stl(bytes);
    if (!bytes.starts_with("solid"))
        return failure("not STL: neither text that starts with 'solid' nor a binary file whose "
                       "size fits its number of triangles");
    TriangleMesh mesh;
    TextCursor text(bytes);
    for (std::size_t line = 1; !text.at_end(); ++line) {
        TextCursor words(text.line());
        const std::string_view what = words.word();
        if (what == "vertex") {
            const auto vertex = read_vector(words);
            if (!vertex)
                return failure(fmt::format("line {}: a vertex is not three numbers", line));
            mesh.vertices.push_back(*vertex);
        } else if (what == "endfacet") {
            const auto end = std::uint32_t(mesh.vertices.size());
            if (end != 3 * (mesh.triangles.size() + 1))
                return failure(fmt::format("line {}: a facet has not three vertices", line));
            mesh.triangles.push_back({end - 3, end - 2, end - 1});
        }
    }
    if (mesh.vertices.size() != 3 * mesh.triangles.size())
        return failure("the file ends within a facet");
    return mesh;
}

} // namespace fovea
