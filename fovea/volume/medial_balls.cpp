#include "fovea/volume/medial_balls.h"

#include <cmath>

namespace fovea {

namespace {

/// The ball's radius as the lattice has it, good to half a cell or so.
double rough_radius(const ContentModel& content, const Vec3d& p, const Vec3d& inwards) {
    double low = 0, high = 0.6; // no ball inside a unit box has more than half a unit
    for (int step = 0; step < 8; ++step) {
        const double radius = 0.5 * (low + high);
        const double out = content.protrusion({p + inwards * radius, radius});
        (out <= 0.5 * content.grid.spacing() ? low : high) = radius;
    }
    return low;
}

Ball shrunk(const ContentModel& content, const Vec3d& p, const Vec3d& inwards) {
    constexpr int k_most_steps = 16;
    const double rough = rough_radius(content, p, inwards), cell = content.grid.spacing();
    // Large balls are good enough, and slow to make better: all of a round shape is nearest to its
    // centre.
    if (rough > 8 * cell) return {p + inwards * rough, rough};
    double radius = rough + 2 * cell;
    for (int step = 0; step < k_most_steps; ++step) {
        const Vec3d centre = p + inwards * radius;
        // Points barely inside the ball do not count.
        const auto nearest = content.mesh.tree.nearest_within(centre, 0.97 * radius);
        if (!nearest) break;
        const Vec3d to = nearest->point - p;
        const double along = dot(to, inwards);
        if (along <= 1e-9) break;
        const double next = length_squared(to) / (2 * along);
        if (!(next < radius)) break;
        radius = next;
    }
    return {p + inwards * radius, radius};
}

} // namespace

std::vector<Ball> medial_balls(const ContentModel& content, const CoverElements& elements,
                               const Jobs& jobs) {
    std::vector<Ball> balls(elements.size());
    jobs.for_blocks(elements.size(), 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto e = std::uint32_t(i);
            const Vec3d p = elements.middle(e), n = elements.normal(e);
            balls[i] = {p, 0};
            if (!content.mesh.closed) continue;
            if (!elements.on_surface(e)) {
                balls[i].radius = std::max(0.0, -content.grid.distance(p));
                continue;
            }
            if (n == Vec3d()) continue;
            for (const Vec3d& inwards : {-n, n}) {
                const Ball ball = shrunk(content, p, inwards);
                if (content.grid.distance(ball.centre) < 0) {
                    balls[i] = ball;
                    break;
                }
            }
        }
    });
    return balls;
}

} // namespace fovea
