#include "fovea/world/late_bodies.h"

#include <algorithm>

namespace fovea {

void LateBodies::begin(const Bodies& bodies, bool hang_together) {
    late_.assign(bodies.size(), 0);
    part_.assign(bodies.size(), 1);
    slowed_.assign(bodies.size(), 0);
    any_slowed_ = false;
    velocity_before_.clear();
    spin_before_.clear();
    if (hang_together) mark(bodies);
}

void LateBodies::mark(const Bodies& bodies) {
    velocity_before_ = bodies.velocity;
    spin_before_ = bodies.angular_velocity;
}

void LateBodies::forget(std::uint32_t slot) {
    if (!velocity_before_.empty()) velocity_before_[slot] = spin_before_[slot] = {};
}

void LateBodies::find_groups(const Scene& scene) {
    if (velocity_before_.empty()) return;
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        if (scene.bodies.movable(a) && scene.bodies.movable(b)) groups_.join(a, b);
    };
    const auto for_ties = [&](const auto& visit) {
        for (const Joint& joint : scene.joints) visit(joint.a, joint.b);
        for (const Spring& spring : scene.springs) visit(spring.a, spring.b);
    };
    groups_.reset(part_.size());
    for_ties(join);
    find_least();
    for_ties([&](std::uint32_t a, std::uint32_t b) {
        for (const std::uint32_t slot : {a, b}) {
            if (least_[groups_.lowest(slot)] == 1) continue;
            slowed_[slot] = 1;
            any_slowed_ = true;
        }
    });
    if (!any_slowed_) return;
    for (const ContactPatch& patch : scene.patches) join(patch.a, patch.b);
    for (const Contact& contact : scene.contacts) join(contact.a, contact.b);
    find_least();
    const auto slots = std::uint32_t(part_.size());
    for (std::uint32_t slot = 0; slot < slots; ++slot)
        if (slowed_[slot]) slowed_[groups_.lowest(slot)] = 1;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        const std::uint32_t lowest = groups_.lowest(slot);
        slowed_[slot] = slowed_[lowest];
        if (slowed_[slot]) part_[slot] = least_[lowest];
    }
}

void LateBodies::find_least() {
    least_ = part_;
    for (std::uint32_t slot = 0; slot < part_.size(); ++slot) {
        float& least = least_[groups_.lowest(slot)];
        least = std::min(least, part_[slot]);
    }
}

void LateBodies::slow(Bodies& bodies, std::uint32_t slot) const {
    const float gone = part(slot);
    const auto slow_down = [&](Vec3& now, const Vec3& before) {
        now = before + (now - before) * gone;
    };
    slow_down(bodies.velocity[slot], velocity_before_[slot]);
    slow_down(bodies.angular_velocity[slot], spin_before_[slot]);
}

} // namespace fovea
