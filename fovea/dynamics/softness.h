// Soft constraints: an implicit spring and damper that behaves the same at any time step.
#pragma once

namespace fovea {

/// Coefficients of the constraint impulse
///   j = -mass_scale * m_eff * (v + bias_rate * C) - impulse_scale * j_before
/// for a constraint with error C and rate of change v (Catto, "Soft Constraints", GDC 2011;
/// "Solver2D", 2024).
struct Softness {
    float bias_rate = 0; ///< 1/s
    float mass_scale = 1;
    float impulse_scale = 0;
};

/// A spring of `hertz` cycles per second and the given damping ratio, for time step `h`.
/// hertz = 0 gives a rigid constraint without position correction.
constexpr Softness make_soft(float hertz, float damping_ratio, float h) {
    if (!(hertz > 0)) return {};
    const float omega = 2 * 3.14159265f * hertz;
    const float a1 = 2 * damping_ratio + h * omega;
    const float a2 = h * omega * a1;
    const float a3 = 1 / (1 + a2);
    return {omega / a1, a2 * a3, a3};
}

} // namespace fovea
