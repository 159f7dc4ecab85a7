#include "fovea/collide/triangle_homes.h"

#include <algorithm>

#include "fovea/collide/ladder_builder.h"
#include "fovea/geometry/rounding.h"
#include "fovea/volume/volume_pairs.h"

namespace fovea {

namespace {

/// Pieces of a triangle that has been halved so often are too small to be worth halving on: they
/// go to every leaf that they reach into.
constexpr int k_deepest_cut = 12;

/// A piece as a flat volume that holds it, for tests against volumes that are no spheres.
NodeVolumed flat_volume(const Triangle3d& piece) {
    int longest = 0;
    const auto edge = [&](int i) { return piece[(i + 1) % 3] - piece[i]; };
    for (int i = 1; i < 3; ++i)
        if (length_squared(edge(i)) > length_squared(edge(longest))) longest = i;
    const Vec3d from = piece[longest], along = edge(longest);
    const Vec3d third = piece[(longest + 2) % 3] - from;
    const double squared = length_squared(along);
    const Vec3d height = squared > 0 ? third - along * (dot(third, along) / squared) : third;
    return {VolumeType::rectangle, from + along * 0.5 + height * 0.5, along * 0.5, height * 0.5, 0};
}

/// About the middle of the points' box.
BoundingBall ball_of(std::span<const Vec3d> points) {
    Vec3d low = points[0], high = low;
    for (const Vec3d& p : points) low = min(low, p), high = max(high, p);
    const Vec3 centre((low + high) * 0.5);
    double squared = 0;
    for (const Vec3d& p : points) squared = std::max(squared, length_squared(p - Vec3d(centre)));
    return {centre, rounded_up(std::sqrt(squared) * (1 + 1e-12))};
}

} // namespace

TriangleHomes::TriangleHomes(const LevelStructure& structure, std::span<const NodeVolume> nodes)
    : structure_(structure) {
    for (const NodeVolume& node : nodes) nodes_.push_back(placed(node, Transformd()));
}

std::span<const TriangleHomes::Home> TriangleHomes::find(const std::array<Vec3, 3>& triangle) {
    shares_.clear();
    homes_.clear();
    outside_ = false;
    cover({Vec3d(triangle[0]), Vec3d(triangle[1]), Vec3d(triangle[2])}, 0);
    if (outside_) return {};
    const BoundingBall whole = ball_around(triangle);
    for (const Share& share : shares_) {
        const BoundingBall part = ball_of(share.corners);
        homes_.push_back({share.leaf, part.radius < whole.radius ? part : whole});
    }
    return homes_;
}

bool TriangleHomes::node_holds(std::uint32_t node, const Triangle3d& piece) const {
    return holds(nodes_[node], piece[0]) && holds(nodes_[node], piece[1]) &&
           holds(nodes_[node], piece[2]);
}

bool TriangleHomes::path_holds(std::uint32_t leaf, const Triangle3d& piece) const {
    for (std::uint32_t node = leaf;; node = structure_.parent(node)) {
        if (!node_holds(node, piece)) return false;
        if (node == 0) return true;
    }
}

void TriangleHomes::add(std::uint32_t leaf, const Triangle3d& piece) {
    const auto known = std::find_if(shares_.begin(), shares_.end(),
                                    [&](const Share& share) { return share.leaf == leaf; });
    std::vector<Vec3d>& corners =
        known != shares_.end() ? known->corners : shares_.emplace_back(Share{leaf, {}}).corners;
    corners.insert(corners.end(), piece.begin(), piece.end());
}

void TriangleHomes::cover(const Triangle3d& piece, int depth) {
    for (const Share& share : shares_)
        if (path_holds(share.leaf, piece)) return add(share.leaf, piece);
    best_depth_ = 0;
    std::optional<std::uint32_t> whole;
    find_whole(piece, 0, whole);
    if (whole) {
        add(*whole, piece);
    } else if (depth < k_deepest_cut) {
        for (const Triangle3d& half : halves(piece)) cover(half, depth + 1);
    } else if (!find_reached(piece, flat_volume(piece), 0)) {
        outside_ = true;
    }
}

void TriangleHomes::find_whole(const Triangle3d& piece, std::uint32_t node,
                               std::optional<std::uint32_t>& best) {
    if (!node_holds(node, piece)) return;
    const NodeVolumed& volume = nodes_[node];
    if (structure_.is_leaf(node)) {
        const Vec3d middle = (piece[0] + piece[1] + piece[2]) / 3;
        const double depth = volume.radius - length(middle - volume.centre);
        if (!best || depth > best_depth_) best = node, best_depth_ = depth;
        return;
    }
    const auto [first, count] = structure_.children(node);
    for (std::uint32_t i = first; i < first + count; ++i) find_whole(piece, i, best);
}

bool TriangleHomes::find_reached(const Triangle3d& piece, const NodeVolumed& flat,
                                 std::uint32_t node) {
    NodeVolumed volume = nodes_[node];
    // Listing a piece once too often costs little, losing one to rounding a contact.
    volume.radius = volume.radius * (1 + 1e-9) + 1e-12;
    const bool reached =
        volume.type == VolumeType::point
            ? length(closest_point(piece, volume.centre) - volume.centre) <= volume.radius
            : pair_model(flat.type, volume.type).touch(flat, volume);
    if (!reached) return false;
    if (structure_.is_leaf(node)) {
        add(node, piece);
        return true;
    }
    bool found = false;
    const auto [first, count] = structure_.children(node);
    for (std::uint32_t i = first; i < first + count; ++i) found |= find_reached(piece, flat, i);
    return found;
}

} // namespace fovea
