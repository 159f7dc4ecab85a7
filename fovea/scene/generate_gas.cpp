// Boxes full of flying spheres: Brownian motion (Stokes 5.2) and equal density (O'Sullivan 10).
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "fovea/scene/generators.h"
#include "fovea/scene/scatter.h"

namespace fovea {

namespace {

constexpr double k_clearance = 0.001;
constexpr Vec3d k_white{1, 1, 1}, k_red{0.9, 0.1, 0.1}, k_blue{0.1, 0.3, 1}, k_wall{0.3, 0.3, 0.35};

double sphere_volume(double radius) {
    return 4 * std::numbers::pi / 3 * radius * radius * radius;
}

void write_wall(SceneWriter& writer, const Vec3d& normal, const Vec3d& point) {
    writer.begin_wall(normal, point).put("elastic", 1).put("colour", k_wall).end();
}

} // namespace

Result<void> generate_brownian(Generation& generation) {
    constexpr double k_radius = 0.2, k_mass = 1, k_speed = 3;
    constexpr double k_side = 20, k_height = 10; ///< m; the height is that of the gas at the start
    constexpr double k_standard_count = 500, k_most_filling = 0.05;
    const int count = generation.count;
    const double side = generation.settings.constant_box
                            ? k_side
                            : k_side * std::sqrt(std::max(1.0, count / k_standard_count));
    const double height =
        std::max(k_height, count * sphere_volume(k_radius) / (side * side * k_most_filling));
    const double half = side / 2;

    SceneWriter& writer = generation.writer;
    writer.camera({0, 0.8 * side, 1.5 * side}, {0, 0.25 * height, 0});
    write_wall(writer, {0, 1, 0}, {0, 0, 0});
    for (double sign : {1.0, -1.0}) {
        write_wall(writer, {sign, 0, 0}, {-sign * half, 0, 0});
        write_wall(writer, {0, 0, sign}, {0, 0, -sign * half});
    }

    Random& random = generation.random;
    Scatter scatter(k_radius, k_clearance);
    const double margin = k_radius + k_clearance;
    for (int i = 0; i < count; ++i) {
        // The first half is white, on the left; its first particle is the blue one.
        const bool left = i < (count + 1) / 2;
        const Vec3d low(left ? -half + margin : margin, margin, -half + margin);
        const Vec3d high(left ? -margin : half - margin, height - margin, half - margin);
        const auto centre = scatter.add(k_radius, [&] { return point_in(random, low, high); });
        if (!centre) return failure(fmt::format("found no room for particle {}", i + 1));
        writer.begin_sphere(k_radius, k_mass, *centre)
            .put("vel", gaussian_vector(random, k_speed))
            .put("colour", i == 0 ? k_blue
                           : left ? k_white
                                  : k_red);
        if (i == 0) writer.name("blue");
        writer.end();
    }
    return {};
}

Result<void> generate_density(Generation& generation) {
    if (generation.settings.source_language)
        return failure("scene density needs gravity 0, which the original language cannot say");
    constexpr double k_radius = 0.15, k_mass = 1, k_speed = 1;
    constexpr double k_per_volume = 10, k_front = 10;
    const double side = cube_root(generation.count / k_per_volume);
    // Centres fill the volume; the walls stand one radius outside it.
    const Vec3d low(-side / 2, -side / 2, k_front), high(side / 2, side / 2, k_front + side);
    const double out = k_radius + k_clearance;

    SceneWriter& writer = generation.writer;
    writer.gravity({0, 0, 0});
    writer.camera({0, 0, 0}, {0, 0, k_front + side / 2});
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d normal;
        normal[axis] = 1;
        write_wall(writer, normal, low - normal * out);
        write_wall(writer, -normal, high + normal * out);
    }

    Random& random = generation.random;
    Scatter scatter(k_radius, k_clearance);
    for (int i = 0; i < generation.count; ++i) {
        const auto centre = scatter.add(k_radius, [&] { return point_in(random, low, high); });
        if (!centre) return failure(fmt::format("found no room for sphere {}", i + 1));
        const Vec3d tint = point_in(random, {0.3, 0.3, 0.3}, {1, 1, 1});
        writer.begin_sphere(k_radius, k_mass, *centre)
            .put("vel", gaussian_vector(random, k_speed))
            .put("colour", tint)
            .end();
    }
    return {};
}

} // namespace fovea
