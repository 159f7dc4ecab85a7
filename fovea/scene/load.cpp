// Reading scene text from files and streams, no more of it than is allowed.
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "fovea/scene/parse.h"

namespace fovea {

namespace {

tl::unexpected<Error> too_large(std::string_view name, std::size_t limit) {
    return failure(
        fmt::format("{}: larger than {} bytes, the most that a scene may have", name, limit));
}

/// The whole stream, or an error as soon as it turns out to be larger than `limit`.
Result<std::string> read_bounded(std::istream& stream, std::string_view name, std::size_t limit) {
    constexpr std::size_t k_chunk = std::size_t(1) << 16;
    std::string text;
    while (stream) {
        const std::size_t before = text.size();
        text.resize(before + k_chunk);
        stream.read(text.data() + before, k_chunk);
        text.resize(before + std::size_t(stream.gcount()));
        if (text.size() > limit) return too_large(name, limit);
    }
    if (stream.bad() || !stream.eof()) return failure(fmt::format("{}: cannot be read", name));
    return text;
}

} // namespace

Result<ParsedScene> read_scene(std::istream& stream, std::string name,
                               const ParseSettings& settings, const DeclarationTable& table) {
    const Result<std::string> text = read_bounded(stream, name, settings.max_bytes);
    if (!text) return tl::unexpected(text.error());
    ParsedScene parsed = parse_scene(*text, settings, table);
    parsed.file = std::move(name);
    return parsed;
}

Result<ParsedScene> load_scene(const std::filesystem::path& path, ParseSettings settings,
                               const DeclarationTable& table) {
    const std::string name = path.string();
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found)
        return failure(fmt::format("{}: no such file", name));
    if (error) return failure(fmt::format("{}: {}", name, error.message()));
    if (std::filesystem::is_directory(status))
        return failure(fmt::format("{}: is a directory, not a scene", name));
    if (std::filesystem::is_regular_file(status)) {
        const auto size = std::filesystem::file_size(path, error);
        if (!error && size > settings.max_bytes) return too_large(name, settings.max_bytes);
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return failure(fmt::format("{}: cannot be opened for reading", name));
    if (settings.meshes.directory.empty()) settings.meshes.directory = path.parent_path();
    return read_scene(stream, name, settings, table);
}

} // namespace fovea
