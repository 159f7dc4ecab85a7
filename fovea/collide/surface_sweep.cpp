#include "fovea/collide/surface_sweep.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/volume/triangle_tree.h"

namespace fovea {

namespace {

/// Times at which the ball's way is corrected. Each lets it sink in a little deeper before it is
/// touched again, so that a triangle which it rests on does not stop it over and over.
constexpr int k_touches = 8;

struct MovingTriangle {
    Triangle3d before;
    Vec3d way[3];

    Triangle3d at(double t) const {
        return {before[0] + way[0] * t, before[1] + way[1] * t, before[2] + way[2] * t};
    }
};

/// A ball that goes straight on from `from` at the time `begin` until 1.
struct MovingBall {
    Vec3d from, velocity;
    double begin, radius;

    Vec3d at(double t) const { return from + velocity * (t - begin); }
};

struct Touch {
    double time;
    Vec3d normal;  ///< out of the surface
    Vec3d surface; ///< velocity of the point touched
    std::uint32_t triangle;
};

/// Conservative advancement (Mirtich, "Impulse-based Dynamic Simulation", 1996).
std::optional<Touch> first_touch(const MovingTriangle& triangle, const MovingBall& ball,
                                 double until) {
    double speed = 0;
    for (const Vec3d& way : triangle.way) speed = std::max(speed, length(way - ball.velocity));
    const double near = 1e-3 * ball.radius;
    constexpr int k_most_steps = 200;
    double t = ball.begin;
    for (int i = 0; i < k_most_steps && t <= until; ++i) {
        const Triangle3d corners = triangle.at(t);
        const Vec3d centre = ball.at(t), on = closest_point(corners, centre);
        const double distance = length(centre - on), gap = distance - ball.radius;
        if (gap <= near) {
            if (!(distance > 0)) return std::nullopt;
            const Vec3d weights = corner_weights(corners, on);
            const Vec3d way = triangle.way[0] * weights.x + triangle.way[1] * weights.y +
                              triangle.way[2] * weights.z;
            return Touch{t, (centre - on) / distance, way, 0};
        }
        if (!(speed > 0)) return std::nullopt;
        t += gap / speed;
    }
    return std::nullopt;
}

} // namespace

Vec3 way_taken_along(const DeformingSurface& surface, const BoundingBall& ball) {
    const Vec3d start(ball.centre);
    MovingBall moving{start, {}, 0, double(ball.radius)};
    for (int touches = 0; touches < k_touches; ++touches) {
        moving.radius = double(ball.radius) * (1 - 0.5 * touches / k_touches);
        const Vec3 end(moving.at(1)), from(moving.from);
        const Aabb swept =
            expanded({min(from, end), max(from, end)}, ball.radius + surface.farthest_way());
        std::optional<Touch> first;
        surface.search([&](const Aabb& box) { return overlap(box, swept); },
                       [&](std::uint32_t number, const std::array<Vec3, 3>& now) {
                           const std::array<Vec3, 3> before = surface.corners_before(number);
                           MovingTriangle triangle;
                           for (std::size_t i = 0; i < 3; ++i) {
                               triangle.before[i] = Vec3d(before[i]);
                               triangle.way[i] = Vec3d(now[i]) - Vec3d(before[i]);
                           }
                           const auto touch =
                               first_touch(triangle, moving, first ? first->time : 1);
                           if (!touch) return;
                           const bool same = first && touch->time == first->time;
                           if (same && number > first->triangle) return;
                           first = touch;
                           first->triangle = number;
                       });
        if (!first) break;
        const double against = std::max(dot(first->surface - moving.velocity, first->normal), 0.0);
        moving.from = moving.at(first->time);
        moving.velocity += first->normal * against;
        moving.begin = first->time;
    }
    return Vec3(moving.at(1) - start);
}

} // namespace fovea
