// Points by coordinates, for the question that sphere fitting asks most: how far is the farthest.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "fovea/base/vec3.h"

namespace fovea {

class PointSet {
  public:
    bool empty() const { return x_.empty(); }
    std::size_t size() const { return x_.size(); }
    Vec3d operator[](std::size_t i) const { return {x_[i], y_[i], z_[i]}; }

    void add(std::span<const Vec3d> points);

    /// The largest squared distance from `centre`; 0 if there are no points. Same bits on every
    /// instruction set.
    double farthest_squared(const Vec3d& centre) const;
    /// Radius about `centre` that holds all points.
    double radius_about(const Vec3d& centre) const { return std::sqrt(farthest_squared(centre)); }
    /// The point farthest from `from`; the first of several.
    Vec3d farthest_from(const Vec3d& from) const;
    Vec3d mean() const;

  private:
    std::vector<double> x_, y_, z_;
};

} // namespace fovea
