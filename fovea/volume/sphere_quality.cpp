#include "fovea/volume/sphere_quality.h"

#include <cmath>
#include <cstdio>
#include <numbers>

#include "fovea/base/random.h"
#include "fovea/volume/union_surface.h"

namespace fovea {

namespace {

constexpr int k_volume_rays = 128;
constexpr int k_coverage_samples = 8192;

/// Points on the mesh, evenly by area.
std::vector<Vec3d> mesh_samples(const PreparedMesh& mesh) {
    std::vector<Vec3d> points;
    Random random(2);
    const double step = mesh.area / k_coverage_samples;
    double passed = 0, next = 0.5 * step;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto [a, b, c] = mesh.corners(i);
        passed += 0.5 * length(cross(b - a, c - a));
        for (; step > 0 && next < passed; next += step) {
            double u = random.uniform(), v = random.uniform();
            if (u + v > 1) u = 1 - u, v = 1 - v;
            points.push_back(a + (b - a) * u + (c - a) * v);
        }
    }
    if (points.empty()) points = mesh.vertices;
    return points;
}

double covered_part(std::span<const Vec3d> points, std::span<const Ball> balls, const Jobs& jobs) {
    std::vector<char> inside(points.size(), 0);
    jobs.for_blocks(points.size(), 256, [&](std::size_t begin, std::size_t end) {
        std::size_t last = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const auto holds = [&](const Ball& ball) {
                return length_squared(points[i] - ball.centre) <= ball.radius * ball.radius;
            };
            if (!holds(balls[last])) {
                const auto found = std::find_if(balls.begin(), balls.end(), holds);
                if (found == balls.end()) continue;
                last = std::size_t(found - balls.begin());
            }
            inside[i] = 1;
        }
    });
    return double(std::count(inside.begin(), inside.end(), 1)) / double(points.size());
}

/// Distances of the union's surface from the mesh, with the areas they stand for, ascending. Where
/// the solid is known to be `filled`, no point need be asked whether it lies inside.
std::vector<std::pair<double, double>> errors_of(const PreparedMesh& mesh, bool filled,
                                                 std::span<const Ball> balls, int samples,
                                                 const Jobs& jobs) {
    const std::vector<SurfaceSample> surface = union_surface(balls, samples, jobs);
    std::vector<std::pair<double, double>> errors(surface.size());
    jobs.for_blocks(surface.size(), 256, [&](std::size_t begin, std::size_t end) {
        std::uint32_t guess = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const auto nearest = mesh.tree.nearest(surface[i].point, guess);
            guess = nearest.triangle;
            const bool within = !filled && mesh.inside(surface[i].point);
            errors[i] = {std::sqrt(nearest.squared_distance), within ? 0 : surface[i].area};
        }
    });
    std::erase_if(errors, [](const auto& e) { return e.second == 0; });
    std::sort(errors.begin(), errors.end());
    return errors;
}

} // namespace

Result<SphereTreeQuality> measure(const SphereTree& tree, const TriangleMesh& mesh,
                                  const QualitySettings& settings) {
    const Jobs jobs(settings.threads);
    const auto prepared = prepare(mesh, jobs);
    if (!prepared) return tl::unexpected(prepared.error());
    double volume = 0;
    for (std::size_t i = 0; prepared->closed && i < prepared->triangles.size(); ++i) {
        const auto [a, b, c] = prepared->corners(i);
        volume += dot(a, cross(b, c)) / 6;
    }
    volume = std::abs(volume);
    const std::vector<Vec3d> points = mesh_samples(*prepared);

    SphereTreeQuality quality;
    quality.seconds = tree.proof().seconds;
    quality.tree_bytes = tree.memory_bytes();
    quality.build_bytes = tree.proof().peak_bytes;
    for (int l = 0; l < tree.levels(); ++l) {
        const SphereTree::Range range = tree.level(l);
        std::vector<Ball> balls;
        double sum = 0;
        for (std::uint32_t node = range.first; node < range.first + range.count; ++node) {
            const double radius = tree.radius(node) / prepared->scale;
            balls.push_back({prepared->to_units(tree.centre(node)), radius});
            sum += 4.0 / 3 * std::numbers::pi * radius * radius * radius;
        }
        LevelQuality level;
        level.spheres = range.count;
        const auto errors =
            errors_of(*prepared, tree.proof().solid_enclosed, balls, settings.samples, jobs);
        double area = 0, weighted = 0;
        for (const auto& [error, part] : errors) {
            area += part;
            weighted += error * part;
        }
        if (area > 0) {
            level.mean_error = weighted / area * prepared->scale;
            level.worst_error = errors.back().first * prepared->scale;
            double passed = 0;
            for (const auto& [error, part] : errors) {
                passed += part;
                if (passed < 0.95 * area) continue;
                level.p95_error = error * prepared->scale;
                break;
            }
        }
        const double filled = union_volume(balls, k_volume_rays);
        level.volume_ratio = volume > 0 ? filled / volume : 0;
        level.overlap = filled > 0 ? sum / filled : 1;
        level.coverage = covered_part(points, balls, jobs);
        quality.levels.push_back(level);
    }
    return quality;
}

std::string table(const SphereTreeQuality& quality) {
    std::string text =
        "level  spheres  mean error   95 % below  worst error  volume  overlap  coverage\n";
    char line[160];
    for (std::size_t i = 0; i < quality.levels.size(); ++i) {
        const LevelQuality& q = quality.levels[i];
        std::snprintf(line, sizeof line, "%5zu  %7u  %11.5g  %11.5g  %11.5g  %6.3f  %7.3f  %8.5f\n",
                      i, q.spheres, q.mean_error, q.p95_error, q.worst_error, q.volume_ratio,
                      q.overlap, q.coverage);
        text += line;
    }
    std::snprintf(line, sizeof line, "built in %.3f s; tree %.1f KB, build %.1f MB\n",
                  quality.seconds, double(quality.tree_bytes) / 1e3,
                  double(quality.build_bytes) / 1e6);
    return text + line;
}

} // namespace fovea
