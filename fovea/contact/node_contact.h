// The contact that two overlapping nodes make: a direction, a point, a depth (Dingliana 3.2.2 and
// Table 4.1; O'Sullivan 4.4).
//
//        .-----.   .---.
//       /    c_a---p-c_b \        the line of least distance between the cores; for spheres, of the
//       \      /   \     /        centres. d is its length, R_a and R_b are the radii
//        '----'     '---'
//
// Where on the line the point p lies, from c_a:
//   ratio    d R_a / (R_a + R_b)             divides it as the radii; always between the cores
//   plane    (d^2 + R_a^2 - R_b^2) / 2d      in the plane of the circle in which the spheres meet
//   middle   of what lies inside both        O'Sullivan's centre of collision
// All three agree where the spheres just touch.
#pragma once

#include <cstdint>

#include "fovea/volume/node_volume.h"

namespace fovea {

enum class PointFormula : std::uint8_t { ratio, plane, middle };

struct NodeContact {
    Vec3 point;
    Vec3 normal;     ///< unit, from A to B
    float depth;     ///< metres; negative if apart
    float closeness; ///< kappa of Dingliana 4.2.1: 0 where nodes touch, 1 where one is inside
};

/// Contact of two spheres, all in one frame. `fallback` is the normal where the centres coincide.
NodeContact sphere_contact(const Vec3& centre_a, float radius_a, const Vec3& centre_b,
                           float radius_b, PointFormula formula, const Vec3& fallback);

/// Contact of any two volumes; a cube makes contact as the sphere around it.
NodeContact volume_contact(const NodeVolumed& a, const NodeVolumed& b, PointFormula formula,
                           const Vec3& fallback);

/// Contact of a volume with the half-space below a plane whose outward unit normal is `up`. The
/// normal of the contact points into the half-space.
NodeContact plane_contact(const NodeVolumed& volume, const Vec3d& up, double offset);

} // namespace fovea
