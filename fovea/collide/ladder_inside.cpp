// Solids inside each other, whose surfaces do not meet: the last question of the exact rung.
//
// Where no triangles cross, one body is inside the other or they are apart, and any point of one
// tells which. Rays from it look for triangles through the nodes of the other's ladder: a
// triangle's pieces lie in some leaf and in all its ancestors, so no node in the way is left out.
// Of a body inside, the triangle nearest to that point says where the way out is.
#include <algorithm>

#include "fovea/collide/first_crossing.h"
#include "fovea/collide/ladder_search.h"
#include "fovea/collide/node_shapes.h"
#include "fovea/collide/pair_descent.h"
#include "fovea/geometry/point_distance.h"

namespace fovea {

/// The triangle nearest to the point, which is not farther than `within`. False if the budget ended
/// it.
bool LadderDescent::find_nearest(const Ladder& mesh, const Vec3d& point, double within,
                                 WorkMeter& work, std::uint32_t& nearest) {
    double best = within * (1 + k_search_rim);
    return search_ladder(
        mesh, scratch_.open_, work,
        [&](const BoundingBall& ball) {
            return length(Vec3d(ball.centre) - point) - ball.radius * (1 + k_search_rim) <= best;
        },
        [&](std::uint32_t number) {
            ++scratch_.counters.triangle_tests;
            const auto& [a, b, c] = mesh.triangles[number].corners;
            const double distance =
                point_to_triangle({Vec3d(a), Vec3d(b), Vec3d(c)}, point).distance;
            if (distance > best) return;
            best = distance;
            nearest = number;
        });
}

/// Of two bodies whose surfaces do not meet, is `inner` inside the other's mesh? Then the one pair
/// that says so is all that is `found`. False if the budget ended it.
bool LadderDescent::find_inside(const PairDescent& pair, Side inner, List& found, WorkMeter& work,
                                Enclosed& enclosed) {
    const Ladder &mesh = ladder(inner == k_a ? k_b : k_a), &body = ladder(inner);
    if (!mesh.encloses_space) return true;
    const BoundingBall root = mesh.ball(k_root_slot);
    const Transformd& b_in_a = relation().b_in_a;
    std::uint32_t last = ~0u;
    for (const std::uint32_t leaf : inner == k_a ? pair.of_a() : pair.of_b()) {
        // Leaves may hold nothing but the inside of a mesh.
        if (leaf == last || body.children[leaf].count == 0) continue;
        last = leaf;
        const std::uint32_t element = body.first_element_below(leaf);
        const Vec3d own = point_of_element(body, element);
        const Vec3d point =
            inner == k_b ? b_in_a * own : rotate_back(b_in_a.orientation, own - b_in_a.position);
        if (length(point - Vec3d(root.centre)) <= root.radius) {
            bool whole = true;
            double way_out = 4 * double(root.radius);
            const bool inside = encloses(point, way_out, [&](FirstCrossing& first) {
                whole = whole && show_triangles(mesh, first, scratch_.open_, work,
                                                scratch_.counters.triangle_tests);
                if (first.outward) way_out = std::min(way_out, first.distance);
            });
            std::uint32_t nearest = 0;
            whole = whole && (!inside || find_nearest(mesh, point, way_out, work, nearest));
            if (!whole) return false;
            if (inside) {
                enclosed = inner == k_a ? Enclosed::a : Enclosed::b;
                found.count = 1;
                found.a[0] = inner == k_a ? element : nearest;
                found.b[0] = inner == k_a ? nearest : element;
                return true;
            }
        }
        // A surface in one piece is wholly inside, or none of it; solids are so one by one.
        if (body.top == LadderTop::triangles) break;
    }
    return true;
}

bool LadderDescent::find_enclosed(const PairDescent& pair, List& found, WorkMeter& work,
                                  Enclosed& enclosed) {
    if (a_.is_half_space() || b_.is_half_space()) return true;
    return find_inside(pair, k_a, found, work, enclosed) &&
           (enclosed != Enclosed::none || find_inside(pair, k_b, found, work, enclosed));
}

} // namespace fovea
