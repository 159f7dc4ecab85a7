// A look at a glTF file before assimp sees it.
#pragma once

#include <cstddef>
#include <span>

#include "fovea/base/result.h"

namespace fovea {

/// Refuses JSON or node hierarchies nested so deeply that a recursive reader, as assimp's is, would
/// run out of stack. Takes the bytes of a .gltf (JSON) or .glb file (JSON in its first chunk).
Result<void> check_gltf_nesting(std::span<const std::byte> bytes);

} // namespace fovea
