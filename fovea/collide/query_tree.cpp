#include "fovea/collide/query_tree.h"

#include <algorithm>
#include <limits>

#include "fovea/collide/search_rim.h"

namespace fovea {

namespace {

constexpr float k_huge = std::numeric_limits<float>::max();

/// Halves the items at the median of the axis along which their centres spread most. Items at the
/// same place keep to the order of their numbers.
std::size_t halve(std::span<std::uint32_t> items, std::span<const Aabb> boxes) {
    Aabb centres;
    for (const std::uint32_t i : items) centres = merged(centres, boxes[i].low + boxes[i].high);
    const Vec3 spread = centres.high - centres.low;
    const int axis =
        spread.x >= spread.y ? (spread.x >= spread.z ? 0 : 2) : (spread.y >= spread.z ? 1 : 2);
    const std::size_t middle = items.size() / 2;
    std::nth_element(items.begin(), items.begin() + std::ptrdiff_t(middle), items.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                         const float at_a = boxes[a].low[axis] + boxes[a].high[axis];
                         const float at_b = boxes[b].low[axis] + boxes[b].high[axis];
                         return at_a != at_b ? at_a < at_b : a < b;
                     });
    return middle;
}

double area(const Aabb& box) {
    const Vec3d e = Vec3d(box.high) - Vec3d(box.low);
    return e.x * e.y + e.y * e.z + e.z * e.x;
}

} // namespace

void QueryTree::Node::set(std::uint32_t lane, const Aabb& box, std::uint32_t to) {
    for (int axis = 0; axis < 3; ++axis)
        low[axis][lane] = box.low[axis], high[axis][lane] = box.high[axis];
    child[lane] = to;
}

void QueryTree::Node::clear(std::uint32_t lane) {
    // Beyond everything, yet finite.
    const Vec3 beyond(k_huge, k_huge, k_huge);
    set(lane, {beyond, beyond}, k_empty);
}

Aabb QueryTree::Node::box(std::uint32_t lane) const {
    return {{low[0][lane], low[1][lane], low[2][lane]},
            {high[0][lane], high[1][lane], high[2][lane]}};
}

Aabb QueryTree::Node::bounds() const {
    Aabb all;
    for (std::uint32_t lane = 0; lane < k_width; ++lane)
        if (child[lane] != k_empty) all = merged(all, box(lane));
    return all;
}

void QueryTree::build(std::span<const std::uint32_t> items, std::span<const Aabb> boxes) {
    items_.assign(items.begin(), items.end());
    nodes_.clear();
    area_ = area_when_built_ = 0;
    if (items_.empty()) return;
    build_node(items_, boxes);
    refit(boxes);
    area_when_built_ = area_;
}

std::uint32_t QueryTree::build_node(std::span<std::uint32_t> items, std::span<const Aabb> boxes) {
    const auto at = std::uint32_t(nodes_.size());
    nodes_.emplace_back();
    for (std::uint32_t lane = 0; lane < k_width; ++lane) nodes_[at].clear(lane);
    if (items.size() <= k_width) {
        for (std::uint32_t lane = 0; lane < items.size(); ++lane)
            nodes_[at].child[lane] = items[lane] | k_item;
        return at;
    }
    std::span<std::uint32_t> groups[k_width] = {items};
    for (std::uint32_t count = 1; count < k_width; count *= 2) {
        for (std::uint32_t i = count; i-- > 0;) {
            const std::span<std::uint32_t> group = groups[i];
            const std::size_t middle = halve(group, boxes);
            groups[2 * i] = group.first(middle);
            groups[2 * i + 1] = group.subspan(middle);
        }
    }
    for (std::uint32_t lane = 0; lane < k_width; ++lane) {
        const std::uint32_t child =
            groups[lane].size() == 1 ? groups[lane][0] | k_item : build_node(groups[lane], boxes);
        nodes_[at].child[lane] = child;
    }
    return at;
}

void QueryTree::refit(std::span<const Aabb> boxes) {
    area_ = 0;
    for (std::size_t at = nodes_.size(); at-- > 0;) {
        Node& node = nodes_[at];
        for (std::uint32_t lane = 0; lane < k_width; ++lane) {
            const std::uint32_t child = node.child[lane];
            if (child == k_empty) continue;
            const bool item = (child & k_item) != 0;
            node.set(lane, item ? with_search_rim(boxes[child & ~k_item]) : nodes_[child].bounds(),
                     child);
        }
        area_ += area(node.bounds());
    }
}

} // namespace fovea
