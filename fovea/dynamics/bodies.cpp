#include "fovea/dynamics/bodies.h"

#include <cstddef>

namespace fovea {

void Bodies::set(std::uint32_t slot, const BodyState& state) {
    if (slot >= size()) {
        const std::size_t count = slot + 1;
        position.resize(count);
        orientation.resize(count);
        velocity.resize(count);
        angular_velocity.resize(count);
        force.resize(count);
        torque.resize(count);
        inverse_mass.resize(count);
        inverse_inertia.resize(count);
        inverse_inertia_world.resize(count);
        material.resize(count);
        motion.resize(count);
        kinematic.resize(count);
    }
    const bool movable = state.mass > 0;
    position[slot] = state.pose.position;
    orientation[slot] = normalized(state.pose.orientation);
    velocity[slot] = state.velocity;
    angular_velocity[slot] = state.angular_velocity;
    force[slot] = {};
    torque[slot] = {};
    inverse_mass[slot] = movable ? 1 / state.mass : 0;
    inverse_inertia[slot] = movable ? inverse(state.inertia) : Mat3{};
    inverse_inertia_world[slot] = {};
    material[slot] = state.material;
    motion[slot] = state.motion;
    kinematic[slot] = state.kinematic;
}

void Bodies::clear(std::uint32_t slot) {
    set(slot, {});
}

double kinetic_energy(const Bodies& bodies) {
    double sum = 0;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.movable(i)) continue;
        const Vec3d v(bodies.velocity[i]);
        const Vec3d w(rotate_back(Quatd(bodies.orientation[i]), Vec3d(bodies.angular_velocity[i])));
        const Mat3& m = bodies.inverse_inertia[i];
        const Mat3d inertia = inverse(Mat3d{Vec3d(m.x), Vec3d(m.y), Vec3d(m.z)});
        sum += 0.5 * (dot(v, v) / double(bodies.inverse_mass[i]) + dot(w, inertia * w));
    }
    return sum;
}

double gravitational_energy(const Bodies& bodies, const Vec3& gravity) {
    double sum = 0;
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
        if (bodies.movable(i))
            sum -= double(bodies.motion[i].gravity_scale) *
                   dot(Vec3d(gravity), Vec3d(bodies.position[i])) / double(bodies.inverse_mass[i]);
    return sum;
}

} // namespace fovea
