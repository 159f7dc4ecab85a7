// Springs between two bodies, as forces.
#pragma once

#include <span>

#include "fovea/dynamics/bodies.h"

namespace fovea {

/// Pulls the anchors towards `length` metres apart: force = stiffness * stretch + damping * speed
/// of stretching, along the line between them.
struct Spring {
    std::uint32_t a, b;      ///< body slots
    Vec3 anchor_a, anchor_b; ///< relative to the centre of mass, body axes
    float stiffness;         ///< N/m
    float damping;           ///< N s/m
    float length;            ///< at rest, m
};

/// One of the bodies of a spring: its centre of mass and how it moves.
struct SpringEnd {
    Transform pose;
    Vec3 velocity, spin;
};

/// What a spring does: a force on A at an anchor, and its opposite on B.
struct SpringPull {
    Vec3 arm_a, arm_b; ///< from the centres of mass to the anchors
    Vec3 force;
};
SpringPull pull_of(const Spring& spring, const SpringEnd& a, const SpringEnd& b);

/// Adds the springs' forces and torques to those gathered for the next step.
void apply_springs(Bodies& bodies, std::span<const Spring> springs);

/// Energy stored in the springs, J.
double spring_energy(const Bodies& bodies, std::span<const Spring> springs);

} // namespace fovea
