// What is wrong with a scene text, and where.
//
// A declaration gets one report however many faults it has, so that all of them can be mended at
// once (Stokes 2.4).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fovea/scene/lexer.h"

namespace fovea {

struct Fault {
    SourcePlace place;
    std::string message; ///< names the parameter and its value
};

struct Diagnostic {
    std::string declaration; ///< as "sphere"; empty for text that belongs to no declaration
    SourcePlace place;       ///< where the declaration starts
    std::vector<Fault> faults;
    std::size_t faults_left_out = 0; ///< beyond ParseSettings::max_faults
};

/// One line if there is one fault:
///     pool.scene:3:17: sphere: radius is -1; it must be greater than 0
/// otherwise a line for the declaration and an indented one for each fault.
std::string describe(const Diagnostic& diagnostic, std::string_view file);

/// Text from a scene made fit for a message: cut to a readable length, and everything that is not
/// printable ASCII written as \xHH, so that a hostile file cannot send codes to a terminal.
std::string readable(std::string_view text);

} // namespace fovea
