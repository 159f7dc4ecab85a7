// The bodies that a solver moves: one cache line each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/mat3.h"

namespace fovea {

/// What the solver reads and writes again and again during a step.
struct alignas(64) SolverBody {
    Vec3 velocity;
    float pad0 = 0;
    Vec3 spin; ///< angular velocity
    float pad1 = 0;
    Vec3 moved; ///< displacement since the start of the step
    float pad2 = 0;
    Vec3 turned; ///< rotation vector since the start of the step, to first order
    float pad3 = 0;
};

/// What stays the same during a step.
struct SolverMass {
    float inverse_mass;
    /// Inverse inertia in world axes, symmetric: xx, yy, zz, xy, xz, yz.
    float inverse_inertia[6];
    float pad = 0;
};

constexpr std::uint32_t k_immovable = 0xffffffffu; ///< stands for any immovable body

} // namespace fovea
