// Eight contact patches solved side by side, one per SIMD lane.
//
// Structure of arrays: every field holds one number for each of the eight lanes. Instruction sets
// with shorter vectors take a group in two bites; the numbers are the same. Empty lanes have no
// points and no bodies.
//
// For point i with lever arms rA, rB (from the centres of mass) and normal n
//   approach  vn = n . (vB - vA) + jB . wB - jA . wA,       jA = rA x n,  jB = rB x n = jA + e
// where e = (xA - xB) x n is the same for all points of the patch, as the point is the same for
// both bodies: only jA is kept per point.
#pragma once

#include <cstdint>
#include <span>

#include "fovea/contact/contact_patch.h"
#include "fovea/dynamics/solver_bodies.h"

namespace fovea {

constexpr int k_lanes = 8;
constexpr std::uint32_t k_empty_lane = 0xffffffffu; ///< instead of a patch

struct alignas(64) ContactGroup {
    using Lanes = float[k_lanes];

    struct Point {
        Lanes arm[3];     ///< jA
        Lanes separation; ///< at the start of the step
        Lanes mass;       ///< effective, along the normal; 0 where there is no point
        Lanes impulse;    ///< accumulated, of this sub-step
        Lanes peak;       ///< largest impulse of the step, for restitution
        Lanes approach;   ///< vn at the start of the step
        Lanes lever;      ///< distance from the patch's centre, for twist
    };

    std::uint32_t a[k_lanes], b[k_lanes]; ///< solver rows
    std::uint32_t patch[k_lanes];         ///< where the impulses go back to
    Lanes normal[3];
    Lanes tangent[3]; ///< the first; the second is normal x tangent
    Lanes offset[3];  ///< e
    Lanes inverse_mass_a, inverse_mass_b;
    Lanes inertia_a[6], inertia_b[6]; ///< inverse, world axes
    Lanes bias_rate, mass_scale, impulse_scale;
    Lanes support; ///< what each point bears without giving way
    Lanes share;   ///< one over the number of points

    Point points[k_manifold_points];
    /// What a unit impulse at one point does to the approach at another.
    Lanes coupling[k_manifold_points][k_manifold_points];

    /// Friction acts at the centre of the patch, in its plane, and twist friction about the normal.
    Lanes centre[3];       ///< from A's centre of mass
    Lanes apart[3];        ///< xA - xB
    Lanes tangent_mass[3]; ///< inverse of the 2x2 matrix of the two tangents: xx, yy, xy
    Lanes tangent_impulse[2];
    Lanes tangent_speed[2]; ///< wanted, for conveyor belts
    Lanes twist_mass, twist_impulse;
    Lanes friction, restitution, rolling;
    Lanes rolling_impulse[3];
    int max_points; ///< of any lane
    bool any_rolling;
    bool any_restitution;
};

/// Constants of a step that the kernels need.
struct SubStep {
    float h;                     ///< s
    float slop;                  ///< overlap that is left alone, m
    float recovery;              ///< share of its load that a contact learns to support
    float max_push;              ///< speed at which overlaps are pushed apart at most, m/s
    float restitution_threshold; ///< slower approaches do not rebound, m/s
};

/// What contacts give way by.
struct ContactSoftness {
    float turn;    ///< per sub-step, see make_soft()
    float damping; ///< ratio
    float h;       ///< sub-step, s
};

/// Makes groups ready that pack_group() filled: there `arm` is still the point itself, from the
/// centre of mass of A, and `mass` is 1 where there is one.
void finish_groups(std::span<ContactGroup> groups, std::span<SolverBody> bodies,
                   std::span<const SolverMass> masses, const ContactSoftness& softness);

/// Applies the impulses kept from the last sub-step.
void warm_start(std::span<const ContactGroup> groups, std::span<SolverBody> bodies);

/// One Gauss-Seidel visit. `push` also corrects positions, softly; without it, the velocity that
/// the correction put in is taken out again.
void solve_contacts(std::span<ContactGroup> groups, std::span<SolverBody> bodies,
                    const SubStep& step, bool push);

/// Rebound of what approached faster than the threshold.
void apply_restitution(std::span<ContactGroup> groups, std::span<SolverBody> bodies,
                       const SubStep& step);

} // namespace fovea
