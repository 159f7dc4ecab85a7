// What FCL says about a pair of placed convex solids, in double precision.
#pragma once

#include <array>
#include <optional>

#include "fovea/geometry/shape.h"

namespace fovea {

/// FCL gives up by throwing; what it then owes is missing here.
struct FclAnswer {
    /// By the solver over libccd. It knows no depth: below zero it says only that they overlap.
    struct Distance {
        double separation;
        std::array<Vec3d, 2> points; ///< of A and B, where they are apart
    };
    struct Overlap {
        bool found;
        double depth; ///< with libccd, which uses MPR, not always the least one
        Vec3d normal; ///< along which the depth is taken
    };
    std::optional<Distance> distance;
    std::optional<Overlap> by_libccd, by_own_solver;
};

/// `a` and `b` are spheres, boxes, cylinders, capsules, cones or hulls.
FclAnswer ask_fcl(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b);

} // namespace fovea
