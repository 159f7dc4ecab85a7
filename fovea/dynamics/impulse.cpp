#include "fovea/dynamics/impulse.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fovea {

namespace {

/// Visits that even a few contacts are granted: some 0.1 ms, for blows that run to and fro.
constexpr std::size_t k_free_visits = 2000;
constexpr int k_any_number = std::numeric_limits<int>::max(); ///< of passes: visits bound them

/// Fraction of the fully elastic change that a body feels when it strikes one of elasticity `e`.
float felt_fraction(RestitutionRule rule, float e) {
    return rule == RestitutionRule::literal ? e : 0.5f * (1 + e);
}

float approach_speed(const Bodies& bodies, const Contact& contact) {
    return dot(contact.normal, bodies.velocity_at(contact.a, contact.point_a) -
                                   bodies.velocity_at(contact.b, contact.point_b) +
                                   contact.surface_velocity);
}

/// What a unit impulse does at a contact: change of spins, and of the speed of each body's point.
struct Lever {
    Vec3 spin_a, spin_b;
    float k_a, k_b;

    Lever(const Bodies& bodies, const Contact& contact) {
        const std::uint32_t a = contact.a, b = contact.b;
        const Vec3 turn_a = cross(contact.point_a - bodies.position[a], contact.normal);
        const Vec3 turn_b = cross(contact.point_b - bodies.position[b], contact.normal);
        spin_a = bodies.inverse_inertia_world[a] * turn_a;
        spin_b = bodies.inverse_inertia_world[b] * turn_b;
        // n . ((I^-1 (r x n)) x r) = (r x n) . I^-1 (r x n)
        k_a = bodies.inverse_mass[a] + dot(turn_a, spin_a);
        k_b = bodies.inverse_mass[b] + dot(turn_b, spin_b);
    }
    float k() const { return k_a + k_b; }
};

void push(Bodies& bodies, const Contact& contact, const Lever& lever, float on_a, float on_b) {
    const std::uint32_t a = contact.a, b = contact.b;
    bodies.velocity[a] -= contact.normal * (on_a * bodies.inverse_mass[a]);
    bodies.velocity[b] += contact.normal * (on_b * bodies.inverse_mass[b]);
    bodies.angular_velocity[a] -= lever.spin_a * on_a;
    bodies.angular_velocity[b] += lever.spin_b * on_b;
}

/// One visit of projected Gauss-Seidel: brings the separation speed to `rebound`, unless that
/// needs more pull than there was push. Returns the speed that was missing, or what was taken
/// back as a negative number.
float press(Bodies& bodies, const Contact& contact, float rebound, float& impulse) {
    const float missing = approach_speed(bodies, contact) + rebound;
    if (!(missing > 0) && impulse == 0) return 0;
    const Lever lever(bodies, contact);
    const float before = impulse;
    impulse = std::max(0.0f, before + missing / lever.k());
    push(bodies, contact, lever, impulse - before, impulse - before);
    return impulse > 0 ? missing : -before * lever.k();
}

/// Whether neither body rebounds from the other at all.
bool dead(const Bodies& bodies, const Contact& contact, RestitutionRule rule) {
    const auto feels_nothing = [&](std::uint32_t body, std::uint32_t other) {
        return !bodies.movable(body) || bodies.material[other].elastic == 0;
    };
    return rule == RestitutionRule::standard && feels_nothing(contact.a, contact.b) &&
           feels_nothing(contact.b, contact.a);
}

/// Resolves the approach at one contact. Returns its speed.
float strike(Bodies& bodies, const Contact& contact, RestitutionRule rule) {
    const float approach = approach_speed(bodies, contact);
    if (!(approach > 0)) return 0;
    const Lever lever(bodies, contact);
    const float impulse = 2 * approach / lever.k();
    push(bodies, contact, lever, impulse * felt_fraction(rule, bodies.material[contact.b].elastic),
         impulse * felt_fraction(rule, bodies.material[contact.a].elastic));
    return approach;
}

/// The part of the approach that comes back, as if the pair were alone: each body feels the
/// other's elasticity in proportion to how easily it gives way.
float lone_restitution(const Bodies& bodies, const Contact& contact) {
    const Lever lever(bodies, contact);
    return (lever.k_a * bodies.material[contact.b].elastic +
            lever.k_b * bodies.material[contact.a].elastic) /
           lever.k();
}

/// Passes go up and down the list in turn, so that a push travels through a stack either way.
std::size_t in_turn(int pass, std::size_t k, std::size_t count) {
    return pass % 2 == 0 ? k : count - 1 - k;
}

/// Calls visit(i), which returns a change of speed, for all contacts, and again for those whose
/// bodies have changed since. Returns whether there would have been more to do.
template <class Visit>
bool visit_restless(const Bodies& bodies, std::span<const Contact> contacts,
                    const ImpulseSettings& settings, int passes, ImpulseScratch& scratch,
                    const Visit& visit) {
    const std::size_t count = contacts.size();
    const std::size_t granted = k_free_visits + count * std::size_t(settings.velocity_visits);
    std::uint32_t visits = 1;
    scratch.visited.assign(count, 0);
    scratch.moved.resize(bodies.size());
    for (const Contact& c : contacts) scratch.moved[c.a] = scratch.moved[c.b] = visits;
    bool busy = count > 0;
    for (int pass = 0; busy && pass < passes && visits <= granted; ++pass) {
        busy = false;
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t i = in_turn(pass, k, count);
            const std::uint32_t a = contacts[i].a, b = contacts[i].b;
            if (std::max(scratch.moved[a], scratch.moved[b]) <= scratch.visited[i]) continue;
            scratch.visited[i] = ++visits;
            const float change = visit(i);
            if (change > 0) scratch.struck[i] = 1;
            if (!(std::abs(change) > settings.still_speed)) continue;
            busy = true;
            for (const std::uint32_t slot : {a, b})
                if (bodies.movable(slot)) scratch.moved[slot] = visits;
        }
    }
    return busy;
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

/// Changes velocities.
void stop_approach(Bodies& bodies, std::span<const Contact> contacts,
                   const ImpulseSettings& settings, ImpulseScratch& scratch) {
    scratch.struck.assign(contacts.size(), 0);
    scratch.impulse.assign(contacts.size(), 0);
    if (settings.order == BlowOrder::together) {
        scratch.rebound.resize(contacts.size());
        for (std::size_t i = 0; i < contacts.size(); ++i)
            scratch.rebound[i] =
                lone_restitution(bodies, contacts[i]) * approach_speed(bodies, contacts[i]);
        visit_restless(bodies, contacts, settings, k_any_number, scratch, [&](std::size_t i) {
            return press(bodies, contacts[i], scratch.rebound[i], scratch.impulse[i]);
        });
        return;
    }
    const bool busy = visit_restless(
        bodies, contacts, settings, settings.velocity_passes, scratch, [&](std::size_t i) {
            return dead(bodies, contacts[i], settings.rule)
                       ? press(bodies, contacts[i], 0, scratch.impulse[i])
                       : strike(bodies, contacts[i], settings.rule);
        });
    // The literal rule leaves approaches by intention; what does not rebound has had its visits.
    if (!busy || settings.rule == RestitutionRule::literal) return;
    if (std::all_of(contacts.begin(), contacts.end(), [&](const Contact& c) {
            return dead(bodies, c, settings.rule) ||
                   !(approach_speed(bodies, c) > settings.still_speed);
        }))
        return;
    visit_restless(bodies, contacts, settings, k_any_number, scratch, [&](std::size_t i) {
        return press(bodies, contacts[i], 0, scratch.impulse[i]);
    });
}

} // namespace

void respond_with_impulses(Bodies& bodies, std::span<const Contact> contacts,
                           const ImpulseSettings& settings, ImpulseScratch& scratch) {
    stop_approach(bodies, contacts, settings, scratch);

    scratch.displacement.resize(bodies.size());
    for (const Contact& c : contacts) scratch.displacement[c.a] = scratch.displacement[c.b] = {};
    bool busy = true;
    for (int pass = 0; pass < settings.position_passes && busy; ++pass) {
        busy = false;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const std::size_t i = in_turn(pass, k, contacts.size());
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
