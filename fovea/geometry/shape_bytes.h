// Shapes to bytes and back; see base/bytes.h. What was read is yet to be checked by check_shape().
#pragma once

#include "fovea/base/bytes.h"
#include "fovea/geometry/shape.h"

namespace fovea {

void fields(ByteWriter& bytes, Shape& shape);
void fields(ByteReader& bytes, Shape& shape);

} // namespace fovea
