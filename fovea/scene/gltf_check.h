// A look at a glTF file before assimp sees it, which recurses as deeply and allocates as much as
// the file asks for.
#pragma once

#include <cstddef>
#include <span>

#include "fovea/base/result.h"

namespace fovea {

/// Takes the bytes of a .gltf (JSON) or .glb file (JSON in the first of its chunks). Refuses chunks
/// that are longer than the file, JSON or node hierarchies nested so deeply that a recursive reader
/// would run out of stack, and integers above `largest`, such as lengths of buffers.
Result<void> check_gltf(std::span<const std::byte> bytes, std::size_t largest);

} // namespace fovea
