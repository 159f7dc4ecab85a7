#include "fovea/dynamics/impulse.h"

namespace fovea {

namespace {

/// Fraction of the fully elastic change that a body feels when it strikes one of elasticity `e`.
float felt_fraction(RestitutionRule rule, float e) {
    return rule == RestitutionRule::literal ? e : 0.5f * (1 + e);
}

/// Resolves the approach at one contact. Returns whether there was any.
bool strike(Bodies& bodies, const Contact& contact, RestitutionRule rule) {
    const std::uint32_t a = contact.a, b = contact.b;
    const Vec3 n = contact.normal;
    const float approach =
        dot(n, bodies.velocity_at(a, contact.point_a) - bodies.velocity_at(b, contact.point_b));
    if (!(approach > 0)) return false;

    const Vec3 turn_a = cross(contact.point_a - bodies.position[a], n);
    const Vec3 turn_b = cross(contact.point_b - bodies.position[b], n);
    const Vec3 spin_a = bodies.inverse_inertia_world[a] * turn_a;
    const Vec3 spin_b = bodies.inverse_inertia_world[b] * turn_b;
    // n . ((I^-1 (r x n)) x r) = (r x n) . I^-1 (r x n)
    const float k =
        bodies.inverse_mass[a] + bodies.inverse_mass[b] + dot(turn_a, spin_a) + dot(turn_b, spin_b);
    const float impulse = 2 * approach / k;
    const float on_a = impulse * felt_fraction(rule, bodies.material[b].elastic);
    const float on_b = impulse * felt_fraction(rule, bodies.material[a].elastic);

    bodies.velocity[a] -= n * (on_a * bodies.inverse_mass[a]);
    bodies.velocity[b] += n * (on_b * bodies.inverse_mass[b]);
    bodies.angular_velocity[a] -= spin_a * on_a;
    bodies.angular_velocity[b] += spin_b * on_b;
    return true;
}

/// Moves the bodies apart by the depth beyond `allowed`, shared by the rule. Returns whether
/// anything was left to do.
bool part(const Bodies& bodies, const Contact& contact, float allowed, DisplacementRule rule,
          std::vector<Vec3>& displacement) {
    Vec3 &by_a = displacement[contact.a], &by_b = displacement[contact.b];
    const float depth = -contact.separation - dot(contact.normal, by_b - by_a) - allowed;
    if (!(depth > 0)) return false;
    float weight_a = bodies.inverse_mass[contact.a], weight_b = bodies.inverse_mass[contact.b];
    if (rule == DisplacementRule::halves)
        weight_a = float(weight_a > 0), weight_b = float(weight_b > 0);
    const Vec3 push = contact.normal * (depth / (weight_a + weight_b));
    by_a -= push * weight_a;
    by_b += push * weight_b;
    return true;
}

} // namespace

void respond_with_impulses(Bodies& bodies, std::span<const Contact> contacts,
                           const ImpulseSettings& settings, ImpulseScratch& scratch) {
    scratch.struck.assign(contacts.size(), 0);
    bool busy = true;
    for (int pass = 0; pass < settings.velocity_passes && busy; ++pass) {
        busy = false;
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            if (!strike(bodies, contacts[i], settings.rule)) continue;
            scratch.struck[i] = 1;
            busy = true;
        }
    }

    scratch.displacement.resize(bodies.size());
    for (const Contact& c : contacts) scratch.displacement[c.a] = scratch.displacement[c.b] = {};
    // Passes go up and down the list in turn, so that a push travels through a stack either way.
    busy = true;
    for (int pass = 0; pass < settings.position_passes && busy; ++pass) {
        busy = false;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const std::size_t i = pass % 2 == 0 ? k : contacts.size() - 1 - k;
            // A contact that only ever receded keeps its depth, but must not be pushed deeper.
            const float allowed = scratch.struck[i] ? 0 : -contacts[i].separation;
            busy |= part(bodies, contacts[i], allowed, settings.displacement, scratch.displacement);
        }
    }
    for (const Contact& c : contacts)
        for (std::uint32_t slot : {c.a, c.b}) {
            bodies.position[slot] += scratch.displacement[slot];
            scratch.displacement[slot] = {};
        }
}

} // namespace fovea
