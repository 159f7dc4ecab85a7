// The `impulse` response: instantaneous, frictionless, with restitution (Stokes 4.3).
//
// For a contact with normal n (A to B), lever arms r and approach speed
//   u = n . (vA + wA x rA - vB - wB x rB) > 0
//   K = 1/mA + 1/mB + n . [(IA^-1 (rA x n)) x rA] + n . [(IB^-1 (rB x n)) x rB]
// the impulse J = 2u/K reverses u: momentum and energy are conserved. What each body feels of it
// is then scaled by how elastic the *other* one is.
//
// A body may have several contacts at once. They are visited in order, again and again, each time
// with the velocities as they are by then, until nothing approaches any more; those whose bodies
// did not change since are left out. How a contact acts when it is visited:
//
//   e > 0   it strikes, if there is an approach, and forgets: blows run through a row of bodies as
//           through Newton's cradle;
//   e = 0   it presses: the sum f of its impulses goes up or down to where the approach is zero,
//           but never below zero. With nothing but such contacts that is projected Gauss-Seidel on
//             v+ >= 0,  f >= 0,  v+ f = 0      (Dingliana 3.4-3.6 with e = 0; v: separation speed)
//           whose limit is the one set of velocities with the least kinetic energy.
//
// Where blows run to and fro for longer than the settings grant, they end: what still approaches
// is pressed, whatever its e. No press raises the kinetic energy, nor does a blow between equally
// elastic bodies, e <= 1.
//
// Overlaps are resolved in the same manner, by displacements, so that two contacts on opposite
// sides of a body do not undo each other's work blindly.
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

/// What several contacts at once do to each other's rebounds.
enum class BlowOrder {
    /// Each rebounds from what the others have left: one ball in, one ball out.
    one_by_one,
    /// All at once, from the velocities before any blow: v+ >= -e v-, f >= 0, (v+ + e v-) f = 0
    /// (Dingliana 3.4-3.6). A symmetric impact stays symmetric, but a blow does not run through a
    /// row of bodies, and contacts of different e may gain energy. Impulses are equal and opposite
    /// for any e: those of two bodies are weighed so that the speed of rebound is the same as with
    /// one_by_one. RestitutionRule has no say.
    together,
};

struct ImpulseSettings {
    BlowOrder order = BlowOrder::one_by_one;
    /// How often all contacts may strike before what still approaches is pressed. Blows within
    /// small groups end after a dozen passes, rarely hundreds.
    int velocity_passes = 1000;
    /// How often contacts are visited at most on average, to strike and again to be pressed,
    /// beyond a few thousand visits that are always granted. It bounds the time that large piles
    /// take, which more visits would bring closer to the solution.
    int velocity_visits = 10;
    int position_passes = 10;
    /// m/s. A contact comes to rest once no visit changes its speed by more than this. What
    /// remains is micrometres per step; less costs visits.
    float still_speed = 1e-4f;
    RestitutionRule rule = RestitutionRule::standard;
    DisplacementRule displacement = DisplacementRule::by_mass;
};

/// Memory that the response keeps between steps so that it need not allocate.
struct ImpulseScratch {
    std::vector<Vec3> displacement;     ///< per body
    std::vector<std::uint32_t> moved;   ///< per body: the last visit that changed its velocity
    std::vector<std::uint8_t> struck;   ///< per contact: has it ever approached?
    std::vector<std::uint32_t> visited; ///< per contact: its last visit
    std::vector<float> impulse;         ///< per contact: N s that may be taken back
    std::vector<float> rebound;         ///< per contact: m/s asked for, for BlowOrder::together
};

/// Changes velocities and positions of the bodies in contact. Contacts that separate from the
/// start are not touched: neither velocity nor position. Needs world-space inertias.
void respond_with_impulses(Bodies& bodies, std::span<const Contact> contacts,
                           const ImpulseSettings& settings, ImpulseScratch& scratch);

} // namespace fovea
