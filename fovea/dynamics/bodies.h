// The state of all bodies, one array per quantity, indexed by slot.
//
//   slot               0      1      2      3
//   position         [x0]   [x1]   [ - ]  [x3]      slot 2 is free: no mass, at rest
//   velocity         [v0]   [v1]   [ - ]  [v3]
//   ...
//
// Positions are of the centre of mass. Immovable bodies have inverse mass and inertia 0, so they
// need no special case: nothing changes their velocity.
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/mat3.h"
#include "fovea/base/transform.h"
#include "fovea/dynamics/material.h"

namespace fovea {

/// How a body moves while nothing touches it.
struct FreeMotion {
    float gravity_scale = 1;   ///< of the world's gravity, any finite number
    float linear_damping = 0;  ///< 1/s, >= 0: the velocity falls to 1/e in the inverse of it
    float angular_damping = 0; ///< likewise of the spin

    /// What is left of a velocity after `h` seconds of damping, however strong.
    static float left(float damping, float h) { return 1 / (1 + damping * h); }
};

/// What a body starts with.
struct BodyState {
    Transform pose{}; ///< of the centre of mass
    Vec3 velocity{};
    Vec3 angular_velocity{};
    float mass = 0; ///< 0: immovable
    Mat3 inertia{}; ///< about the centre of mass, body axes; unused if immovable
    Material material{};
    FreeMotion motion{};
    bool kinematic = false; ///< without mass: goes its way, whatever it meets
};

struct Bodies {
    std::vector<Vec3> position;
    std::vector<Quat> orientation;
    std::vector<Vec3> velocity;
    std::vector<Vec3> angular_velocity;
    std::vector<Vec3> force;  ///< gathered for the next step
    std::vector<Vec3> torque; ///< likewise
    std::vector<float> inverse_mass;
    std::vector<Mat3> inverse_inertia;       ///< body axes
    std::vector<Mat3> inverse_inertia_world; ///< this step's, world axes
    std::vector<Material> material;
    std::vector<FreeMotion> motion;
    std::vector<std::uint8_t> kinematic;

    std::uint32_t size() const { return std::uint32_t(position.size()); }
    Transform pose(std::uint32_t slot) const { return {position[slot], orientation[slot]}; }
    /// Of the body's frame in which the centre of mass is at `centre`.
    Transform frame(std::uint32_t slot, const Vec3& centre) const {
        return {pose(slot) * -centre, orientation[slot]};
    }
    /// Whether forces and contacts move the body.
    bool movable(std::uint32_t slot) const { return inverse_mass[slot] > 0; }
    /// Whether it changes its place at all.
    bool moves(std::uint32_t slot) const { return movable(slot) || kinematic[slot]; }
    /// Whether it is on its way, unstoppable.
    bool driven(std::uint32_t slot) const {
        return kinematic[slot] && (velocity[slot] != Vec3() || angular_velocity[slot] != Vec3());
    }

    /// Velocity of the point of the body that is now at `point`.
    Vec3 velocity_at(std::uint32_t slot, const Vec3& point) const {
        return velocity[slot] + cross(angular_velocity[slot], point - position[slot]);
    }

    /// Fills `slot`, making the arrays longer where needed.
    void set(std::uint32_t slot, const BodyState& state);
    /// Empties `slot`: what remains there neither moves nor is moved.
    void clear(std::uint32_t slot);
};

/// Kinetic energy of all bodies, J.
double kinetic_energy(const Bodies& bodies);
/// Energy in the uniform field `gravity`, zero at the origin, J.
double gravitational_energy(const Bodies& bodies, const Vec3& gravity);

} // namespace fovea
