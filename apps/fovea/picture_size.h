// The size of pictures, for every command that draws some.
#pragma once

#include <CLI/CLI.hpp>

namespace fovea::app {

/// `images` is the option that asks for pictures.
inline void add_picture_size(CLI::App& command, CLI::Option* images, int& width, int& height) {
    const CLI::Range pixels(16, 8192);
    for (const auto& [name, value] : {std::pair("--width", &width), {"--height", &height}})
        command.add_option(name, *value, "Of the pictures, pixels")
            ->check(pixels)
            ->needs(images)
            ->capture_default_str();
}

} // namespace fovea::app
