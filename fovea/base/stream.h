// SIMD passes over flat arrays.
#pragma once

#include <span>

#include "fovea/base/quat.h"

namespace fovea {

/// y += x * s, element by element.
void add_scaled(std::span<float> y, std::span<const float> x, float s);

/// Turns every orientation by its angular velocity for `h` seconds: q += h/2 (0, w) q, then
/// q /= |q| (Stokes 4.1).
void turn(std::span<Quat> orientations, std::span<const Vec3> angular_velocities, float h);

} // namespace fovea
