// Whole steps of worlds of concave meshes: what a step costs at a fine rung, and how that grows.
#pragma once

#include <span>

#include <nlohmann/json.hpp>

#include "fovea/base/result.h"

namespace fovea {

/// Steps the scene `concave` with each number of bodies and prints a table: once down to the leaves
/// of all sphere trees, once to the triangles.
Result<nlohmann::json> measure_worlds(std::span<const int> counts, int frames);

} // namespace fovea
