// Rebounds that make no energy.
//
// Restitution is visited contact by contact, each as if it were the only one. Where a body strikes
// several things at once, or in several places, that may leave more energy than there was. The
// rebounds of bodies that touch each other are then all taken by the same part s, which keeps
// their momentum:
//
//   E(s) = E + b s + a s^2 <= most      E: of the bodies before the rebound, b, a: of its change
//                                       most: what they came with, or got from forces since
#pragma once

#include <span>
#include <vector>

#include "fovea/base/disjoint_sets.h"
#include "fovea/dynamics/bodies.h"
#include "fovea/dynamics/graph_colouring.h"
#include "fovea/dynamics/integrate.h"
#include "fovea/dynamics/solver_bodies.h"

namespace fovea {

class ReboundLimit {
  public:
    /// Before the rebound.
    void begin(std::span<const SolverBody> rows);

    /// What the rows are: bodies, as they were when the step began, and where they have turned to.
    struct Rows {
        const Bodies& bodies;
        std::span<const std::uint32_t> slots;
        std::span<const Quat> orientations;
        std::span<const ConstraintEnds> contacts;
        std::span<const Vec3> pulled; ///< what springs did to velocities; empty without any
    };
    /// After it; the step took `dt` seconds.
    void end(const Rows& all, const MotionSettings& motion, float dt, std::span<SolverBody> rows);

  private:
    struct Velocities {
        Vec3 velocity, spin;
    };
    struct Sum {
        double energy = 0, linear = 0, square = 0, most = 0;
        float part() const;
    };
    bool rebounded(std::uint32_t row, std::span<const SolverBody> rows) const;

    std::vector<Velocities> before_;
    DisjointSets touching_; ///< rows that rebounded from each other
    std::vector<Sum> sums_; ///< per lowest row of these
};

} // namespace fovea
