#include "fovea/volume/box_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "fovea/base/assert.h"

namespace fovea {

namespace {

constexpr std::uint32_t k_leaf_items = 4;
constexpr int k_bins = 16;

struct Split {
    int axis = -1; ///< -1: none helps
    int bin = 0;   ///< items in bins below go left
    double cost = 0;
};

/// Twice the centre, which is all that binning needs; in double so that it cannot overflow.
double doubled_centre(const Aabb& box, int axis) {
    return double(box.low[axis]) + double(box.high[axis]);
}

struct Binning {
    double low[3], scale[3]; ///< scale 0: all centres coincide on that axis

    int bin(const Aabb& box, int axis) const {
        const double position = (doubled_centre(box, axis) - low[axis]) * scale[axis];
        return std::min(int(position), k_bins - 1);
    }
};

Binning make_binning(std::span<const Aabb> boxes, std::span<const std::uint32_t> items) {
    Binning binning;
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (const std::uint32_t i : items) {
            low = std::min(low, doubled_centre(boxes[i], axis));
            high = std::max(high, doubled_centre(boxes[i], axis));
        }
        binning.low[axis] = low;
        binning.scale[axis] = high > low ? k_bins / (high - low) : 0;
    }
    return binning;
}

/// In double: areas of boxes far from the origin overflow a float.
double area(const Aabb& box) {
    const Vec3d e = Vec3d(box.high) - Vec3d(box.low);
    return e.x * e.y + e.y * e.z + e.z * e.x;
}

/// The split of least expected cost: area times number of items, on both sides.
Split best_split(const Binning& binning, std::span<const Aabb> boxes,
                 std::span<const std::uint32_t> items) {
    Split best;
    for (int axis = 0; axis < 3; ++axis) {
        if (!(binning.scale[axis] > 0)) continue;
        std::array<Aabb, k_bins> bounds{};
        std::array<std::uint32_t, k_bins> counts{};
        for (const std::uint32_t i : items) {
            const int bin = binning.bin(boxes[i], axis);
            bounds[bin] = merged(bounds[bin], boxes[i]);
            ++counts[bin];
        }
        std::array<double, k_bins> right_cost{};
        Aabb sum;
        double count = 0;
        for (int bin = k_bins - 1; bin > 0; --bin) {
            sum = merged(sum, bounds[bin]);
            count += counts[bin];
            right_cost[bin] = count > 0 ? area(sum) * count : 0;
        }
        sum = {};
        count = 0;
        for (int bin = 1; bin < k_bins; ++bin) {
            sum = merged(sum, bounds[bin - 1]);
            count += counts[bin - 1];
            if (count == 0 || count == double(items.size())) continue;
            const double cost = area(sum) * count + right_cost[bin];
            if (best.axis < 0 || cost < best.cost) best = {axis, bin, cost};
        }
    }
    return best;
}

} // namespace

void BoxTree::build_node(std::span<const Aabb> boxes, std::uint32_t first, std::uint32_t count) {
    const std::span items(items_.data() + first, count);
    const std::size_t at = nodes_.size();
    nodes_.push_back({{}, 1, first, count});
    for (const std::uint32_t i : items) nodes_[at].box = merged(nodes_[at].box, boxes[i]);
    if (count <= k_leaf_items) return;

    const Binning binning = make_binning(boxes, items);
    const Split split = best_split(binning, boxes, items);
    std::uint32_t left = count / 2; // coincident centres: any halves do
    if (split.axis >= 0) {
        const auto middle = std::stable_partition(items.begin(), items.end(), [&](std::uint32_t i) {
            return binning.bin(boxes[i], split.axis) < split.bin;
        });
        left = std::uint32_t(middle - items.begin());
    }
    nodes_[at].count = 0;
    build_node(boxes, first, left);
    build_node(boxes, first + left, count - left);
    nodes_[at].subtree = std::uint32_t(nodes_.size() - at);
}

BoxTree BoxTree::build(std::span<const Aabb> boxes) {
    FOVEA_ASSERT(std::none_of(boxes.begin(), boxes.end(), [](const Aabb& b) { return b.empty(); }));
    BoxTree tree;
    if (boxes.empty()) return tree;
    tree.items_.resize(boxes.size());
    std::iota(tree.items_.begin(), tree.items_.end(), 0u);
    tree.nodes_.reserve(boxes.size());
    tree.build_node(boxes, 0, std::uint32_t(boxes.size()));
    for (const std::uint32_t i : tree.items_) tree.boxes_.push_back(boxes[i]);
    return tree;
}

BoxTree BoxTree::build(const TriangleMesh& mesh) {
    std::vector<Aabb> boxes(mesh.triangles.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (const Vec3& corner : corners(mesh, i)) boxes[i] = merged(boxes[i], corner);
    return build(boxes);
}

} // namespace fovea
