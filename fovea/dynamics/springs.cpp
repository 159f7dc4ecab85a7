#include "fovea/dynamics/springs.h"

namespace fovea {

namespace {

/// From one anchor to the other.
Vec3 span_of(const Spring& s, const Transform& a, const Transform& b) {
    return b * s.anchor_b - a * s.anchor_a;
}

} // namespace

SpringPull pull_of(const Spring& spring, const SpringEnd& a, const SpringEnd& b) {
    const Vec3 span = span_of(spring, a.pose, b.pose);
    // Anchors that coincide have no line between them: any direction is as good.
    const Vec3 along = normalized_or(span, Vec3(0, 1, 0));
    const float by = length(span) - spring.length;
    const Vec3 arm_a = rotate(a.pose.orientation, spring.anchor_a),
               arm_b = rotate(b.pose.orientation, spring.anchor_b);
    const Vec3 opening = b.velocity + cross(b.spin, arm_b) - a.velocity - cross(a.spin, arm_a);
    return {arm_a, arm_b, along * (spring.stiffness * by + spring.damping * dot(opening, along))};
}

void apply_springs(Bodies& bodies, std::span<const Spring> springs) {
    const auto end_at = [&](std::uint32_t slot) {
        return SpringEnd{bodies.pose(slot), bodies.velocity[slot], bodies.angular_velocity[slot]};
    };
    for (const Spring& s : springs) {
        const SpringPull pull = pull_of(s, end_at(s.a), end_at(s.b));
        bodies.force[s.a] += pull.force;
        bodies.force[s.b] -= pull.force;
        bodies.torque[s.a] += cross(pull.arm_a, pull.force);
        bodies.torque[s.b] -= cross(pull.arm_b, pull.force);
    }
}

double spring_energy(const Bodies& bodies, std::span<const Spring> springs) {
    double sum = 0;
    for (const Spring& s : springs) {
        const double by = length(span_of(s, bodies.pose(s.a), bodies.pose(s.b))) - s.length;
        sum += 0.5 * double(s.stiffness) * by * by;
    }
    return sum;
}

} // namespace fovea
