// Motion without contact: forces change velocities, velocities change poses.
//
// Explicit Euler moves first and then changes the velocity, which makes a falling body gain
// m g^2 h^2 / 2 of energy a step; semi-implicit Euler does it the other way round and loses as
// much, but stays bounded on oscillations (Stokes 4.1).
#pragma once

#include "fovea/base/jobs.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/geometry/shape.h"

namespace fovea {

enum class Integrator {
    explicit_euler,      ///< the reference of the closed forms
    semi_implicit_euler, ///< the default
};

struct MotionSettings {
    Vec3 gravity{0, -9.8f, 0}; ///< m/s^2
    /// Whether the spin of bodies that are not balls makes them tumble (w' = -I^-1 (w x I w)),
    /// by the implicit midpoint rule, which keeps energy. Costs two 3x3 solves per body.
    bool gyroscopic = false;
};

/// v += h F/m, w += h I^-1 T, both damped; then forgets the gathered forces.
void integrate_velocities(Bodies& bodies, const MotionSettings& settings, float h,
                          const Jobs& jobs);

/// The angular velocity (world axes) after `h` seconds of free tumbling.
Vec3 tumbled(const Vec3& spin, const Quat& orientation, const Mat3& inverse_inertia, float h);

/// x += h v; q += h/2 w q, normalised.
void advance_poses(Bodies& bodies, float h);

/// Brings the world-space inverse inertias up to the present orientations.
void refresh_inertia(Bodies& bodies, const Jobs& jobs);

/// Positions (m), velocities (m/s) and spins (rad/s) stay below this in every component: far
/// beyond any use, and small enough that their squares are still finite in single precision.
constexpr float k_motion_limit = k_length_limit;

/// Stops every body that has reached the limit or is no longer a number, so that it cannot spoil
/// others, and replaces `stopped` by their slots.
void stop_runaways(Bodies& bodies, std::vector<std::uint32_t>& stopped);

} // namespace fovea
