// Scenes of concave meshes that move: a crowd in a box, impacts, near misses and bullets.
//
// All bodies of one kind share one mesh and one sphere tree. Room is kept by spheres about the
// meshes' origins, or where bodies pass closely, by the boxes around them.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "fovea/geometry/procedural.h"
#include "fovea/scene/generators.h"
#include "fovea/scene/scatter.h"

namespace fovea {

namespace {

struct Kind {
    const char* name;
    Vec3d colour;
};
constexpr Kind k_kinds[] = {{"lshape", {0.85, 0.35, 0.2}},
                            {"spiky", {0.25, 0.55, 0.85}},
                            {"torusknot", {0.9, 0.7, 0.2}},
                            {"jack", {0.35, 0.7, 0.35}},
                            {"bowl", {0.65, 0.4, 0.75}}};
constexpr Vec3d k_wall{0.3, 0.3, 0.35};

/// How far a kind of mesh goes from its origin, at a scale of 1.
struct Reach {
    double radius = 0;            ///< any way
    double across = 0, along = 0; ///< from the y axis, and along it
};

Reach reach_of(const Generation& generation, const Kind& kind) {
    const auto mesh = make_procedural(kind.name, procedural_detail(generation.settings.triangles));
    Reach reach;
    for (const Vec3& vertex : mesh->vertices) {
        const Vec3d v(vertex);
        reach.radius = std::max(reach.radius, length(v));
        reach.across = std::max(reach.across, std::sqrt(v.x * v.x + v.z * v.z));
        reach.along = std::max(reach.along, std::abs(v.y));
    }
    return reach;
}

SceneWriter& begin_mesh(Generation& generation, const Kind& kind, double mass) {
    return generation.writer.begin("mesh")
        .put("kind", kind.name)
        .put("triangles", generation.settings.triangles)
        .put("mass", mass)
        .put("colour", kind.colour);
}

void put_turn(Generation& generation) {
    const Vec3d axis = generation.random.direction();
    generation.writer.put("axis", axis).put("angle", generation.random.uniform(0, 360));
}

} // namespace

Result<void> generate_concave(Generation& generation) {
    constexpr double k_room = 5;  ///< m^3 for each body: a fifth is in the sphere around it
    constexpr double k_speed = 1; ///< m/s, deviation per axis
    constexpr double k_clearance = 0.01;
    if (auto fine = check_language(generation, "concave", "meshes"); !fine) return fine;
    std::vector<double> reach;
    for (const Kind& kind : k_kinds) reach.push_back(reach_of(generation, kind).radius);
    const double largest = *std::ranges::max_element(reach);
    // Centres fill this volume; the walls stand clear of it.
    const double side = cube_root(generation.count * k_room);
    const double half = side / 2 + largest + k_clearance;

    SceneWriter& writer = generation.writer;
    writer.gravity({0, 0, 0});
    writer.camera({0.3 * half, 0.4 * half, 3.4 * half + 2}, {0, 0, 0});
    for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {1.0, -1.0}) {
            Vec3d normal;
            normal[axis] = sign;
            writer.begin_wall(normal, normal * -half).put("colour", k_wall).end();
        }

    Random& random = generation.random;
    Scatter scatter(largest, k_clearance);
    for (int i = 0; i < generation.count; ++i) {
        const std::size_t k = random.below(std::uint32_t(std::size(k_kinds)));
        const double inner = half - reach[k] - k_clearance;
        const Vec3d corner(inner, inner, inner);
        const auto centre =
            scatter.add(reach[k], [&] { return point_in(random, -corner, corner); });
        if (!centre) return failure(fmt::format("found no room for body {}", i + 1));
        begin_mesh(generation, k_kinds[k], 1)
            .put("centre", *centre)
            .put("vel", gaussian_vector(random, k_speed))
            .put("angvel", gaussian_vector(random, k_speed));
        put_turn(generation);
        writer.end();
    }
    return {};
}

Result<void> generate_lshapes(Generation& generation) {
    constexpr double k_wide = 5.2, k_high = 3; ///< m, for each pair
    constexpr double k_start = 1.6;            ///< m: of each L from the middle
    constexpr double k_aside = 0.35;           ///< m, at most: how far the aim is off
    if (auto fine = check_language(generation, "lshapes", "meshes"); !fine) return fine;
    const int row = int(std::ceil(std::sqrt(double(generation.count))));
    const double middle = (row - 1) / 2.0;
    SceneWriter& writer = generation.writer;
    Random& random = generation.random;
    writer.gravity({0, 0, 0});
    writer.camera({0, 0, 5 + k_wide * row}, {0, 0, 0});
    for (int i = 0; i < generation.count; ++i) {
        const Vec3d cell(k_wide * (i % row - middle), k_high * (i / row - middle), 0);
        const double speed = random.uniform(0.5, 3);
        for (const double side : {-1.0, 1.0}) {
            const Vec3d aside(0, random.uniform(-k_aside, k_aside),
                              random.uniform(-k_aside, k_aside));
            begin_mesh(generation, side < 0 ? k_kinds[0] : Kind{"lshape", {0.3, 0.5, 0.8}}, 1)
                .put("centre", cell + Vec3d(side * k_start, 0, 0) + aside)
                .put("vel", Vec3d(-side * speed, 0, 0))
                .put("angvel", gaussian_vector(random, 1));
            put_turn(generation);
            writer.end();
        }
    }
    return {};
}

/// Storeys of bodies that fly along x, every other storey the other way. Bodies are turned about y
/// alone and do not spin, so their heights stay as they are, and storeys are a gap apart. Along x
/// and z spheres keep them apart; between storeys these overlap, so it takes more to tell.
///
///      ->    [L]   [o]   [L]  ->            |
///     <-  [o]   [L]   [o]   <-              |  k_gap between tops and bottoms
///      ->    [L]   [L]   [o]  ->            v
///
Result<void> generate_flock(Generation& generation) {
    constexpr double k_gap = 0.02;
    // Two that meet go less than the gap in a 60th of a second: no contact foreseen acts on them.
    constexpr double k_speed = 0.5;
    if (auto fine = check_language(generation, "flock", "meshes"); !fine) return fine;
    Reach largest;
    for (const Kind& kind : k_kinds) {
        const Reach reach = reach_of(generation, kind);
        largest.across = std::max(largest.across, reach.across);
        largest.along = std::max(largest.along, reach.along);
    }
    const double storey = 2 * largest.along + k_gap, room = 2 * largest.across + k_gap;
    const int row = std::max(1, int(std::ceil(cube_root(generation.count))));
    const int across = (row + 1) / 2, storeys = row,
              along = (generation.count + across * storeys - 1) / (across * storeys);
    SceneWriter& writer = generation.writer;
    Random& random = generation.random;
    writer.gravity({0, 0, 0});
    writer.camera({0.4 * along * room, 0.6 * row * storey + 1, 1.4 * along * room + 3}, {0, 0, 0});
    for (int i = 0; i < generation.count; ++i) {
        const int level = i % storeys, lane = i / storeys % across, place = i / (storeys * across);
        const double way = level % 2 ? -1 : 1;
        const Vec3d centre(room * (place - (along - 1) / 2.0) - way * room,
                           storey * (level - (storeys - 1) / 2.0),
                           room * (lane - (across - 1) / 2.0));
        const Kind& kind = k_kinds[random.below(std::uint32_t(std::size(k_kinds)))];
        begin_mesh(generation, kind, 1)
            .put("centre", centre)
            .put("vel", Vec3d(way * k_speed, 0, 0))
            .put("axis", Vec3d(0, 1, 0))
            .put("angle", random.uniform(0, 360));
        writer.end();
    }
    return {};
}

Result<void> generate_plates(Generation& generation) {
    constexpr double k_scale = 0.1, k_mass = 0.2;              ///< bodies of 10 cm
    constexpr double k_thick = 0.01, k_side = 1, k_cell = 1.3; ///< plates, m
    constexpr double k_slowest = 10, k_fastest = 100;          ///< m/s
    if (auto fine = check_language(generation, "plates", "meshes"); !fine) return fine;
    const int row = int(std::ceil(std::sqrt(double(generation.count))));
    const double middle = k_cell * (row - 1) / 2;
    SceneWriter& writer = generation.writer;
    Random& random = generation.random;
    writer.gravity({0, 0, 0});
    writer.camera({-2.5 - 1.8 * middle, 0.6 + 0.6 * middle, 1.5 + 1.2 * middle}, {-0.5, 0, 0});
    for (int i = 0; i < generation.count; ++i) {
        const Vec3d target(0, k_cell * (i / row) - middle, k_cell * (i % row) - middle);
        writer.begin("box")
            .put("size", Vec3d(k_thick, k_side, k_side))
            .put("centre", target)
            .put("elastic", 0.5)
            .put("colour", k_wall)
            .end();
        const double share = generation.count > 1 ? double(i) / (generation.count - 1) : 1.0;
        const Vec3d start = target + Vec3d(-random.uniform(1, 3), 0, 0);
        const Vec3d aim = target + Vec3d(0, random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3));
        begin_mesh(generation, k_kinds[std::size_t(i) % std::size(k_kinds)], k_mass)
            .put("scale", k_scale)
            .put("centre", start)
            .put("vel", normalized(aim - start) * (k_slowest + (k_fastest - k_slowest) * share))
            .put("angvel", gaussian_vector(random, 10))
            .put("elastic", 0.5);
        put_turn(generation);
        writer.end();
    }
    return {};
}

} // namespace fovea
