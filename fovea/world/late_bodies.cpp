#include "fovea/world/late_bodies.h"

#include <algorithm>

namespace fovea {

void LateBodies::begin(const Bodies& bodies, bool hang_together) {
    late_.assign(bodies.size(), 0);
    part_.assign(bodies.size(), 1);
    velocity_before_.clear();
    spin_before_.clear();
    if (!hang_together) return;
    velocity_before_ = bodies.velocity;
    spin_before_ = bodies.angular_velocity;
}

void LateBodies::find_groups(const Scene& scene) {
    const Bodies& bodies = scene.bodies;
    groups_.reset(bodies.size());
    slowed_.assign(bodies.size(), 0);
    if (velocity_before_.empty()) return;
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        if (bodies.movable(a) && bodies.movable(b)) groups_.join(a, b);
    };
    const auto for_ties = [&](const auto& visit) {
        for (const Joint& joint : scene.joints) visit(joint.a, joint.b);
        for (const Spring& spring : scene.springs) visit(spring.a, spring.b);
    };
    const auto for_pushes = [&](const auto& visit) {
        for (const ContactPatch& patch : scene.patches)
            if (bodies.movable(patch.a) && bodies.movable(patch.b) && pushes(scene, patch))
                visit(patch.a, patch.b);
    };
    for_ties(join);
    share_part();
    for_ties([&](std::uint32_t a, std::uint32_t b) {
        for (const std::uint32_t slot : {a, b}) slowed_[groups_.lowest(slot)] = part(slot) < 1;
    });
    for_pushes([&](std::uint32_t a, std::uint32_t b) {
        if (slowed(a) && slowed(b)) join(a, b);
    });
    share_part();
    for_pushes([&](std::uint32_t a, std::uint32_t b) {
        if (groups_.lowest(a) != groups_.lowest(b))
            slowed_[groups_.lowest(a)] = slowed_[groups_.lowest(b)] = 0;
    });
}

/// Whether the patch pushed, in the last sub-step or, by how its bodies came on, before.
bool LateBodies::pushes(const Scene& scene, const ContactPatch& patch) const {
    const auto velocity = [&](std::uint32_t slot, const Vec3& point) {
        return velocity_before_[slot] +
               cross(spin_before_[slot], point - scene.bodies.position[slot]);
    };
    return std::ranges::any_of(
        std::span(patch.points).first(std::size_t(patch.count)),
        [&](const ContactPatch::Point& at) {
            const Vec3 closing = velocity(patch.a, at.point) - velocity(patch.b, at.point);
            return at.impulse > 0 || dot(closing, patch.normal) * scene.h > at.separation;
        });
}

void LateBodies::share_part() {
    for (std::uint32_t slot = 0; slot < part_.size(); ++slot) {
        float& part = part_[groups_.lowest(slot)];
        part = std::min(part, part_[slot]);
    }
}

void LateBodies::slow(Bodies& bodies, std::uint32_t slot) {
    const float gone = part(slot);
    const auto slow_down = [&](Vec3& now, const Vec3& before) {
        now = before + (now - before) * gone;
    };
    slow_down(bodies.velocity[slot], velocity_before_[slot]);
    slow_down(bodies.angular_velocity[slot], spin_before_[slot]);
}

} // namespace fovea
