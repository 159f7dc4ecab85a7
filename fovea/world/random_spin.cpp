#include "fovea/world/random_spin.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/random.h"

namespace fovea {

namespace {

double spin_energy(const Bodies& bodies, std::uint32_t slot) {
    if (!bodies.movable(slot)) return 0;
    const Vec3 spin = rotate_back(bodies.orientation[slot], bodies.angular_velocity[slot]);
    return 0.5 * double(dot(spin, inverse(bodies.inverse_inertia[slot]) * spin));
}

double reduced_mass(const Bodies& bodies, const ProxyPair& pair) {
    return 1 / (double(bodies.inverse_mass[pair.a]) + double(bodies.inverse_mass[pair.b]));
}

/// Of both, as seen from their common centre of mass: what a blow between them can take.
double energy_of(const Bodies& bodies, const ProxyPair& pair) {
    const Vec3 relative = bodies.velocity[pair.b] - bodies.velocity[pair.a];
    return 0.5 * reduced_mass(bodies, pair) * double(length_squared(relative)) +
           spin_energy(bodies, pair.a) + spin_energy(bodies, pair.b);
}

Vec3 turned_by(const Bodies& bodies, std::uint32_t slot, const Vec3& turning) {
    if (!bodies.movable(slot)) return {};
    const Quat& q = bodies.orientation[slot];
    return rotate(q, bodies.inverse_inertia[slot] * rotate_back(q, turning));
}

} // namespace

void RandomSpin::begin(const Bodies& bodies, std::span<const ProxyPair> pairs,
                       std::span<const PairAnswer> answers, std::span<const Joint> joints,
                       std::span<const Spring> springs) {
    blows_.clear();
    acting_.resize(bodies.size());
    for (std::uint32_t slot = 0; slot < bodies.size(); ++slot)
        acting_[slot] = bodies.force[slot] != Vec3() || bodies.torque[slot] != Vec3() ? 2 : 0;
    for (const Joint& joint : joints) acting_[joint.a] = acting_[joint.b] = 2;
    for (const Spring& spring : springs) acting_[spring.a] = acting_[spring.b] = 2;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (!answers[i].responds()) continue;
        for (const std::uint32_t slot : {pairs[i].a, pairs[i].b})
            if (bodies.movable(slot)) acting_[slot] = std::uint8_t(std::min(acting_[slot] + 1, 2));
    }
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const PairAnswer& answer = answers[i];
        const bool lowest = answer.kind == PairAnswer::Kind::rung && answer.descent.rung == 0;
        const auto [a, b] = pairs[i];
        if (lowest && acting_[a] < 2 && acting_[b] < 2)
            blows_.push_back({pairs[i], energy_of(bodies, pairs[i])});
    }
}

void RandomSpin::end(Bodies& bodies, float share, float fallen, std::uint64_t seed) {
    for (const auto& [pair, before] : blows_) {
        const auto [a, b] = pair;
        // What gravity may have taken, against a wall: m v dv + m dv^2 / 2.
        const double mass = reduced_mass(bodies, pair);
        const double speed = std::sqrt(2 * before / mass);
        const double risen = mass * double(fallen) * (speed + 0.5 * double(fallen));
        const double lost = before - energy_of(bodies, pair) - risen;
        if (!(lost > 0)) continue;
        Random random(seed ^ (std::uint64_t(a) << 32 | b));
        const Vec3 axis = Vec3(random.direction());
        const Vec3 turn_a = turned_by(bodies, a, axis), turn_b = turned_by(bodies, b, axis);
        // An impulse m along the axis adds m (wA - wB).axis + m^2 axis.(IA^-1 + IB^-1) axis / 2.
        // Of what cannot be turned nobody counts the energy.
        const auto spin = [&](std::uint32_t slot) {
            return bodies.movable(slot) ? bodies.angular_velocity[slot] : Vec3();
        };
        const double at_once = double(dot(spin(a) - spin(b), axis));
        const double growing = double(dot(turn_a + turn_b, axis));
        if (!(growing > 0)) continue;
        const double wanted = double(share) * lost;
        // Of the two impulses that add so much, the lesser: the other turns the spin around.
        const double root = std::sqrt(at_once * at_once + 2 * growing * wanted);
        const double size = 2 * wanted / (at_once + std::copysign(root, at_once));
        bodies.angular_velocity[a] += turn_a * float(size);
        bodies.angular_velocity[b] -= turn_b * float(size);
    }
}

} // namespace fovea
