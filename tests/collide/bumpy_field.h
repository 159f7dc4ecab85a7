// Uneven ground as a height field, and the same ground as a mesh.
#pragma once

#include <memory>

#include "fovea/base/random.h"
#include "fovea/geometry/height_field.h"
#include "fovea/geometry/shape.h"

namespace fovea::test {

/// Heights in steps up to `bump`, m.
inline HeightField bumpy_field(std::uint64_t seed, std::uint32_t columns, std::uint32_t rows,
                               float spacing, float bump) {
    Random random(seed);
    HeightField field{columns, rows, spacing, {}};
    for (std::uint32_t i = 0; i < columns * rows; ++i)
        field.heights.push_back(float(random.uniform(-bump, bump)));
    return field;
}

inline Shape as_heights(const HeightField& field) {
    return HeightSurface{std::make_shared<const HeightField>(field)};
}

inline Shape as_mesh(const HeightField& field) {
    return MeshSurface{std::make_shared<const TriangleMesh>(to_mesh(field))};
}

} // namespace fovea::test
