#include "fovea/scene/gltf_check.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace fovea {

namespace {

constexpr int k_deepest = 64;
constexpr int k_most_parents = 1000; ///< nodes with children: bounds the hierarchy's depth

/// The JSON of a binary file: a header of 12 bytes, then chunks of length, type and contents, JSON
/// first (glTF 2.0, 4.4).
Result<std::string_view> json_of_binary(std::string_view bytes) {
    constexpr std::size_t k_header = 12, k_chunk_header = 8;
    for (std::size_t at = k_header; at < bytes.size();) {
        std::uint32_t length = 0;
        if (bytes.size() - at < k_chunk_header) return failure("a chunk's header is cut short");
        std::memcpy(&length, bytes.data() + at, sizeof length);
        at += k_chunk_header;
        if (length > bytes.size() - at)
            return failure(fmt::format("a chunk of {} bytes is cut short", length));
        at += length;
    }
    if (bytes.size() < k_header + k_chunk_header) return failure("it has no chunks");
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + k_header, sizeof length);
    return bytes.substr(k_header + k_chunk_header, length);
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t count(std::string_view text, std::string_view word) {
    std::size_t found = 0;
    for (auto at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + word.size()))
        ++found;
    return found;
}

/// One pass over the JSON, aware only of strings, brackets and digits.
Result<void> check_json(std::string_view json, std::size_t largest) {
    int depth = 0;
    bool in_string = false;
    std::size_t integer = 0;
    char before = ' ';
    for (std::size_t i = 0; i < json.size(); before = json[i], ++i) {
        const char c = json[i];
        if (in_string) {
            if (c == '\\' && i + 1 < json.size()) ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > k_deepest)
                return failure(fmt::format("its JSON is nested deeper than {}", k_deepest));
        } else if (c == '}' || c == ']') {
            --depth;
        } else if (is_digit(c)) {
            if (before == '.') // the digits of a fraction have no size
                while (i + 1 < json.size() && is_digit(json[i + 1])) ++i;
            integer = is_digit(before) ? integer * 10 + std::size_t(c - '0') : std::size_t(c - '0');
            if (integer > largest)
                return failure(fmt::format("it has a number larger than {}", largest));
        }
    }
    // An escaped character could hide the word, so it counts like one.
    if (count(json, "\"children\"") + count(json, "\\u") > k_most_parents)
        return failure(fmt::format("more than {} of its nodes have children", k_most_parents));
    return {};
}

} // namespace

Result<void> check_gltf(std::span<const std::byte> bytes, std::size_t largest) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!text.starts_with("glTF")) return check_json(text, largest);
    return json_of_binary(text).and_then(
        [&](std::string_view json) { return check_json(json, largest); });
}

} // namespace fovea
