#include "fovea/world/islands.h"

#include <algorithm>

namespace fovea {

namespace {

/// An island whose contacts have not yet learnt their loads still moves, however slowly: see
/// SoftStepSettings.
constexpr float k_learnt = 0.9f;

} // namespace

void Islands::add(std::uint32_t slot, float radius) {
    if (awake_.size() <= slot) {
        awake_.resize(slot + 1);
        rest_.resize(slot + 1);
        radius_.resize(slot + 1);
    }
    awake_[slot] = 1;
    rest_[slot] = 0;
    radius_[slot] = radius;
}

void Islands::clear() {
    sets_.reset(awake_.size());
}

void Islands::join(const Bodies& bodies, std::uint32_t a, std::uint32_t b) {
    if (bodies.driven(a)) wake(b);
    if (bodies.driven(b)) wake(a);
    if (bodies.movable(a) && bodies.movable(b)) sets_.join(a, b);
}

void Islands::join(const Bodies& bodies, std::span<const ContactPatch> patches) {
    for (const ContactPatch& patch : patches) join(bodies, patch.a, patch.b);
}

void Islands::wake_neighbours(const Bodies& bodies, std::vector<std::uint32_t>& woken) {
    any_awake_.assign(awake_.size(), 0);
    for (std::uint32_t i = 0; i < awake_.size(); ++i) any_awake_[sets_.lowest(i)] |= awake_[i];
    for (std::uint32_t i = 0; i < awake_.size(); ++i) {
        if (awake_[i] || !bodies.movable(i) || !any_awake_[sets_.lowest(i)]) continue;
        wake(i);
        woken.push_back(i);
    }
}

std::uint64_t Islands::count(const Bodies& bodies) {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < awake_.size(); ++i)
        count += awake_[i] && bodies.movable(i) && sets_.lowest(i) == i;
    return count;
}

void Islands::settle(Bodies& bodies, std::span<const ContactPatch> patches, float h,
                     const SleepSettings& settings, std::vector<std::uint32_t>& asleep) {
    if (!settings.enabled) return;
    for (std::uint32_t i = 0; i < awake_.size(); ++i) {
        const float speed =
            length(bodies.velocity[i]) + radius_[i] * length(bodies.angular_velocity[i]);
        rest_[i] = speed < settings.speed ? rest_[i] + h : 0;
    }
    islands_.assign(awake_.size(), Island{});
    for (std::uint32_t i = 0; i < awake_.size(); ++i) {
        Island& island = islands_[sets_.lowest(i)];
        island.rest = std::min(island.rest, rest_[i]);
    }
    for (const ContactPatch& patch : patches) {
        Island& island = islands_[sets_.lowest(bodies.movable(patch.a) ? patch.a : patch.b)];
        float load = 0;
        for (int i = 0; i < patch.count; ++i) load += patch.points[i].impulse;
        island.load += load;
        island.learnt += std::min(load, patch.support * float(patch.count));
    }
    for (std::uint32_t i = 0; i < awake_.size(); ++i) {
        if (!awake_[i] || !bodies.movable(i)) continue;
        const Island& island = islands_[sets_.lowest(i)];
        if (island.rest < settings.seconds || island.learnt < k_learnt * island.load) continue;
        awake_[i] = 0;
        bodies.velocity[i] = bodies.angular_velocity[i] = {};
        asleep.push_back(i);
    }
}

} // namespace fovea
