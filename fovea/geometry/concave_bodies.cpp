// Concave bodies made by formula: a ring, a pointed jack, a crescent, a bowl.
#include <array>
#include <cmath>
#include <numbers>

#include "fovea/base/assert.h"
#include "fovea/geometry/mesh_building.h"
#include "fovea/geometry/procedural.h"

namespace fovea {

TriangleMesh make_torus(float radius, float tube_radius, int segments, int sides) {
    FOVEA_ASSERT(tube_radius > 0 && radius > tube_radius && segments >= 3 && sides >= 3);
    TriangleMesh mesh;
    for (int i = 0; i < segments; ++i) {
        const double t = 2 * std::numbers::pi * i / segments;
        for (int j = 0; j < sides; ++j) {
            const double s = 2 * std::numbers::pi * j / sides;
            const double ring = radius + tube_radius * std::cos(s);
            mesh.vertices.push_back(
                Vec3(Vec3d(ring * std::cos(t), ring * std::sin(t), tube_radius * std::sin(s))));
        }
    }
    const auto at = [&](int i, int j) { return std::uint32_t((i % segments) * sides + j % sides); };
    for (int i = 0; i < segments; ++i) {
        for (int j = 0; j < sides; ++j) {
            mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return mesh;
}

TriangleMesh make_jack(float reach, float thickness, float tip) {
    FOVEA_ASSERT(thickness > 0 && tip > 0 && reach - tip > thickness / 2);
    const double h = thickness / 2.0, end = double(reach) - tip;
    TriangleMesh mesh;
    // The corners of the cube in the middle; bit k of the number is the side along axis k.
    for (int corner = 0; corner < 8; ++corner)
        mesh.vertices.push_back(
            Vec3(Vec3d(corner & 1 ? h : -h, corner & 2 ? h : -h, corner & 4 ? h : -h)));
    for (int axis = 0; axis < 3; ++axis) {
        for (const int side : {0, 1}) {
            // Around the arm, counter-clockwise seen from its end.
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            std::array<int, 4> ring = {0, 1 << u, 1 << u | 1 << v, 1 << v};
            if (side == 0) std::swap(ring[1], ring[3]);
            const auto outer = std::uint32_t(mesh.vertices.size());
            for (int& corner : ring) {
                corner |= side << axis;
                Vec3 p = mesh.vertices[std::size_t(corner)];
                p[axis] = float(side ? end : -end);
                mesh.vertices.push_back(p);
            }
            Vec3 point;
            point[axis] = side ? reach : -reach;
            mesh.vertices.push_back(point);
            for (std::uint32_t i = 0; i < 4; ++i) {
                const std::uint32_t k = (i + 1) % 4;
                const auto a = std::uint32_t(ring[i]), b = std::uint32_t(ring[k]);
                mesh.triangles.push_back({a, b, outer + k});
                mesh.triangles.push_back({a, outer + k, outer + i});
                mesh.triangles.push_back({outer + i, outer + k, outer + 4});
            }
        }
    }
    return mesh;
}

TriangleMesh make_crescent(float radius, float thickness, float depth, int segments) {
    FOVEA_ASSERT(thickness > 0 && radius > thickness && depth > 0 && segments >= 3);
    // Three quarters of a circle outside; inside, an arc that leaves it at one tip, is farthest
    // from it in the middle and comes back at the other.
    std::vector<OutlinePoint> outline;
    const double from = std::numbers::pi / 4, sweep = 1.5 * std::numbers::pi;
    const auto add = [&](int i, double r) {
        const double angle = from + sweep * i / segments;
        outline.push_back({r * std::cos(angle), r * std::sin(angle)});
    };
    for (int i = 0; i <= segments; ++i) add(i, radius);
    for (int i = segments - 1; i > 0; --i)
        add(i, radius - thickness * std::sin(std::numbers::pi * i / segments));
    const auto outer = [](int i) { return std::uint32_t(i); };
    const auto inner = [&](int i) {
        return i == 0 ? 0u : i == segments ? outer(i) : std::uint32_t(2 * segments - i);
    };
    std::vector<TriangleMesh::Triangle> cap;
    for (int i = 0; i < segments; ++i) {
        if (i > 0) cap.push_back({inner(i), outer(i), outer(i + 1)});
        if (i == 0)
            cap.push_back({outer(0), outer(1), inner(1)});
        else if (i + 1 < segments)
            cap.push_back({inner(i), outer(i + 1), inner(i + 1)});
    }
    return extruded(outline, {}, cap, depth);
}

TriangleMesh make_bowl(float radius, float thickness, int segments, int rings) {
    FOVEA_ASSERT(thickness > 0 && radius > thickness && segments >= 3 && rings >= 1);
    TriangleMesh mesh;
    // Half a sphere outside and half of one inside, both open upwards: a pole, then its rings.
    const auto add_half = [&](double r) {
        mesh.vertices.push_back({0, float(-r), 0});
        for (int i = 1; i <= rings; ++i) {
            const double up = 0.5 * std::numbers::pi * i / rings;
            for (int j = 0; j < segments; ++j) {
                const double t = 2 * std::numbers::pi * j / segments;
                mesh.vertices.push_back(
                    Vec3(Vec3d(r * std::sin(up) * std::cos(t), i == rings ? 0 : -r * std::cos(up),
                               r * std::sin(up) * std::sin(t))));
            }
        }
    };
    add_half(radius);
    add_half(double(radius) - thickness);
    const auto half = std::uint32_t(mesh.vertices.size() / 2);
    const auto at = [&](std::uint32_t pole, int ring, int j) {
        return ring == 0 ? pole : pole + std::uint32_t(1 + (ring - 1) * segments + j % segments);
    };
    for (int j = 0; j < segments; ++j) {
        for (int i = 0; i < rings; ++i) {
            for (const std::uint32_t pole : {0u, half}) {
                const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                    if (pole == 0)
                        mesh.triangles.push_back({a, b, c});
                    else
                        mesh.triangles.push_back({a, c, b});
                };
                add(at(pole, i, j), at(pole, i + 1, j), at(pole, i + 1, j + 1));
                if (i > 0) add(at(pole, i, j), at(pole, i + 1, j + 1), at(pole, i, j + 1));
            }
        }
        const std::uint32_t a = at(0, rings, j), b = at(0, rings, j + 1);
        const std::uint32_t c = at(half, rings, j), d = at(half, rings, j + 1);
        mesh.triangles.push_back({a, c, d});
        mesh.triangles.push_back({a, d, b});
    }
    return mesh;
}

} // namespace fovea
