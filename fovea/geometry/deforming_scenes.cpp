#include "fovea/geometry/deforming_scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fovea/base/assert.h"
#include "fovea/base/random.h"
#include "fovea/geometry/mesh_building.h"

namespace fovea {

namespace {

/// Distance the two bodies of B1 approach per step; calibrated to touch in steps 41 to 364.
constexpr float k_b1_speed = 0.01300f;

/// Sine with the same bits everywhere: reduced to a half period about 0, then Taylor to x^9, whose
/// error of (pi/2)^11/11! = 4e-6 does not matter for a shape.
inline float sine(float x) {
    const float turns = x * float(1 / std::numbers::pi);
    const auto half_turns = int(turns + (turns < 0 ? -0.5f : 0.5f));
    const float r = x - float(half_turns) * float(std::numbers::pi);
    const float s = r * r;
    const float value =
        r * (1 + s * (-1.0f / 6 + s * (1.0f / 120 + s * (-1.0f / 5040 + s * (1.0f / 362880)))));
    return half_turns % 2 == 0 ? value : -value;
}

/// Rotation by `angle` about `axis`, by the sine above.
Quat turned_about(const Vec3& axis, float angle) {
    const Vec3 unit = normalized(axis);
    return normalized(Quat(sine(angle / 2 + float(std::numbers::pi / 2)), unit * sine(angle / 2)));
}

TriangleMesh octahedron() {
    TriangleMesh mesh;
    mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                      {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    return mesh;
}

TriangleMesh tetrahedron() {
    TriangleMesh mesh;
    mesh.vertices = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {3, 2, 1}};
    return mesh;
}

} // namespace

void ripple(std::span<const Vec3> directions, const Ripples& ripples, float phase,
            const Transform& placement, std::vector<Vec3>& world) {
    world.resize(directions.size());
    const Mat3 turn = to_matrix(placement.orientation);
    const float f = ripples.frequency;
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const Vec3 d = directions[i];
        const float bump =
            sine(f * d.x + phase) * sine(f * d.y + 1.3f * phase) * sine(f * d.z + 0.7f * phase);
        world[i] = turn * (d * (1 + ripples.height * bump)) + placement.position;
    }
}

TriangleMesh make_sheet(float width, int cells) {
    TriangleMesh mesh;
    const auto at = [&](int i) { return (float(i) / float(cells) - 0.5f) * width; };
    for (int row = 0; row <= cells; ++row)
        for (int column = 0; column <= cells; ++column)
            mesh.vertices.push_back({at(column), 0, at(row)});
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column) {
            const auto here = std::uint32_t(row * (cells + 1) + column);
            const std::uint32_t below = here + std::uint32_t(cells) + 1;
            mesh.triangles.push_back({here, below, here + 1});
            mesh.triangles.push_back({here + 1, below, below + 1});
        }
    return mesh;
}

void StandingWave::vertices(std::span<const Vec3> sheet, double time,
                            std::vector<Vec3>& lifted) const {
    constexpr auto k_turn = float(2 * std::numbers::pi), k_quarter = float(std::numbers::pi / 2);
    const double periods = time / double(period);
    const float phase = float(periods - std::floor(periods));
    const float lift = height * sine(k_turn * phase), rate = k_turn / length;
    lifted.assign(sheet.begin(), sheet.end());
    for (Vec3& v : lifted)
        v.y += lift * sine(rate * v.x + k_quarter) * sine(rate * v.z + k_quarter);
}

Result<TriangleMesh> make_subdivided_sphere(int triangles) {
    for (const int faces : {20, 8, 4}) {
        int parts = 1;
        while (faces * parts * parts < triangles && parts < 2048) parts *= 2;
        if (faces * parts * parts != triangles) continue;
        if (faces == 20) return make_geodesic_sphere(1, parts);
        TriangleMesh mesh = subdivided(faces == 8 ? octahedron() : tetrahedron(), parts);
        for (Vec3& vertex : mesh.vertices) vertex = Vec3(normalized(Vec3d(vertex)));
        return mesh;
    }
    return failure("no subdivided sphere has " + std::to_string(triangles) +
                   " triangles; it takes 20, 8 or 4 times a power of 4");
}

Transform RipplingScene::placement(int body, int step) const {
    const float t = float(step) / float(steps - 1);
    if (bodies == 2) {
        // The distance of the centres shrinks evenly; the bodies turn slowly about skew axes.
        const float distance = 3.24f + (0.477f - 3.24f) * t;
        const float side = body == 0 ? -0.5f : 0.5f;
        const Vec3 axis = body == 0 ? Vec3(0.3f, 1, 0.2f) : Vec3(-0.2f, 0.4f, 1);
        return {{side * distance, 0, 0}, turned_about(axis, 0.3f + 0.5f * t + float(body))};
    }
    const Vec3 cell(float(body % 3 - 1), float(body / 3 % 3 - 1), float(body / 9 % 3 - 1));
    Random random(std::uint64_t(body) + 1);
    const Vec3 axis(random.direction());
    const auto rate = float(random.uniform(1, 3));
    // Drawn together until neighbours overlap by a third, then swaying about that place.
    const float spacing = 3.1f - 1.5f * std::min(1.0f, 2 * t);
    const Vec3 sway = Vec3(random.direction()) * (0.15f * sine(12 * t * rate));
    return {cell * spacing + sway, turned_about(axis, rate * 2 * t)};
}

float RipplingScene::phase(int body, int step) const {
    return 0.01f * float(step) + 2.1f * float(body);
}

RipplingScene scene_a1() {
    return {"A1", {0.35f, 11}, 2, 200};
}

RipplingScene scene_a3(bool armed) {
    return {armed ? "A3 arms" : "A3", armed ? Ripples{0.75f, 5} : Ripples{0.35f, 11}, 27, 200};
}

namespace {

constexpr int k_ring_sides = 6, k_rings = 47;

/// A swimming body along x, two rings of corners per unit of length: round head, tail that ends in
/// a flat fin. 564 triangles: 2 * 6 * 47.
TriangleMesh swimmer() {
    TriangleMesh mesh;
    const double pi = std::numbers::pi;
    for (int ring = 0; ring < k_rings; ++ring) {
        const double s = (ring + 0.5) / k_rings;
        const double girth = 0.22 * std::sin(pi * std::pow(s, 0.7)) + 0.02;
        const double fin = s > 0.85 ? 2.5 * (s - 0.85) : 0;
        for (int side = 0; side < k_ring_sides; ++side) {
            const double angle = 2 * pi * side / k_ring_sides;
            mesh.vertices.push_back(Vec3(
                Vec3d(2 * s - 1, girth * 0.8 * std::sin(angle), (girth + fin) * std::cos(angle))));
        }
    }
    const auto head = std::uint32_t(mesh.vertices.size());
    mesh.vertices.push_back({-1.02f, 0, 0});
    mesh.vertices.push_back({1.02f, 0, 0});
    const auto at = [](int ring, int side) {
        return std::uint32_t(ring * k_ring_sides + side % k_ring_sides);
    };
    for (int side = 0; side < k_ring_sides; ++side) {
        mesh.triangles.push_back({head, at(0, side), at(0, side + 1)});
        for (int ring = 0; ring + 1 < k_rings; ++ring) {
            mesh.triangles.push_back({at(ring, side), at(ring + 1, side), at(ring, side + 1)});
            mesh.triangles.push_back(
                {at(ring, side + 1), at(ring + 1, side), at(ring + 1, side + 1)});
        }
        mesh.triangles.push_back({head + 1, at(k_rings - 1, side + 1), at(k_rings - 1, side)});
    }
    return mesh;
}

/// The swimmer bent by `bend` radians over its length in the xy plane.
TriangleMesh bent(TriangleMesh mesh, double bend) {
    if (bend == 0) return mesh;
    for (Vec3& vertex : mesh.vertices) {
        const double angle = vertex.x * bend / 2, radius = 2 / bend + vertex.y;
        vertex =
            Vec3(Vec3d(radius * std::sin(angle), radius * std::cos(angle) - 2 / bend, vertex.z));
    }
    return mesh;
}

} // namespace

MorphingScene scene_b1(int triangles) {
    MorphingScene scene;
    scene.name = "B1";
    const TriangleMesh sphere = make_subdivided_sphere(triangles).value();
    for (int i = 0; i < 3; ++i) {
        TriangleMesh shape = sphere;
        ripple(sphere.vertices, {0.3f, 5 + 2 * float(i)}, 1.7f * float(i), {}, shape.vertices);
        scene.references.push_back(shape);
    }
    return scene;
}

MorphingScene scene_b2(int level) {
    FOVEA_ASSERT(level >= 0 && level <= 6);
    MorphingScene scene;
    scene.name = "B2";
    scene.bodies = 12;
    for (const double bend : {-0.9, 0.0, 0.9})
        scene.references.push_back(subdivided(bent(swimmer(), bend), 1 << level));
    return scene;
}

Transform MorphingScene::placement(int body, int step) const {
    const float t = float(step) / float(steps - 1);
    if (bodies == 2) {
        const float from_middle = float(step) - 202.5f;
        const float side = body == 0 ? -0.5f : 0.5f;
        return {{side * k_b1_speed * from_middle, 0, body == 0 ? 0.05f : -0.05f},
                turned_about({0.2f, 1, 0.3f}, float(body) + 0.6f * t)};
    }
    // Circles of different tilt through one small bay: now together, now apart.
    Random random(std::uint64_t(body) + 11);
    const auto tilt = float(random.uniform(-0.5, 0.5)), start = float(random.uniform(0, 6.28));
    const auto radius = float(random.uniform(0.7, 1.5)), rate = float(random.uniform(2, 5));
    const float angle = start + rate * t;
    const float quarter = float(std::numbers::pi / 2);
    const Vec3 place(radius * sine(angle + quarter), radius * sine(angle),
                     float(random.uniform(-0.3, 0.3)) + tilt * sine(angle));
    // Heads follow the circle's tangent.
    return {place, turned_about({0, 0, 1}, angle - quarter)};
}

std::vector<float> MorphingScene::weights(int body, int step) const {
    // To and fro through the references, one and a half times in the run.
    const float last = float(references.size() - 1);
    const float path = 3 * last * float(step) / float(steps - 1) + 0.37f * float(body);
    const float around = path - 2 * last * float(int(path / (2 * last)));
    const float place = around <= last ? around : 2 * last - around;
    const auto lower = std::min(std::size_t(place), references.size() - 2);
    std::vector<float> weights(references.size(), 0);
    weights[lower + 1] = place - float(lower);
    weights[lower] = 1 - weights[lower + 1];
    return weights;
}

} // namespace fovea
