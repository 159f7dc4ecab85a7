#include "fovea/scene/mesh_sequence.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace fovea {

namespace {

namespace fs = std::filesystem;

/// A name as its parts: "cloth_", "007", ".obj".
struct NumberedName {
    std::string before, digits, extension;

    explicit NumberedName(const fs::path& path)
        : before(path.stem().string())
        , extension(path.extension().string()) {
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        std::size_t end = before.size();
        while (end > 0 && is_digit(before[end - 1])) --end;
        digits = before.substr(end);
        before.resize(end);
    }

    std::optional<std::uint32_t> number() const {
        std::uint32_t value = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return read.ec == std::errc() && !digits.empty() ? std::optional(value) : std::nullopt;
    }
    /// Written as wide as this one, at least.
    std::string with(std::uint32_t value) const {
        return fmt::format("{}{:0{}}{}", before, value, digits.size(), extension);
    }
};

tl::unexpected<Error> refused(const fs::path& path, const std::string& what) {
    return failure(fmt::format("mesh file {}: {}", path.string(), what));
}

/// The numbers above that of `first` for which there is a file.
Result<std::vector<std::uint32_t>> later_numbers(const fs::path& first, const NumberedName& name,
                                                 std::uint32_t start) {
    const fs::path folder = first.has_parent_path() ? first.parent_path() : fs::path(".");
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    std::vector<std::uint32_t> numbers;
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const fs::path file = entry->path().filename();
        const auto number = NumberedName(file).number();
        if (number && *number > start && file.string() == name.with(*number))
            numbers.push_back(*number);
    }
    if (error) return failure(fmt::format("folder {}: {}", folder.string(), error.message()));
    std::ranges::sort(numbers);
    return numbers;
}

Result<void> check_same(const TriangleMesh& first, const TriangleMesh& other,
                        const std::string& first_name) {
    const auto differs = [&](const char* what, std::size_t here, std::size_t there) {
        return failure(fmt::format("has {} {}, but {} has {}", here, what, first_name, there));
    };
    if (other.vertices.size() != first.vertices.size())
        return differs("vertices", other.vertices.size(), first.vertices.size());
    if (other.triangles.size() != first.triangles.size())
        return differs("triangles", other.triangles.size(), first.triangles.size());
    const auto [mine, theirs] = std::ranges::mismatch(other.triangles, first.triangles);
    if (mine == other.triangles.end()) return {};
    return failure(fmt::format("triangle {} joins other vertices than in {}",
                               mine - other.triangles.begin(), first_name));
}

} // namespace

Result<MeshSequence> import_mesh_sequence(const fs::path& first, const MeshLimits& limits) {
    const NumberedName name(first.filename());
    const auto start = name.number();
    if (!start)
        return refused(first,
                       "the first of a sequence must end in a number, as cloth_000.obj does");
    auto mesh = import_mesh_as_listed(first, limits);
    if (!mesh) return tl::unexpected(mesh.error());
    const auto numbers = later_numbers(first, name, *start);
    if (!numbers) return tl::unexpected(numbers.error());

    MeshSequence sequence;
    sequence.frames.push_back(mesh->vertices);
    // What the frames of a short hostile text could take together.
    const std::size_t most =
        3 * limits.max_triangles / std::max<std::size_t>(mesh->vertices.size(), 1);
    for (std::size_t i = 0; i < numbers->size(); ++i) {
        const std::uint32_t expected = *start + std::uint32_t(i) + 1;
        const fs::path file = first.parent_path() / name.with(expected);
        if ((*numbers)[i] != expected)
            return refused(file,
                           fmt::format("is missing, but there is {}", name.with((*numbers)[i])));
        if (sequence.frames.size() >= most)
            return refused(file, fmt::format("a sequence may have {} vertices in all its files",
                                             3 * limits.max_triangles));
        const auto frame = import_mesh_as_listed(file, limits);
        if (!frame) return tl::unexpected(frame.error());
        if (const auto same = check_same(*mesh, *frame, first.filename().string()); !same)
            return refused(file, same.error().message);
        sequence.frames.push_back(frame->vertices);
    }
    sequence.first = std::move(*mesh);
    return sequence;
}

} // namespace fovea
