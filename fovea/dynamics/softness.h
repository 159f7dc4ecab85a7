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

/// A spring that turns through `turn` radians of its cycle in a time step of `h` seconds, with the
/// given damping ratio. turn = 0 gives a rigid constraint without position correction.
constexpr Softness make_soft(float turn, float damping_ratio, float h) {
    if (!(turn > 0)) return {};
    const float a1 = 2 * damping_ratio + turn;
    const float a2 = turn * a1;
    const float a3 = 1 / (1 + a2);
    return {turn / (h * a1), a2 * a3, a3};
}

/// What a spring of `hertz` cycles per second turns through in `h` seconds.
constexpr float turn_of(float hertz, float h) {
    return 2 * 3.14159265f * hertz * h;
}

} // namespace fovea
