// The distance to a mesh, sampled on a lattice: a quick estimate wherever fitting needs thousands.
//
// Positive outside, negative inside a closed mesh, trilinear between the samples. Samples in a band
// about the surface look for their nearest triangle, to one part in a hundred; the others
// take over those of their neighbours, in sweeps along the eight diagonals (Tsai, "Rapid and
// Accurate Computation of the Distance Function Using Grids", 2002), which at times misses the
// nearest by a little. Signs follow from the crossings of each row of samples with the surface.
#pragma once

#include <vector>

#include "fovea/base/jobs.h"
#include "fovea/volume/prepared_mesh.h"

namespace fovea {

class DistanceGrid {
  public:
    /// `cells` along the longest side of the mesh's box; samples within `band` cells of the surface
    /// look for their nearest triangle.
    DistanceGrid(const PreparedMesh& mesh, int cells, double band, const Jobs& jobs);

    double spacing() const { return spacing_; }

    /// Signed distance, estimated; exact plus the way back to the lattice for points outside it.
    double distance(const Vec3d& p) const {
        const Vec3d q = (p - low_) / spacing_;
        const double x = clamped(q.x, size_[0]), y = clamped(q.y, size_[1]),
                     z = clamped(q.z, size_[2]);
        const int i = cell_of(x, size_[0]), j = cell_of(y, size_[1]), k = cell_of(z, size_[2]);
        const double u = x - i, v = y - j, w = z - k;
        const float* s = &samples_[index(i, j, k)];
        const std::size_t dy = std::size_t(size_[0]), dz = dy * std::size_t(size_[1]);
        const auto mix = [](double a, double b, double t) { return a + (b - a) * t; };
        const double d =
            mix(mix(mix(s[0], s[1], u), mix(s[dy], s[dy + 1], u), v),
                mix(mix(s[dz], s[dz + 1], u), mix(s[dz + dy], s[dz + dy + 1], u), v), w);
        const Vec3d beyond(q.x - x, q.y - y, q.z - z);
        const double squared = length_squared(beyond);
        return squared > 0 ? d + std::sqrt(squared) * spacing_ : d;
    }

    /// Samples that lie inside the solid, every `stride`-th along each axis.
    std::vector<Vec3d> inner_samples(int stride) const;

    /// The samples as SIMD code reads them, in single precision.
    struct View {
        float low[3];
        float spacing, per_unit; ///< of the cells, and cells per unit
        int size[3];
        const float* samples;
    };
    View view() const {
        return {{float(low_.x), float(low_.y), float(low_.z)},
                float(spacing_),
                float(1 / spacing_),
                {size_[0], size_[1], size_[2]},
                samples_.data()};
    }

    std::size_t memory_bytes() const { return samples_.size() * sizeof(float); }

  private:
    std::size_t index(int i, int j, int k) const {
        return std::size_t(i) +
               std::size_t(size_[0]) * (std::size_t(j) + std::size_t(size_[1]) * std::size_t(k));
    }
    Vec3d position(int i, int j, int k) const { return low_ + Vec3d(i, j, k) * spacing_; }
    static double clamped(double q, int size) { return q < 0 ? 0 : (q > size - 1 ? size - 1 : q); }
    static int cell_of(double q, int size) {
        const int i = int(q);
        return i > size - 2 ? size - 2 : i;
    }
    /// Hands the nearest triangles of samples on to those further away.
    void spread(const PreparedMesh& mesh, double band, std::vector<std::uint32_t>& triangles);
    void find_signs(const PreparedMesh& mesh, const Jobs& jobs);

    Vec3d low_;
    double spacing_;
    int size_[3]; ///< samples per axis, at least 2
    std::vector<float> samples_;
};

} // namespace fovea
