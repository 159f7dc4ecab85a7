#include "fovea/collide/ladder_builder.h"

#include <algorithm>

#include "fovea/base/assert.h"
#include "fovea/geometry/rounding.h"
#include "fovea/geometry/shape_bounds.h"

namespace fovea {

namespace {

constexpr std::uint32_t k_width = LadderBlock::k_width;

LadderBlock empty_block() {
    LadderBlock block;
    std::fill_n(block.x, k_width, LadderBlock::k_nowhere);
    std::fill_n(block.y, k_width, LadderBlock::k_nowhere);
    std::fill_n(block.z, k_width, LadderBlock::k_nowhere);
    std::fill_n(block.radius, k_width, 0.0f);
    return block;
}

/// Of a ball with a given centre that shall hold all points.
float radius_to(std::span<const Vec3> points, const Vec3& centre) {
    double squared = 0;
    for (const Vec3& p : points)
        squared = std::max(squared, length_squared(Vec3d(p) - Vec3d(centre)));
    return rounded_up(std::sqrt(squared) * (1 + 1e-12));
}

} // namespace

std::vector<std::uint32_t> LadderBuilder::add_blocks(std::span<const Item> items) {
    ladder.level_block.push_back(std::uint32_t(ladder.blocks.size()));
    std::vector<std::uint32_t> slots;
    for (std::size_t first = 0, end; first < items.size(); first = end) {
        const std::uint32_t parent = items[first].parent;
        for (end = first; end < items.size() && items[end].parent == parent;) ++end;
        FOVEA_ASSERT(last_slots_.empty() || parent < last_slots_.size());
        const auto first_block = std::uint32_t(ladder.blocks.size());
        const auto count = std::uint32_t(end - first);
        ladder.blocks.resize(first_block + (count + k_width - 1) / k_width, empty_block());
        if (!last_slots_.empty()) {
            FOVEA_ASSERT(ladder.children[last_slots_[parent]].count == 0);
            ladder.children[last_slots_[parent]] = {first_block, count};
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t slot = first_block * k_width + i;
            const BoundingBall& ball = items[first + i].ball;
            LadderBlock& block = ladder.blocks[slot / k_width];
            block.x[slot % k_width] = ball.centre.x;
            block.y[slot % k_width] = ball.centre.y;
            block.z[slot % k_width] = ball.centre.z;
            block.radius[slot % k_width] = ball.radius;
            slots.push_back(slot);
        }
    }
    ladder.children.resize(ladder.blocks.size() * k_width);
    return slots;
}

std::vector<std::uint32_t> LadderBuilder::add_level(std::span<const Item> items, LevelKind kind) {
    FOVEA_ASSERT(ladder.top == LadderTop::none && !items.empty());
    last_slots_ = add_blocks(items);
    float largest = 0;
    for (const Item& item : items) largest = std::max(largest, item.ball.radius);
    ladder.kinds.push_back(kind);
    ladder.largest_radius.push_back(largest);
    return last_slots_;
}

void LadderBuilder::add_elements(std::span<const Item> items,
                                 std::span<const std::uint32_t> numbers, LadderTop top) {
    std::vector<Item> groups, elements(items.begin(), items.end());
    std::vector<BoundingBall> balls;
    for (std::size_t i = 0; i < items.size();) {
        const std::size_t begin = i;
        balls.clear();
        for (; i < items.size() && items[i].parent == items[begin].parent && balls.size() < k_width;
             ++i) {
            balls.push_back(items[i].ball);
            elements[i].parent = std::uint32_t(groups.size());
        }
        groups.push_back({items[begin].parent, ball_around(std::span<const BoundingBall>(balls))});
    }
    last_slots_ = add_blocks(groups);
    const std::vector<std::uint32_t> slots = add_blocks(elements);
    const std::uint32_t first = ladder.level_block.back() * k_width;
    ladder.elements.assign(ladder.blocks.size() * k_width - first, 0);
    for (std::size_t i = 0; i < slots.size(); ++i) ladder.elements[slots[i] - first] = numbers[i];
    ladder.top = top;
}

Ladder LadderBuilder::finish() {
    const std::size_t ends = ladder.top == LadderTop::none ? 3 : 1;
    ladder.level_block.insert(ladder.level_block.end(), ends, std::uint32_t(ladder.blocks.size()));
    const BoundingBall root = ladder.ball(k_root_slot);
    ladder.reach = length(root.centre) + root.radius;
    return std::move(ladder);
}

BoundingBall ball_around(const std::array<Vec3, 3>& triangle) {
    // Around the longest edge, unless the third corner sticks out: then around all three corners
    // (Ericson, "Real-Time Collision Detection", 4.3).
    int longest = 0;
    std::array<Vec3d, 3> corner;
    for (int i = 0; i < 3; ++i) corner[i] = Vec3d(triangle[i]);
    const auto edge = [&](int i) { return corner[(i + 1) % 3] - corner[i]; };
    for (int i = 1; i < 3; ++i)
        if (length_squared(edge(i)) > length_squared(edge(longest))) longest = i;
    Vec3d centre = corner[longest] + edge(longest) * 0.5;
    const Vec3d third = corner[(longest + 2) % 3];
    if (length_squared(third - centre) > 0.25 * length_squared(edge(longest))) {
        const Vec3d u = corner[1] - corner[0], v = corner[2] - corner[0], n = cross(u, v);
        const double squared = length_squared(n);
        if (squared > 0) {
            centre =
                corner[0] +
                (cross(n, u) * length_squared(v) + cross(v, n) * length_squared(u)) / (2 * squared);
        }
    }
    return {Vec3(centre), radius_to(triangle, Vec3(centre))};
}

BoundingBall ball_around(const Shape& solid, const Transform& placement) {
    // Balls about the shape's own origin are tight for the round shapes, balls about the middle of
    // the box for hulls that are off centre.
    const float about_origin = bounding_radius(solid) * (1 + 0x1p-20f);
    const Aabb box = bounds(solid, Transform());
    const float about_middle = length(box.half_extents()) * (1 + 0x1p-20f);
    if (about_middle < about_origin) return {placement * box.centre(), about_middle};
    return {placement.position, about_origin};
}

BoundingBall ball_around(std::span<const BoundingBall> balls) {
    Aabb box;
    for (const BoundingBall& ball : balls) {
        const Vec3 r(ball.radius, ball.radius, ball.radius);
        box = {min(box.low, ball.centre - r), max(box.high, ball.centre + r)};
    }
    const Vec3 centre = box.centre();
    double radius = 0;
    for (const BoundingBall& ball : balls)
        radius = std::max(radius, length(Vec3d(ball.centre) - Vec3d(centre)) + ball.radius);
    return {centre, rounded_up(radius * (1 + 1e-12))};
}

std::vector<SurfaceTriangle> surface_triangles(const TriangleMesh& mesh) {
    const MeshNeighbours neighbours = find_neighbours(mesh);
    std::vector<SurfaceTriangle> triangles;
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i)
        triangles.push_back(surface_triangle(mesh, neighbours, i));
    return triangles;
}

std::size_t Ladder::memory_bytes() const {
    return blocks.size() * sizeof(LadderBlock) + children.size() * sizeof(Children) +
           volumes.size() * sizeof(NodeVolume) + content.size() * sizeof(NodeContent) +
           elements.size() * sizeof(std::uint32_t) + triangles.size() * sizeof(SurfaceTriangle) +
           solids.size() * sizeof(Solid);
}

} // namespace fovea
