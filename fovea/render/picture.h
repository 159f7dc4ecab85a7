// Pictures as plain pixels, and as PNG files.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/result.h"

namespace fovea {

/// Red, green, blue, opacity; sRGB encoded, 8 bits each.
using Pixel = std::array<std::uint8_t, 4>;

struct Picture {
    int width = 0;
    int height = 0;
    std::vector<Pixel> pixels; ///< rows from top to bottom

    const Pixel& at(int x, int y) const { return pixels[std::size_t(y) * width + x]; }
    bool operator==(const Picture&) const = default;
};

/// Writes `picture` to `path`. The file appears under its name only when it is complete: a failure
/// leaves neither a broken file nor a temporary one behind.
Result<void> write_png(const Picture& picture, const std::string& path);

Result<Picture> read_png(const std::string& path);

} // namespace fovea
