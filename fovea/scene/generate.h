// Scenes made by program: the examples of Stokes 5, the equal-density crowd of O'Sullivan 10, and
// crowds of meshes and ragdolls for collision under a budget.
//
// A generator prints scene text. Equal settings give equal bytes on every machine: all chance comes
// from fovea::Random, and numbers are printed with a fixed number of decimals, never an exponent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fovea/base/result.h"

namespace fovea {

struct GenerateSettings {
    std::optional<int> count = {}; ///< what it counts depends on the generator; absent: its default
    std::uint64_t seed = 1;
    /// Leave out what the original language cannot say (camera, names). Generators that need an
    /// extension, such as gravity 0, refuse.
    bool source_language = false;
    /// Of each body in scenes of meshes, about; 1 to 1,000,000.
    int triangles = 5000;
    /// brownian only: keep the box at 20 x 20 m however many particles there are, instead of
    /// letting its floor grow with them at constant density.
    bool constant_box = false;
};

struct GeneratorInfo {
    std::string_view name;
    std::string_view description; ///< one line
    std::string_view counts;      ///< what `count` is the number of
    int default_count;
    int largest_count;
};

/// Every generator, in alphabetical order.
std::span<const GeneratorInfo> scene_generators();

/// The text of the named scene. Refuses unknown names, with the list of known ones, and counts
/// that are below 1 or too large.
Result<std::string> generate_scene(std::string_view name, const GenerateSettings& settings = {});

} // namespace fovea
