#include "fovea/dynamics/springs.h"

namespace fovea {

namespace {

struct Stretched {
    Vec3 at_a, at_b; ///< anchors in the world
    Vec3 along;      ///< unit, from A to B
    float by;        ///< metres beyond the rest length
};

Stretched stretched(const Bodies& bodies, const Spring& s) {
    const Vec3 at_a = bodies.pose(s.a) * s.anchor_a, at_b = bodies.pose(s.b) * s.anchor_b;
    const Vec3 span = at_b - at_a;
    // Anchors that coincide have no line between them: any direction is as good.
    return {at_a, at_b, normalized_or(span, Vec3(0, 1, 0)), length(span) - s.length};
}

} // namespace

void apply_springs(Bodies& bodies, std::span<const Spring> springs) {
    for (const Spring& s : springs) {
        const Stretched now = stretched(bodies, s);
        const Vec3 opening = bodies.velocity_at(s.b, now.at_b) - bodies.velocity_at(s.a, now.at_a);
        const Vec3 force = now.along * (s.stiffness * now.by + s.damping * dot(opening, now.along));
        bodies.force[s.a] += force;
        bodies.force[s.b] -= force;
        bodies.torque[s.a] += cross(now.at_a - bodies.position[s.a], force);
        bodies.torque[s.b] -= cross(now.at_b - bodies.position[s.b], force);
    }
}

double spring_energy(const Bodies& bodies, std::span<const Spring> springs) {
    double sum = 0;
    for (const Spring& s : springs) {
        const double by = stretched(bodies, s).by;
        sum += 0.5 * double(s.stiffness) * by * by;
    }
    return sum;
}

} // namespace fovea
