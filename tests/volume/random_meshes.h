// Meshes for tests: random procedural ones, and broken ones made by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/geometry/procedural.h"

namespace fovea::testing {

/// A closed mesh of one of the procedural kinds, stretched, turned a little and moved at random.
inline TriangleMesh random_mesh(std::uint64_t seed) {
    Random random(seed);
    TriangleMesh mesh;
    switch (random.below(6)) {
    case 0:
        mesh = make_icosphere(1, int(random.below(3)));
        break;
    case 1:
        mesh = make_torus_knot(1, float(random.uniform(0.05, 0.15)), 2, 3,
                               24 + int(random.below(24)), 4 + int(random.below(5)));
        break;
    case 2:
        mesh = make_l_shape(1, float(random.uniform(0.1, 0.5)), float(random.uniform(0.05, 1)));
        break;
    case 3:
        mesh = make_gear(1, float(random.uniform(0.1, 0.4)), float(random.uniform(0.05, 0.6)),
                         5 + int(random.below(12)));
        break;
    case 4:
        mesh = make_spiky(1, float(random.uniform(0.2, 1)), 3 + int(random.below(9)), 2);
        break;
    default:
        mesh = make_folded(1, float(random.uniform(0.3, 1)), float(random.uniform(0.03, 0.1)),
                           2 + int(random.below(4)));
    }
    const Vec3d stretch(random.uniform(0.2, 2), random.uniform(0.2, 2), random.uniform(0.2, 2));
    const Vec3d shear(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5),
                      random.uniform(-0.5, 0.5));
    const Vec3d move(random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5));
    for (Vec3& v : mesh.vertices) {
        const Vec3d p = scale(Vec3d(v), stretch);
        v = Vec3(Vec3d(p.x + shear.x * p.y, p.y + shear.y * p.z, p.z + shear.z * p.x) + move);
    }
    return mesh;
}

/// A grid of quads over the unit square, bent by `height`, open at its rim.
inline TriangleMesh make_sheet(int cells, float height) {
    TriangleMesh mesh;
    for (int j = 0; j <= cells; ++j) {
        for (int i = 0; i <= cells; ++i) {
            const float x = float(i) / float(cells), y = float(j) / float(cells);
            mesh.vertices.push_back({x, y, height * x * (1 - x) * y});
        }
    }
    const auto at = [&](int i, int j) { return std::uint32_t(i + j * (cells + 1)); };
    for (int j = 0; j < cells; ++j) {
        for (int i = 0; i < cells; ++i) {
            mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return mesh;
}

inline void append(TriangleMesh& mesh, const TriangleMesh& other, const Vec3& move, float size) {
    const auto base = std::uint32_t(mesh.vertices.size());
    for (const Vec3& v : other.vertices) mesh.vertices.push_back(v * size + move);
    for (const auto& [a, b, c] : other.triangles) {
        mesh.triangles.push_back({base + a, base + b, base + c});
    }
}

/// Every corner a vertex of its own, as STL files have it.
inline TriangleMesh unwelded(const TriangleMesh& mesh) {
    TriangleMesh soup;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto base = std::uint32_t(soup.vertices.size());
        for (const Vec3& corner : corners(mesh, i)) soup.vertices.push_back(corner);
        soup.triangles.push_back({base, base + 1, base + 2});
    }
    return soup;
}

/// Meshes with defects, by name; all can be enclosed.
inline std::vector<std::pair<std::string, TriangleMesh>> broken_meshes() {
    const TriangleMesh ball = make_icosphere(1, 2), gear = make_gear(1, 0.2f, 0.4f, 7);
    std::vector<std::pair<std::string, TriangleMesh>> all;
    all.emplace_back("triangle", TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}, {{0, 1, 2}}});
    all.emplace_back("needle",
                     TriangleMesh{{{0, 0, 0}, {1, 1e-6f, 0}, {2, 0, 1e-7f}}, {{0, 1, 2}}});
    all.emplace_back("collapsed", TriangleMesh{{{0, 0, 0}, {1, 2, 3}}, {{0, 1, 1}, {0, 0, 0}}});
    all.emplace_back("flat sheet", make_sheet(8, 0));
    all.emplace_back("bent sheet", make_sheet(8, 2));
    all.emplace_back("soup of a gear", unwelded(gear));

    TriangleMesh open = ball;
    open.triangles.resize(open.triangles.size() * 2 / 3);
    all.emplace_back("open", open);

    TriangleMesh twice = ball;
    twice.triangles.insert(twice.triangles.end(), ball.triangles.begin(), ball.triangles.end());
    all.emplace_back("faces twice", twice);

    TriangleMesh turned = gear;
    for (std::size_t i = 0; i < turned.triangles.size(); i += 3) {
        std::swap(turned.triangles[i][0], turned.triangles[i][1]);
    }
    all.emplace_back("inverted patches", turned);

    TriangleMesh slivers = ball;
    for (std::uint32_t i = 0; i + 2 < 30; ++i) {
        slivers.triangles.push_back({i, i, i + 1});
        slivers.triangles.push_back({i, i + 1, i});
    }
    all.emplace_back("degenerate faces", slivers);

    TriangleMesh fins = ball;
    fins.vertices.push_back({2, 2, 2});
    const auto tip = std::uint32_t(fins.vertices.size() - 1);
    for (int i = 0; i < 5; ++i)
        fins.triangles.push_back({fins.triangles[i][0], fins.triangles[i][1], tip});
    all.emplace_back("non-manifold fins", fins);

    TriangleMesh crossing = ball;
    append(crossing, gear, {0.7f, 0.2f, 0}, 1);
    all.emplace_back("self-intersecting", crossing);

    TriangleMesh parts;
    for (int i = 0; i < 6; ++i) append(parts, ball, {float(3 * i), float(i % 2), 0}, 0.5f);
    all.emplace_back("components", parts);

    TriangleMesh hollow = ball;
    append(hollow, ball, {}, 0.6f);
    for (std::size_t i = ball.triangles.size(); i < hollow.triangles.size(); ++i) {
        std::swap(hollow.triangles[i][0], hollow.triangles[i][1]);
    }
    all.emplace_back("hollow", hollow);

    for (const float size : {1e6f, 1e-6f}) {
        TriangleMesh scaled;
        append(scaled, gear, {}, size);
        all.emplace_back("scaled by " + std::to_string(size), scaled);
    }
    TriangleMesh far;
    append(far, gear, {1e6f, -1e6f, 5e5f}, 10);
    all.emplace_back("far from the origin", far);

    TriangleMesh stray = gear;
    stray.vertices.push_back({1e9f, 0, 0});
    all.emplace_back("stray vertex", stray);
    return all;
}

} // namespace fovea::testing
