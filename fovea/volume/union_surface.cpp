#include "fovea/volume/union_surface.h"

#include <cmath>
#include <numbers>

#include "fovea/volume/sphere_neighbours.h"

namespace fovea {

std::vector<Vec3d> spiral_directions(int count) {
    const double turn = std::numbers::pi * (3 - std::sqrt(5.0)); // the golden angle
    std::vector<Vec3d> directions;
    directions.reserve(count);
    for (int i = 0; i < count; ++i) {
        const double z = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - z * z);
        directions.emplace_back(r * std::cos(turn * i), r * std::sin(turn * i), z);
    }
    return directions;
}

std::vector<SurfaceSample> union_surface(std::span<const Ball> balls, int count, const Jobs& jobs) {
    constexpr int k_least = 24;
    const auto near = overlapping(balls, 0, jobs);
    // Of equal balls the first keeps its points.
    std::vector<char> repeated(balls.size(), 0);
    double total = 0;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        repeated[i] = std::any_of(near[i].begin(), near[i].end(),
                                  [&](std::uint32_t k) { return k < i && balls[k] == balls[i]; });
        if (!repeated[i]) total += balls[i].radius * balls[i].radius;
    }
    std::vector<std::vector<SurfaceSample>> parts(balls.size());
    jobs.for_blocks(balls.size(), 8, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (repeated[i]) continue;
            const double squared = balls[i].radius * balls[i].radius;
            const int samples = std::max(k_least, int(count * squared / total));
            const double area = 4 * std::numbers::pi * squared / samples;
            std::uint32_t last = std::uint32_t(i);
            for (const Vec3d& direction : spiral_directions(samples)) {
                const Vec3d p = balls[i].centre + direction * balls[i].radius;
                const auto covers = [&](std::uint32_t k) {
                    return !repeated[k] && balls[k] != balls[i] &&
                           length_squared(p - balls[k].centre) < balls[k].radius * balls[k].radius;
                };
                if (last != i && covers(last)) continue;
                const auto cover = std::find_if(near[i].begin(), near[i].end(), covers);
                if (cover != near[i].end()) {
                    last = *cover;
                    continue;
                }
                parts[i].push_back({p, area, std::uint32_t(i)});
            }
        }
    });
    std::vector<SurfaceSample> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

double union_volume(std::span<const Ball> balls, int rays) {
    Vec3d low = balls[0].centre, high = low;
    for (const Ball& ball : balls) {
        const Vec3d r(ball.radius, ball.radius, ball.radius);
        low = min(low, ball.centre - r);
        high = max(high, ball.centre + r);
    }
    const double dy = (high.y - low.y) / rays, dz = (high.z - low.z) / rays;
    std::vector<std::vector<std::pair<double, double>>> spans(std::size_t(rays) * rays);
    for (const Ball& ball : balls) {
        const auto first = [&](double from, double step) {
            return std::max(0, int(std::floor(from / step - 0.5)));
        };
        const int j0 = first(ball.centre.y - ball.radius - low.y, dy);
        const int k0 = first(ball.centre.z - ball.radius - low.z, dz);
        for (int k = k0; k < rays; ++k) {
            const double z = low.z + (k + 0.5) * dz - ball.centre.z;
            if (z > ball.radius) break;
            for (int j = j0; j < rays; ++j) {
                const double y = low.y + (j + 0.5) * dy - ball.centre.y;
                if (y > ball.radius) break;
                const double h = ball.radius * ball.radius - y * y - z * z;
                if (h <= 0) continue;
                const double half = std::sqrt(h);
                spans[std::size_t(k) * rays + j].emplace_back(ball.centre.x - half,
                                                              ball.centre.x + half);
            }
        }
    }
    double filled = 0;
    for (auto& line : spans) {
        std::sort(line.begin(), line.end());
        double reached = -1e300;
        for (const auto& [from, to] : line) {
            if (to <= reached) continue;
            filled += to - std::max(from, reached);
            reached = to;
        }
    }
    return filled * dy * dz;
}

} // namespace fovea
