// Looking for triangles through the nodes of a ladder, in which all of them are below some leaf and
// all its ancestors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/collide/first_crossing.h"
#include "fovea/collide/ladder.h"

namespace fovea {

/// Work units: eight spheres, or a triangle, against a ray or a point.
constexpr std::uint64_t k_look_units = 8;

/// Rounding of spheres, rays and distances, in parts of themselves.
constexpr double k_search_rim = 1e-5;

inline bool in_the_way(const FirstCrossing& first, const BoundingBall& ball) {
    const Vec3d to_centre = Vec3d(ball.centre) - first.ray.origin;
    const double along = dot(to_centre, first.ray.direction);
    const double radius = ball.radius * (1 + k_search_rim);
    return along >= -radius && along - radius <= first.distance &&
           length_squared(to_centre) - along * along <= radius * radius;
}

/// Goes down the ladder wherever `near(ball)` holds and gives the numbers of the triangles found to
/// `look`. `open` is its memory. False if the budget ended it.
template <class Near, class Look>
bool search_ladder(const Ladder& mesh, std::vector<std::uint32_t>& open, WorkMeter& work,
                   const Near& near, const Look& look) {
    open.assign(1, k_root_slot);
    const std::uint32_t first_element = mesh.first_element_slot();
    while (!open.empty()) {
        const auto [block, count] = mesh.children[open.back()];
        open.pop_back();
        for (std::uint32_t i = 0; i < count; ++i) {
            if (i % LadderBlock::k_width == 0) {
                if (work.exhausted()) return false;
                work.charge(k_look_units);
            }
            const std::uint32_t child = block * LadderBlock::k_width + i;
            if (!near(mesh.ball(child))) continue;
            if (child < first_element) {
                open.push_back(child);
            } else {
                work.charge(k_look_units);
                look(mesh.element(child));
            }
        }
    }
    return true;
}

/// Shows the ray all triangles in its way, and counts those. False if the budget ended it.
inline bool show_triangles(const Ladder& mesh, FirstCrossing& first,
                           std::vector<std::uint32_t>& open, WorkMeter& work,
                           std::uint64_t& shown) {
    return search_ladder(
        mesh, open, work, [&](const BoundingBall& ball) { return in_the_way(first, ball); },
        [&](std::uint32_t number) {
            ++shown;
            first.meet(mesh.triangles[number].corners);
        });
}

} // namespace fovea
