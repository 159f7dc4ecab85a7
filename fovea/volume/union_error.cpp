#include "fovea/volume/union_error.h"

#include "fovea/volume/exposed_surface.h"
#include "fovea/volume/sphere_neighbours.h"

namespace fovea {

UnionError union_error(const ContentModel& content, std::span<const Ball> balls, int samples) {
    const Jobs single(1);
    const auto near = overlapping(balls, 0, single);
    const ExposedSurface surface(content.grid, samples);
    UnionError error;
    double area = 0;
    std::vector<CoveredCap> caps;
    for (std::uint32_t i = 0; i < balls.size(); ++i) {
        if (!caps_around(balls, i, near[i], caps)) continue;
        const double weight = balls[i].radius * balls[i].radius;
        for (int block = 0; block < surface.blocks(); ++block) {
            float distances[ExposedSurface::k_block];
            surface.distances(balls[i], caps, block, distances);
            for (const float d : distances) {
                if (!(d > 0)) continue;
                area += weight;
                error.mean += double(d) * weight;
                error.worst = std::max(error.worst, double(d));
            }
        }
    }
    if (area > 0) error.mean /= area;
    return error;
}

} // namespace fovea
