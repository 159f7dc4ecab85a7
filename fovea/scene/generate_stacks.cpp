// Scenes with cylinders: pyramid, spinning cylinder and table (Stokes 5.3 to 5.5).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "fovea/scene/generators.h"
#include "fovea/scene/scatter.h"

namespace fovea {

namespace {

constexpr double k_gravity = 9.8;
constexpr Vec3d k_floor_colour{0.35, 0.4, 0.35}, k_wood{0.6, 0.4, 0.2}, k_white{1, 1, 1},
    k_red{0.9, 0.1, 0.1};

void write_floor(SceneWriter& writer, double elastic) {
    writer.begin_wall({0, 1, 0}, {0, 0, 0})
        .put("elastic", elastic)
        .put("colour", k_floor_colour)
        .end();
}

// Pyramid: coaxial cylinders of radius 5, 4, 3, 2, 1 and height 1, one on the other.
constexpr int k_layers = 5;

double pyramid_height(double distance_from_axis) {
    return std::clamp(double(k_layers) - std::floor(distance_from_axis), 0.0, double(k_layers));
}

struct Fall {
    Vec3d start, velocity;
};

/// Chooses where and when a sphere shall land, and works backwards: with velocity v and gravity g,
/// it starts at landing - v t + g t^2 / 2 (up). Landing times scatter about `landing_time`: 1.5 s,
/// a fall of 11.0 m, is frame 150 with steps of 0.01 s.
Fall draw_fall(Random& random, double radius, double crowd, double landing_time) {
    constexpr double k_time_spread = 0.08, k_earlier = 0.3, k_later = 0.7;
    constexpr double k_reach = 6; ///< one metre more than the lowest cylinder
    const double reach = k_reach * crowd;
    Vec3d landing;
    do landing = {random.uniform(-reach, reach), 0, random.uniform(-reach, reach)};
    while (length_squared(landing) > reach * reach);
    landing.y = pyramid_height(length(landing)) + radius;
    const double time =
        landing_time + std::clamp(random.gaussian(0, k_time_spread * crowd), -k_earlier, k_later);
    const double sideways = random.gaussian(0, 0.5), onwards = random.gaussian(0, 0.5);
    const Vec3d velocity(sideways, random.uniform(-0.5, 0.5), onwards);
    return {landing - velocity * time + Vec3d(0, k_gravity * time * time / 2, 0), velocity};
}

void write_table(Generation& generation, const Vec3d& at) {
    constexpr double k_calm = 0; ///< legs and floor do not throw the table up
    // Nothing but weight holds a table together without friction: heavy legs under a light top
    // hardly slide.
    constexpr double k_leg_mass = 20, k_top_mass = 10;
    SceneWriter& writer = generation.writer;
    const Vec3d up(0, 1, 0);
    for (double x : {-2.0, 2.0})
        for (double z : {-2.0, 2.0})
            writer.begin_cylinder(0.3, 3, k_leg_mass, at + Vec3d(x, 1.5, z), up)
                .put("elastic", k_calm)
                .put("colour", k_wood)
                .end();
    writer.begin_cylinder(4, 0.4, k_top_mass, at + Vec3d(0, 3.2, 0), up)
        .put("elastic", 0.3)
        .put("colour", k_wood)
        .end();
    for (double side : {-1.0, 1.0})
        writer.begin_sphere(0.5, 1, at + Vec3d(3 * side, 5, 0))
            .put("vel", Vec3d(-2 * side, 0, 0))
            .put("colour", side < 0 ? k_white : k_red)
            .end();
}

} // namespace

Result<void> generate_pyramid(Generation& generation) {
    constexpr double k_density = 5;  ///< kg/m^3, near that of the big sphere
    constexpr double k_floor = 0.7;  ///< spheres leave the scene rather than pile up
    constexpr double k_stack = 0.5;  ///< spheres rebound, and the stack stays together
    constexpr double k_lively = 0.6; ///< spheres among themselves
    constexpr double k_shower = 1.5; ///< s; most spheres land about now
    constexpr double k_big_radius = 1.5, k_big_mass = 50, k_big_fall = 44.1; ///< lands at 3.0 s
    /// Every fourth sphere lands with the big one: a second burst, not a single blow.
    constexpr double k_second_shower = 3.0;
    constexpr double k_least = 0.1, k_most = 0.3;
    SceneWriter& writer = generation.writer;
    writer.camera({0, 12, 30}, {0, 5, 0});
    write_floor(writer, k_floor);
    for (int layer = 0; layer < k_layers; ++layer) {
        const double radius = k_layers - layer;
        writer.begin_cylinder(radius, 1, 20 * radius * radius, {0, layer + 0.5, 0}, {0, 1, 0})
            .put("elastic", k_stack)
            .put("colour", Vec3d(0.75, 0.65, 0.3 + 0.1 * layer))
            .end();
    }

    const Vec3d big_start(0, k_layers + k_big_radius + k_big_fall, 0);
    // More spheres than the standard 500 get more room in all directions.
    const double crowd = std::max(1.0, cube_root(generation.count / 500.0));
    Random& random = generation.random;
    Scatter scatter(k_most, 0.001);
    for (int i = 0; i < generation.count; ++i) {
        const double radius = random.uniform(k_least, k_most);
        Fall fall;
        const auto start = scatter.add(radius, [&] {
            do fall = draw_fall(random, radius, crowd, i % 4 == 3 ? k_second_shower : k_shower);
            while (length(fall.start - big_start) < k_big_radius + k_most);
            return fall.start;
        });
        if (!start) return failure(fmt::format("found no room for sphere {}", i + 1));
        const double red = random.uniform(), green = random.uniform();
        writer.begin_sphere(radius, k_density * 4.18879 * radius * radius * radius, *start)
            .put("vel", fall.velocity)
            .put("elastic", k_lively)
            .put("colour", Vec3d(red, green, 1 - 0.5 * (red + green)))
            .end();
    }
    writer.begin_sphere(k_big_radius, k_big_mass, big_start)
        .put("elastic", k_lively)
        .put("colour", Vec3d(0.4, 0.4, 0.45))
        .name("boulder")
        .end();
    return {};
}

Result<void> generate_spinning_cylinder(Generation& generation) {
    if (generation.settings.source_language)
        return failure(
            "scene spinning-cylinder needs gravity 0, which the original language cannot say");
    SceneWriter& writer = generation.writer;
    writer.gravity({0, 0, 0});
    writer.camera({0, 0, 10}, {0, 0, 0});
    // All motion stays in the plane z = const, so copies along z never meet.
    for (int i = 0; i < generation.count; ++i) {
        const double z = -2.0 * i;
        writer.begin_cylinder(0.3, 4, 2, {0, 0, z}, {1, 0, 0})
            .put("angvel", Vec3d(0, 0, 2))
            .put("colour", Vec3d(0.2, 0.4, 0.9))
            .end();
        writer.begin_sphere(0.4, 0.25, {1.6, 1.2, z}).put("colour", k_white).end();
        writer.begin_sphere(0.6, 3, {3.5, -1.2, z})
            .put("vel", Vec3d(-1.2, 0, 0))
            .put("colour", k_red)
            .end();
    }
    return {};
}

Result<void> generate_table(Generation& generation) {
    constexpr double k_pitch = 12;
    const int row = int(std::ceil(std::sqrt(double(generation.count))));
    const double middle = k_pitch * (row - 1) / 2;
    generation.writer.camera({0, 8 + 1.2 * middle, 16 + 2 * middle}, {0, 2, 0});
    write_floor(generation.writer, 0);
    for (int i = 0; i < generation.count; ++i)
        write_table(generation, {k_pitch * (i % row) - middle, 0, k_pitch * (i / row) - middle});
    return {};
}

} // namespace fovea
