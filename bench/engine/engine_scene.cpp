#include "engine_scene.h"

#include <cmath>
#include <memory>

#include "fovea/base/random.h"
#include "fovea/geometry/convex_hull.h"

namespace fovea::bench {

namespace {

constexpr float k_gravity = 9.81f;

/// Floor and four walls around the square of half width `half`.
std::vector<HalfSpace> pit(float half) {
    return {{{0, 1, 0}, 0},
            {{1, 0, 0}, -half},
            {{-1, 0, 0}, -half},
            {{0, 0, 1}, -half},
            {{0, 0, -1}, -half}};
}

Shape compound(const std::vector<std::pair<Vec3, Vec3>>& boxes) {
    auto data = std::make_shared<Compound>();
    for (const auto& [centre, half] : boxes)
        data->parts.push_back({Box{half}, Transform(centre, Quat())});
    return CompoundShape{data};
}

/// An L, a T and a jack of three bars.
std::vector<Shape> concave_shapes() {
    const float t = 0.15f, l = 0.45f;
    return {compound({{{-0.3f, 0, 0}, {t, l, t}}, {{0, -0.3f, 0}, {l, t, t}}}),
            compound({{{0, 0.3f, 0}, {l, t, t}}, {{0, -0.15f, 0}, {t, l, t}}}),
            compound({{{}, {l, t, t}}, {{}, {t, l, t}}, {{}, {t, t, l}}})};
}

std::vector<Shape> hulls(Random& random) {
    std::vector<Shape> shapes;
    for (int i = 0; i < 8; ++i) {
        std::vector<Vec3> points;
        for (int k = 0; k < 24; ++k) points.push_back(Vec3(random.direction() * 0.5));
        shapes.push_back(Hull{std::make_shared<const ConvexHull>(*make_convex_hull(points))});
    }
    return shapes;
}

Quat random_turn(Random& random) {
    return normalized(Quat(float(random.uniform(-1, 1)), Vec3(random.direction())));
}

/// A jittered grid above the pit, drifting sideways.
void drop(EngineScene& scene, int count, float spacing, bool turned, Random& random) {
    const float half = 0.5f * std::ceil(std::sqrt(float(count)) / 3);
    scene.walls = pit(half);
    scene.gravity = {0, -k_gravity, 0};
    const int across = std::max(1, int((2 * half - 1.2f) / spacing));
    const float start = -0.5f * spacing * float(across - 1);
    for (int i = 0; i < count; ++i) {
        const int layer = i / (across * across), x = i % across, z = i / across % across;
        const auto jitter = [&] { return float(random.uniform(-0.05, 0.05)); };
        const auto drift = [&] { return float(random.uniform(-2, 2)); };
        scene.bodies.push_back(
            {i % int(scene.shapes.size()),
             {start + spacing * float(x) + jitter(), 1 + spacing * float(layer) + jitter(),
              start + spacing * float(z) + jitter()},
             turned ? random_turn(random) : Quat(),
             {drift(), 0, drift()}});
    }
}

void pyramid(EngineScene& scene, int rows) {
    scene.shapes = {Box{{0.5f, 0.5f, 0.5f}}};
    scene.walls = {{{0, 1, 0}, 0}};
    scene.gravity = {0, -k_gravity, 0};
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < rows - row; ++k)
            scene.bodies.push_back(
                {0,
                 {(float(k) - 0.5f * float(rows - row - 1)) * 1.05f, 0.5f + float(row), 0},
                 Quat(),
                 {}});
}

void gas(EngineScene& scene, int count, Random& random) {
    scene.shapes = {Sphere{0.5f}};
    scene.friction = 0, scene.elastic = 1;
    // A tenth of the volume is balls.
    const float side = std::cbrt(float(count) * 0.5236f / 0.1f), half = 0.5f * side;
    scene.walls = pit(half);
    scene.walls[0] = {{0, 1, 0}, -half};
    scene.walls.push_back({{0, -1, 0}, -half});
    const int across = int(std::ceil(std::cbrt(float(count))));
    const float spacing = (side - 1.2f) / float(across - 1);
    for (int i = 0; i < count; ++i) {
        const auto place = [&](int k) { return 0.6f - half + spacing * float(k); };
        scene.bodies.push_back(
            {0,
             {place(i % across), place(i / across % across), place(i / (across * across))},
             Quat(),
             Vec3(random.direction() * random.uniform(5, 10))});
    }
}

} // namespace

Result<EngineScene> make_engine_scene(const std::string& name, int bodies) {
    EngineScene scene;
    scene.name = name + "-" + std::to_string(bodies);
    Random random(1);
    if (name == "spheres") {
        scene.shapes = {Sphere{0.5f}};
        drop(scene, bodies, 1.2f, false, random);
    } else if (name == "boxes") {
        scene.shapes = {Box{{0.5f, 0.5f, 0.5f}}};
        drop(scene, bodies, 1.8f, true, random);
    } else if (name == "hulls") {
        scene.shapes = hulls(random);
        drop(scene, bodies, 1.2f, true, random);
    } else if (name == "compounds") {
        scene.shapes = concave_shapes();
        drop(scene, bodies, 1.5f, true, random);
    } else if (name == "pyramid") {
        pyramid(scene, bodies);
    } else if (name == "gas") {
        gas(scene, bodies, random);
    } else {
        return failure("there is no scene '" + name + "'");
    }
    return scene;
}

} // namespace fovea::bench
