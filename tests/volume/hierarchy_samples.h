// Meshes and deformations that several tests of hierarchies use.
#pragma once

#include <vector>

#include "fovea/base/random.h"
#include "fovea/geometry/deforming_scenes.h"
#include "fovea/geometry/procedural.h"
#include "fovea/volume/mesh_tree.h"

namespace fovea {

inline constexpr Partition k_all_partitions[] = {Partition::midpoint_centre,
                                                 Partition::midpoint_mean, Partition::median,
                                                 Partition::connectivity, Partition::surface_area};

/// A unit sphere of `triangles` with ripples on it.
inline TriangleMesh bumpy_sphere(int triangles, float phase = 0, const Transform& place = {}) {
    TriangleMesh mesh = make_subdivided_sphere(triangles).value();
    const std::vector<Vec3> directions = mesh.vertices;
    ripple(directions, {0.3f, 7}, phase, place, mesh.vertices);
    return mesh;
}

/// Triangles that share no vertex, scattered in a cube.
inline TriangleMesh triangle_soup(int count, std::uint64_t seed, double size = 0.1) {
    Random random(seed);
    TriangleMesh mesh;
    for (int i = 0; i < count; ++i) {
        const Vec3d centre(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        const auto first = std::uint32_t(mesh.vertices.size());
        for (int k = 0; k < 3; ++k)
            mesh.vertices.push_back(Vec3(centre + random.direction() * size));
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

/// The box of the triangles below a node, straight from the mesh.
inline Aabb brute_box(const MeshHierarchy& h, std::uint32_t node, const TriangleMesh& mesh) {
    Aabb box;
    for (std::uint32_t i = 0; i < h.nodes[node].leaves; ++i) {
        const std::uint32_t face = h.triangle_order[h.nodes[node].first_leaf + i];
        for (const Vec3& p : corners(mesh, face)) box = merged(box, p);
    }
    return box;
}

} // namespace fovea
