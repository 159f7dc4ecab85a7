// A contact as the soft_step solver sees it, with the memory that warms up the next step.
#pragma once

#include <array>
#include <cstdint>

#include "fovea/contact/manifold.h"

namespace fovea {

/// Up to four points with one normal between bodies `a` and `b` (slots). The impulses are read as
/// a first guess and overwritten with what was found.
struct ContactPatch {
    struct Point {
        Vec3 point;       ///< world space, midway between the surfaces
        float separation; ///< m, may be positive for surfaces that are about to meet
        float impulse;    ///< along the normal, N s over one sub-step
        std::uint32_t feature;
    };

    std::uint32_t a, b;
    Vec3 normal; ///< unit, from A to B
    int count;
    std::array<Point, k_manifold_points> points;
    float friction;        ///< Coulomb coefficient of the pair
    float restitution;     ///< 0 to 1
    float rolling;         ///< resistance to rolling: lever arm, m
    Vec3 surface_velocity; ///< of A's surface relative to B's: belts carry B so fast, m/s
    Vec3 friction_impulse; ///< tangential, on B, world axes
    float twist_impulse;   ///< about the normal
    float support;         ///< part of the points' mean impulse that is borne without giving way
    Vec3 rolling_impulse;  ///< angular, on B, world axes
    /// Whether these impulses bore a load. Else they stopped an approach, once: bodies that got
    /// them again would have to give them back, which few visits do but roughly, and gain energy.
    bool lasting;
};

} // namespace fovea
