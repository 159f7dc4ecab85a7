// The shape cut into small elements, each of which is given whole to some sphere.
//
// An element is a handful of points whose convex hull is a small piece of surface (a triangle, a
// part of a large triangle, a patch of tiny ones) or a single point inside the solid. A sphere that
// holds an element's points holds the element. Fitting works on elements; the proof works on the
// mesh itself.
#pragma once

#include <span>
#include <vector>

#include "fovea/volume/sphere_draft.h"

namespace fovea {

class CoverElements {
  public:
    /// Elements fine enough for about `spheres` spheres; more with more effort.
    CoverElements(const ContentModel& content, std::size_t spheres, double effort);

    std::uint32_t size() const { return std::uint32_t(first_.size() - 1); }
    bool on_surface(std::uint32_t e) const { return e < surface_; }
    /// A point of the element.
    const Vec3d& middle(std::uint32_t e) const { return middles_[e]; }
    /// Unit normal of the surface there; zero inside the solid and where there is none.
    const Vec3d& normal(std::uint32_t e) const { return normals_[e]; }
    std::span<const Vec3d> points(std::uint32_t e) const {
        return {points_.data() + first_[e], first_[e + 1] - first_[e]};
    }

    /// Squared distance from `centre` to the element's farthest point.
    double far_squared(std::uint32_t e, const Vec3d& centre) const {
        double far = 0;
        for (std::uint32_t i = first_[e]; i < first_[e + 1]; ++i) {
            far = std::max(far, length_squared(points_[i] - centre));
        }
        return far;
    }

    std::size_t memory_bytes() const {
        return (points_.size() + middles_.size() + normals_.size()) * sizeof(Vec3d) +
               first_.size() * sizeof(std::uint32_t);
    }

  private:
    void add(std::span<const Vec3d> points, const Vec3d& middle, const Vec3d& normal);
    void add_pieces(const Triangle3d& triangle, double longest);
    void add_patches(const PreparedMesh& mesh, std::size_t count, double longest);

    std::vector<Vec3d> points_;
    std::vector<std::uint32_t> first_ = {0};
    std::vector<Vec3d> middles_, normals_;
    std::uint32_t surface_ = 0;
};

} // namespace fovea
