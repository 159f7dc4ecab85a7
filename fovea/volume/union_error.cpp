#include "fovea/volume/union_error.h"

#include "fovea/volume/sphere_neighbours.h"
#include "fovea/volume/union_surface.h"

namespace fovea {

UnionError union_error(const ContentModel& content, std::span<const Ball> balls, int samples) {
    const Jobs single(1);
    const auto near = overlapping(balls, 0, single);
    const std::vector<Vec3d> directions = spiral_directions(samples);
    UnionError error;
    double area = 0;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        const double weight = balls[i].radius * balls[i].radius;
        std::uint32_t last = std::uint32_t(i);
        for (const Vec3d& direction : directions) {
            const Vec3d p = balls[i].centre + direction * balls[i].radius;
            const double d = content.grid.distance(p);
            if (d <= 0) continue;
            const auto covers = [&](std::uint32_t k) {
                return length_squared(p - balls[k].centre) < balls[k].radius * balls[k].radius;
            };
            if (last != i && covers(last)) continue;
            const auto cover = std::find_if(near[i].begin(), near[i].end(), covers);
            if (cover != near[i].end()) {
                last = *cover;
                continue;
            }
            area += weight;
            error.mean += d * weight;
            error.worst = std::max(error.worst, d);
        }
    }
    if (area > 0) error.mean /= area;
    return error;
}

} // namespace fovea
