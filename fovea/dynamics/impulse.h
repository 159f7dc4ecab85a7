// The `impulse` response: instantaneous, frictionless, with restitution (Stokes 4.3).
//
// For a contact with normal n (A to B), lever arms r and approach speed
//   u = n . (vA + wA x rA - vB - wB x rB) > 0
//   K = 1/mA + 1/mB + n . [(IA^-1 (rA x n)) x rA] + n . [(IB^-1 (rB x n)) x rB]
// the impulse J = 2u/K reverses u: momentum and energy are conserved. What each body feels of it
// is then scaled by how elastic the *other* one is.
//
// A body may have several contacts at once. They are visited in order, again and again for a
// fixed number of passes, each time with the velocities as they are by then; a contact that
// separates is left alone. Overlaps are resolved in the same manner, by displacements, so that
// two contacts on opposite sides of a body do not undo each other's work blindly.
#pragma once

#include <span>
#include <vector>

#include "fovea/contact/contact.h"
#include "fovea/dynamics/bodies.h"

namespace fovea {

enum class RestitutionRule {
    /// Changes are scaled by (1 + e)/2: e = 1 is elastic, e = 0 stops the approach.
    standard,
    /// Changes are scaled by e itself, as the source's text has it: the rebound is 2e - 1 of the
    /// approach, and e = 0 has no effect on velocities at all. For comparison only.
    literal,
};

enum class DisplacementRule {
    /// Overlapping bodies are parted in inverse proportion to their masses: their common centre of
    /// mass stays where it is, and a light body does not push a heavy one into the ground.
    by_mass,
    /// Half the depth each, whatever the masses, as the source has it.
    halves,
};

struct ImpulseSettings {
    /// How often all contacts are visited. More passes carry blows further through a pile.
    int velocity_passes = 10;
    int position_passes = 10;
    RestitutionRule rule = RestitutionRule::standard;
    DisplacementRule displacement = DisplacementRule::by_mass;
};

/// Memory that the response keeps between steps so that it need not allocate.
struct ImpulseScratch {
    std::vector<Vec3> displacement;   ///< per body
    std::vector<std::uint8_t> struck; ///< per contact: has it ever approached?
};

/// Changes velocities and positions of the bodies in contact. Contacts that separate from the
/// start are not touched: neither velocity nor position. Needs world-space inertias.
void respond_with_impulses(Bodies& bodies, std::span<const Contact> contacts,
                           const ImpulseSettings& settings, ImpulseScratch& scratch);

} // namespace fovea
