// Points on the surface of a union of balls.
#pragma once

#include <span>
#include <vector>

#include "fovea/volume/sphere_draft.h"

namespace fovea {

/// `count` directions spread evenly over the sphere along a golden spiral.
std::vector<Vec3d> spiral_directions(int count);

struct SurfaceSample {
    Vec3d point;
    double area; ///< that the point stands for
    std::uint32_t ball;
};

/// About `count` points spread over the balls by area, of which those in no other ball are kept.
std::vector<SurfaceSample> union_surface(std::span<const Ball> balls, int count, const Jobs& jobs);

/// Volume of the union, by exact intervals along a lattice of `rays` x `rays` lines.
double union_volume(std::span<const Ball> balls, int rays);

} // namespace fovea
