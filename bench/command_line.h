// What the programs behind `fovea bench` share: reading their options with fovea's exit codes.
#pragma once

#include <cstdio>
#include <optional>

#include <CLI/CLI.hpp>

namespace fovea::bench {

/// The exit code if the program is to end here: after --help, or on wrong usage.
inline std::optional<int> read_command_line(CLI::App& app, int argc, char** argv) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& done) {
        return app.exit(done);
    } catch (const CLI::ParseError& error) {
        std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
        return 2;
    }
    return std::nullopt;
}

} // namespace fovea::bench
