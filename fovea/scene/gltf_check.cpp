#include "fovea/scene/gltf_check.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace fovea {

namespace {

constexpr int k_deepest = 64;
constexpr int k_most_parents = 1000; ///< nodes with children: bounds the hierarchy's depth

std::string_view json_of(std::span<const std::byte> bytes) {
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!text.starts_with("glTF") || text.size() < 20) return text;
    // Header of 12 bytes, then the first chunk: length, type, JSON (glTF 2.0, 4.4).
    std::uint32_t length = 0;
    std::memcpy(&length, text.data() + 12, sizeof length);
    return text.substr(20, length);
}

std::size_t count(std::string_view text, std::string_view word) {
    std::size_t found = 0;
    for (auto at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + word.size()))
        ++found;
    return found;
}

} // namespace

Result<void> check_gltf_nesting(std::span<const std::byte> bytes) {
    const std::string_view json = json_of(bytes);
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > k_deepest)
                return failure(fmt::format("its JSON is nested deeper than {}", k_deepest));
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    // An escaped character could hide the word, so it counts like one.
    if (count(json, "\"children\"") + count(json, "\\u") > k_most_parents)
        return failure(fmt::format("more than {} of its nodes have children", k_most_parents));
    return {};
}

} // namespace fovea
