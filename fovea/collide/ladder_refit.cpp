#include "fovea/collide/ladder_refit.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/inplace_vector.h"
#include "fovea/collide/ladder_builder.h"
#include "fovea/geometry/rounding.h"

namespace fovea {

namespace {

constexpr std::uint32_t k_width = LadderBlock::k_width;

void set_ball(Ladder& ladder, std::uint32_t slot, const BoundingBall& ball) {
    LadderBlock& block = ladder.blocks[slot / k_width];
    const std::uint32_t lane = slot % k_width;
    block.x[lane] = ball.centre.x;
    block.y[lane] = ball.centre.y;
    block.z[lane] = ball.centre.z;
    block.radius[lane] = ball.radius;
}

template <class Visit>
void for_children(const Ladder& ladder, std::uint32_t slot, const Visit& visit) {
    const auto [first_block, count] = ladder.children[slot];
    for (std::uint32_t i = 0; i < count; ++i) visit(first_block * k_width + i);
}

float radius_of(double reach) {
    return rounded_up(reach * (1 + 1e-12));
}

} // namespace

void LadderRefit::fit_leaf(Ladder& ladder, std::uint32_t slot) {
    Below& below = below_[slot] = Below();
    const auto for_triangles = [&](const auto& visit) {
        for_children(ladder, slot, [&](std::uint32_t group) {
            for_children(ladder, group, [&](std::uint32_t element) {
                visit(ladder.triangles[ladder.element(element)].corners);
            });
        });
    };
    for_children(ladder, slot, [&](std::uint32_t group) {
        InplaceVector<BoundingBall, k_width> balls;
        for_children(ladder, group, [&](std::uint32_t element) {
            balls.push_back(ball_around(ladder.triangles[ladder.element(element)].corners));
            set_ball(ladder, element, balls[balls.size() - 1]);
        });
        set_ball(ladder, group,
                 ball_around(std::span<const BoundingBall>(balls.begin(), balls.end())));
    });
    for_triangles([&](const std::array<Vec3, 3>& triangle) {
        const auto& [a, b, c] = triangle;
        for (const Vec3& corner : triangle) below.box = merged(below.box, corner);
        const Vec3d twice = cross(Vec3d(b) - Vec3d(a), Vec3d(c) - Vec3d(a));
        below.normal += twice;
        below.area += length(twice);
    });
    const Vec3 centre = below.box.centre();
    double squared = 0;
    for_triangles([&](const std::array<Vec3, 3>& triangle) {
        for (const Vec3& corner : triangle)
            squared = std::max(squared, length_squared(Vec3d(corner) - Vec3d(centre)));
    });
    set_ball(ladder, slot, {centre, radius_of(std::sqrt(squared))});
}

void LadderRefit::fit_parent(Ladder& ladder, std::uint32_t slot) {
    Below& below = below_[slot] = Below();
    for_children(ladder, slot, [&](std::uint32_t child) {
        below.box = merged(below.box, below_[child].box);
        below.normal += below_[child].normal;
        below.area += below_[child].area;
    });
    const Vec3 centre = below.box.centre();
    const Vec3d reach =
        max(Vec3d(below.box.high) - Vec3d(centre), Vec3d(centre) - Vec3d(below.box.low));
    double around = 0;
    for_children(ladder, slot, [&](std::uint32_t child) {
        const BoundingBall ball = ladder.ball(child);
        around = std::max(around, length(Vec3d(ball.centre) - Vec3d(centre)) + double(ball.radius));
    });
    set_ball(ladder, slot, {centre, radius_of(std::min(around, length(reach)))});
}

void LadderRefit::run(Ladder& ladder) {
    const int levels = ladder.levels();
    below_.resize(ladder.level_block[std::size_t(levels)] * k_width);
    for (int level = levels - 1; level >= 0; --level) {
        float& largest = ladder.largest_radius[std::size_t(level)] = 0;
        const std::uint32_t begin = ladder.level_block[std::size_t(level)] * k_width;
        const std::uint32_t end = ladder.level_block[std::size_t(level) + 1] * k_width;
        for (std::uint32_t slot = begin; slot < end; ++slot) {
            if (ladder.children[slot].count == 0) continue; // an unused lane
            if (level == levels - 1)
                fit_leaf(ladder, slot);
            else
                fit_parent(ladder, slot);
            largest = std::max(largest, ladder.ball(slot).radius);
            // Where the surface faces all ways it has no normal; see make_surface_ladder().
            const Below& below = below_[slot];
            const bool faces = length(below.normal) > 0.5 * below.area;
            ladder.content[slot].normal =
                faces ? Vec3(normalized_or(-below.normal, Vec3d())) : Vec3();
        }
    }
    const BoundingBall root = ladder.ball(k_root_slot);
    ladder.reach = length(root.centre) + root.radius;
}

} // namespace fovea
