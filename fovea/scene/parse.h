// Reads the scene language: text in, scene and reports out.
//
//   characters --Lexer--> tokens --parser--> arguments --DeclarationTable--> Scene
//
// What is wrong is reported and left out; the rest loads (Stokes 2.4). After a syntax error,
// parsing resumes behind the next '}' or ';'. Time and memory are linear in the text: nothing
// recurses, and nothing is searched that grows with the text.
//
// The language is described in docs/scene-language.md.
#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/scene/declaration.h"
#include "fovea/scene/diagnostic.h"
#include "fovea/scene/mesh_library.h"
#include "fovea/scene/scene.h"

namespace fovea {

struct ParseSettings {
    /// Only the original language (Stokes 2.1 to 2.3): no exponents, words, strings, further
    /// declarations or further parameters.
    bool strict = false;
    std::size_t max_bytes = std::size_t(64) << 20; ///< of a file or stream
    std::size_t max_bodies = 1'000'000;
    std::size_t max_springs = 1'000'000;
    std::size_t max_diagnostics = 100; ///< kept; the rest is only counted
    std::size_t max_faults = 100;      ///< kept per declaration
    MeshLibrarySettings meshes = {};
};

struct ParsedScene {
    Scene scene;
    std::string file;                    ///< for messages
    std::vector<Diagnostic> diagnostics; ///< in order of the text
    std::size_t accepted = 0;            ///< declarations
    std::size_t rejected = 0;            ///< declarations
    std::size_t stray = 0;               ///< syntax errors outside any declaration

    std::size_t reports() const { return rejected + stray; }
    /// There was something to understand, and none of it was. An empty text is a valid scene.
    bool nothing_understood() const { return accepted == 0 && reports() > 0; }
};

ParsedScene parse_scene(std::string_view text, const ParseSettings& settings = {},
                        const DeclarationTable& table = standard_declarations());

/// Reads a scene from a file. Mesh files are looked for beside it, unless the settings name a
/// directory.
Result<ParsedScene> load_scene(const std::filesystem::path& path, ParseSettings settings = {},
                               const DeclarationTable& table = standard_declarations());

/// Reads a scene from a stream, such as standard input; `name` stands for it in messages.
Result<ParsedScene> read_scene(std::istream& stream, std::string name,
                               const ParseSettings& settings = {},
                               const DeclarationTable& table = standard_declarations());

/// Every report, "... and 12 more" if some were not kept, and the summary; ends with a newline.
std::string describe(const ParsedScene& parsed);

/// "pool.scene: 17 declarations accepted, 0 rejected"
std::string summary(const ParsedScene& parsed);

} // namespace fovea
