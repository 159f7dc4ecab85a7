#include "fovea/volume/distance_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fovea {

namespace {

constexpr std::uint32_t k_no_triangle = 0xffffffffu;

/// Part by which a sample may miss its nearest triangle: where all of a round shape is nearly
/// nearest, looking for the very nearest takes long.
constexpr double k_slack = 0.01;

} // namespace

DistanceGrid::DistanceGrid(const PreparedMesh& mesh, int cells, double band, const Jobs& jobs)
    : spacing_(1.0 / cells) {
    constexpr int k_padding = 2; // cells around the box, so that the outside is connected
    for (int axis = 0; axis < 3; ++axis) {
        const int across = int(std::ceil(2 * mesh.half_box[axis] / spacing_)) + 2 * k_padding;
        size_[axis] = across + 1;
        low_[axis] = -0.5 * across * spacing_;
    }
    samples_.resize(index(0, 0, size_[2]), std::numeric_limits<float>::infinity());
    std::vector<std::uint32_t> triangles(samples_.size(), k_no_triangle);
    const std::size_t rows = std::size_t(size_[1]) * std::size_t(size_[2]);
    jobs.for_blocks(rows, 8, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const int j = int(row % std::size_t(size_[1])), k = int(row / std::size_t(size_[1]));
            std::optional<TriangleTree::Nearest> nearest;
            for (int i = 0; i < size_[0]; ++i) {
                const Vec3d p = position(i, j, k);
                // The triangle next door is likely to be near.
                double within = band * spacing_;
                if (nearest) {
                    const Triangle3d& last = mesh.tree.triangle(nearest->triangle);
                    within = std::min(within, length(closest_point(last, p) - p) * (1 + k_slack));
                }
                nearest = mesh.tree.nearest_within(p, within, k_slack);
                if (!nearest) continue;
                triangles[index(i, j, k)] = nearest->triangle;
                samples_[index(i, j, k)] = float(std::sqrt(nearest->squared_distance));
            }
        }
    });
    spread(mesh, band * spacing_, triangles);
    if (mesh.closed) find_signs(mesh, jobs);
}

void DistanceGrid::spread(const PreparedMesh& mesh, double band,
                          std::vector<std::uint32_t>& triangles) {
    const std::ptrdiff_t strides[3] = {1, size_[0], std::ptrdiff_t(size_[0]) * size_[1]};
    for (int sweep = 0; sweep < 8; ++sweep) {
        const int forward[3] = {sweep & 1 ? -1 : 1, sweep & 2 ? -1 : 1, sweep & 4 ? -1 : 1};
        int at[3];
        const auto from = [&](int axis) { return forward[axis] > 0 ? 0 : size_[axis] - 1; };
        const auto within = [&](int axis) { return at[axis] >= 0 && at[axis] < size_[axis]; };
        for (at[2] = from(2); within(2); at[2] += forward[2]) {
            for (at[1] = from(1); within(1); at[1] += forward[1]) {
                for (at[0] = from(0); within(0); at[0] += forward[0]) {
                    const std::size_t here = index(at[0], at[1], at[2]);
                    if (samples_[here] < band) continue; // found already
                    for (int axis = 0; axis < 3; ++axis) {
                        if (at[axis] == from(axis)) continue;
                        const std::size_t behind =
                            std::size_t(std::ptrdiff_t(here) - forward[axis] * strides[axis]);
                        const std::uint32_t candidate = triangles[behind];
                        if (candidate == k_no_triangle || candidate == triangles[here]) continue;
                        const Vec3d p = position(at[0], at[1], at[2]);
                        const auto d =
                            float(length(closest_point(mesh.tree.triangle(candidate), p) - p));
                        if (d < samples_[here]) samples_[here] = d, triangles[here] = candidate;
                    }
                }
            }
        }
    }
}

std::vector<Vec3d> DistanceGrid::inner_samples(int stride) const {
    std::vector<Vec3d> inner;
    for (int k = 0; k < size_[2]; k += stride) {
        for (int j = 0; j < size_[1]; j += stride) {
            for (int i = 0; i < size_[0]; i += stride) {
                if (samples_[index(i, j, k)] < 0) inner.push_back(position(i, j, k));
            }
        }
    }
    return inner;
}

} // namespace fovea
