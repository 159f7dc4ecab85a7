// What tests of the scene language share.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "fovea/scene/parse.h"

namespace fovea {

/// Strict: the original language alone.
inline ParsedScene parse_strictly(std::string_view text) {
    return parse_scene(text, {.strict = true});
}

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

inline std::filesystem::path source_path(const char* below) {
    return std::filesystem::path(FOVEA_SOURCE_DIR) / below;
}

} // namespace fovea
