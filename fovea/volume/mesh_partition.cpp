#include "fovea/volume/mesh_partition.h"

#include <algorithm>
#include <array>

#include "fovea/base/assert.h"

namespace fovea {

namespace {

/// Midpoint cuts of geometrically shrinking input peel off little at a time; from this depth on
/// parts are halved, so that no input makes a tree deeper than about 32 + log2 of its size.
constexpr int k_deepest_midpoint_cut = 32;

std::array<int, 3> axes_by_extent(const Vec3& extent) {
    std::array<int, 3> axes = {0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) { return extent[a] > extent[b]; });
    return axes;
}

int axes_to_cut(int branching) {
    return branching == 2 ? 1 : branching == 4 ? 2 : 3;
}

} // namespace

MeshPartitioner::MeshPartitioner(std::span<const TriangleMesh::Triangle> triangles,
                                 std::span<const Vec3> vertices, Partition method, int branching)
    : method_(method)
    , branching_(branching) {
    FOVEA_ASSERT(branching == 2 || branching == 4 || branching == 8);
    midpoints_.reserve(triangles.size());
    boxes_.reserve(triangles.size());
    for (const auto& [i, j, k] : triangles) {
        const Vec3 &a = vertices[i], &b = vertices[j], &c = vertices[k];
        // Divided first: the sum of three finite floats may overflow.
        midpoints_.push_back(a / 3 + b / 3 + c / 3);
        boxes_.push_back({min(a, min(b, c)), max(a, max(b, c))});
    }
    part_.resize(triangles.size());
    if (method == Partition::connectivity) {
        neighbours_ = face_neighbours(triangles);
        mark_.assign(triangles.size(), 0);
    }
}

void MeshPartitioner::split(std::span<std::uint32_t> faces, int depth,
                            std::vector<std::uint32_t>& ends) {
    FOVEA_ASSERT(faces.size() >= 2);
    ends.clear();
    if (faces.size() <= std::size_t(branching_)) {
        for (std::uint32_t i = 1; i <= faces.size(); ++i) ends.push_back(i);
        return;
    }
    switch (method_) {
    case Partition::midpoint_centre:
    case Partition::midpoint_mean:
        if (depth < k_deepest_midpoint_cut) split_midpoint(faces, ends);
        break;
    case Partition::connectivity:
        split_patches(faces, ends);
        break;
    case Partition::surface_area:
        split_area(faces, ends);
        break;
    case Partition::median:
        break;
    }
    if (ends.size() < 2) split_median(faces, ends);
}

void MeshPartitioner::order_by_part(std::span<std::uint32_t> faces,
                                    std::vector<std::uint32_t>& ends) {
    std::array<std::uint32_t, 9> start{};
    for (const std::uint32_t face : faces) ++start[part_[face] + 1];
    for (int i = 0; i < 8; ++i) start[i + 1] += start[i];
    ends.clear();
    for (int i = 0; i < 8; ++i) {
        if (start[i + 1] > start[i]) ends.push_back(start[i + 1]);
    }
    scratch_.resize(faces.size());
    for (const std::uint32_t face : faces) scratch_[start[part_[face]]++] = face;
    std::copy(scratch_.begin(), scratch_.end(), faces.begin());
}

void MeshPartitioner::split_midpoint(std::span<std::uint32_t> faces,
                                     std::vector<std::uint32_t>& ends) {
    Aabb box;
    Vec3d sum;
    for (const std::uint32_t face : faces) {
        box = merged(box, boxes_[face]);
        sum += Vec3d(midpoints_[face]);
    }
    const Vec3 cut = method_ == Partition::midpoint_centre ? box.low * 0.5f + box.high * 0.5f
                                                           : Vec3(sum / double(faces.size()));
    const std::array<int, 3> axes = axes_by_extent(box.high - box.low);
    for (const std::uint32_t face : faces) {
        std::uint32_t cell = 0;
        for (int i = 0; i < axes_to_cut(branching_); ++i) {
            cell = cell * 2 + (midpoints_[face][axes[i]] > cut[axes[i]] ? 1 : 0);
        }
        part_[face] = cell;
    }
    order_by_part(faces, ends);
}

void MeshPartitioner::split_median(std::span<std::uint32_t> faces,
                                   std::vector<std::uint32_t>& ends) {
    ends.assign(1, std::uint32_t(faces.size()));
    for (int round = 0; round < axes_to_cut(branching_); ++round) {
        std::vector<std::uint32_t> halves;
        std::uint32_t begin = 0;
        for (const std::uint32_t end : ends) {
            if (end - begin >= 2) {
                Aabb box;
                for (std::uint32_t i = begin; i < end; ++i) box = merged(box, midpoints_[faces[i]]);
                const int axis = axes_by_extent(box.high - box.low)[0];
                const std::uint32_t middle = begin + (end - begin) / 2;
                // Ties go by number: coincident midpoints are halved too.
                std::nth_element(faces.begin() + begin, faces.begin() + middle, faces.begin() + end,
                                 [&](std::uint32_t a, std::uint32_t b) {
                                     const float u = midpoints_[a][axis], v = midpoints_[b][axis];
                                     return u != v ? u < v : a < b;
                                 });
                halves.push_back(middle);
            }
            halves.push_back(end);
            begin = end;
        }
        ends = halves;
    }
}

std::size_t MeshPartitioner::best_area_cut(std::span<std::uint32_t> faces) {
    constexpr int k_bins = 16;
    struct Bin {
        Aabb box;
        std::uint32_t count = 0;
    };
    Aabb range;
    for (const std::uint32_t face : faces) range = merged(range, midpoints_[face]);
    float best_cost = Aabb::k_infinity;
    int best_axis = -1, best_border = 0;
    const auto bin_of = [&](std::uint32_t face, int axis) {
        const float scale = float(k_bins) / (range.high[axis] - range.low[axis]);
        const float place = (midpoints_[face][axis] - range.low[axis]) * scale;
        return std::min(k_bins - 1, int(place));
    };
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = range.high[axis] - range.low[axis];
        if (!(extent > 0) || !std::isfinite(float(k_bins) / extent)) continue;
        std::array<Bin, k_bins> bins;
        for (const std::uint32_t face : faces) {
            Bin& bin = bins[bin_of(face, axis)];
            bin.box = merged(bin.box, boxes_[face]);
            ++bin.count;
        }
        std::array<float, k_bins> right_cost{};
        Bin right;
        for (int i = k_bins - 1; i > 0; --i) {
            right.box = merged(right.box, bins[i].box);
            right.count += bins[i].count;
            right_cost[i] = right.count ? half_area(right.box) * float(right.count) : 0;
        }
        Bin left;
        for (int i = 1; i < k_bins; ++i) {
            left.box = merged(left.box, bins[i - 1].box);
            left.count += bins[i - 1].count;
            if (left.count == 0 || left.count == faces.size()) continue;
            const float cost = half_area(left.box) * float(left.count) + right_cost[i];
            if (cost < best_cost) best_cost = cost, best_axis = axis, best_border = i;
        }
    }
    if (best_axis < 0) return 0;
    const auto middle = std::stable_partition(faces.begin(), faces.end(), [&](std::uint32_t face) {
        return bin_of(face, best_axis) < best_border;
    });
    return std::size_t(middle - faces.begin());
}

void MeshPartitioner::split_area(std::span<std::uint32_t> faces, std::vector<std::uint32_t>& ends) {
    struct Part {
        std::uint32_t begin, end;
        float weight; ///< area x triangles; negative once it cannot be cut
    };
    const auto make_part = [&](std::uint32_t begin, std::uint32_t end) {
        Aabb box;
        for (std::uint32_t i = begin; i < end; ++i) box = merged(box, boxes_[faces[i]]);
        return Part{begin, end, end - begin < 2 ? -1 : half_area(box) * float(end - begin)};
    };
    std::vector<Part> parts = {make_part(0, std::uint32_t(faces.size()))};
    while (parts.size() < std::size_t(branching_)) {
        const auto worst =
            std::max_element(parts.begin(), parts.end(),
                             [](const Part& a, const Part& b) { return a.weight < b.weight; });
        if (worst->weight < 0) break;
        const auto [begin, end, weight] = *worst;
        const std::size_t left = best_area_cut(faces.subspan(begin, end - begin));
        if (left == 0) {
            worst->weight = -1;
            continue;
        }
        const std::uint32_t middle = begin + std::uint32_t(left);
        *worst = make_part(begin, middle);
        parts.insert(worst + 1, make_part(middle, end));
    }
    ends.clear();
    for (const Part& part : parts) ends.push_back(part.end);
}

} // namespace fovea
