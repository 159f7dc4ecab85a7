// Readers of the plain mesh formats: OBJ, STL and PLY.
//
// They take any bytes: time and memory are linear in the size of the file, whatever counts it
// claims to have, and every index is checked. Only geometry is read; faces of more than three
// corners become fans.
#pragma once

#include <string_view>

#include "fovea/base/result.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

Result<TriangleMesh> read_obj(std::string_view bytes);
Result<TriangleMesh> read_stl(std::string_view bytes); ///< text or binary
Result<TriangleMesh> read_ply(std::string_view bytes); ///< text or binary, either byte order

} // namespace fovea
