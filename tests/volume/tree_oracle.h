// What a sphere tree must fulfil, checked from first principles and by sampling: independent of
// the proofs in the library.
#pragma once

#include <cmath>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/volume/sphere_tree.h"

namespace fovea::testing {

inline bool holds(const SphereTree& tree, std::uint32_t node, const Vec3d& p) {
    return length(p - Vec3d(tree.centre(node))) <= double(tree.radius(node));
}

/// A path from `node`, which holds p, down to the last level through spheres that hold p.
inline bool has_path(const SphereTree& tree, std::uint32_t node, const Vec3d& p) {
    if (!holds(tree, node, p)) return false;
    const SphereTree::Range children = tree.children(node);
    if (children.count == 0) return node >= tree.level(tree.levels() - 1).first;
    for (std::uint32_t c = children.first; c < children.first + children.count; ++c) {
        if (has_path(tree, c, p)) return true;
    }
    return false;
}

/// A random point of the surface: by turns within a triangle, on an edge, at a corner.
inline Vec3d surface_sample(const TriangleMesh& mesh, int turn, Random& random) {
    const auto t = corners(mesh, random.below(std::uint32_t(mesh.triangles.size())));
    double u = random.uniform(), v = random.uniform();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    if (turn % 3 == 1) v = 0;
    if (turn % 3 == 2) u = v = 0;
    const Vec3d a(t[0]), b(t[1]), c(t[2]);
    return a + (b - a) * u + (c - a) * v;
}

/// Random points of the surface, corners and edges among them, that have no path.
inline int points_without_path(const SphereTree& tree, const TriangleMesh& mesh, int samples,
                               std::uint64_t seed) {
    Random random(seed);
    int missed = 0;
    for (int i = 0; i < samples; ++i) {
        missed += !has_path(tree, 0, surface_sample(mesh, i, random));
    }
    return missed;
}

/// Inside by counting crossings of a ray in a random direction; closed meshes only.
inline bool inside_by_parity(const TriangleMesh& mesh, const Vec3d& p, Random& random) {
    const Vec3d d = random.direction();
    int crossings = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto t = corners(mesh, i);
        const Vec3d a(t[0]), e1 = Vec3d(t[1]) - a, e2 = Vec3d(t[2]) - a;
        const Vec3d h = cross(d, e2);
        const double det = dot(e1, h);
        if (det == 0) continue;
        const Vec3d s = p - a, q = cross(s, e1);
        const double u = dot(s, h) / det, v = dot(d, q) / det;
        if (u >= 0 && v >= 0 && u + v <= 1 && dot(e2, q) / det > 0) ++crossings;
    }
    return crossings % 2 == 1;
}

/// Random points inside the solid that some level leaves out.
inline int inner_points_left_out(const SphereTree& tree, const TriangleMesh& mesh, int samples,
                                 std::uint64_t seed) {
    Random random(seed);
    const Aabb box = bounds(mesh);
    const Vec3d low(box.low), extent = Vec3d(box.high) - low;
    int missed = 0;
    for (int i = 0; i < samples; ++i) {
        const Vec3d p =
            low + scale(extent, Vec3d(random.uniform(), random.uniform(), random.uniform()));
        if (!inside_by_parity(mesh, p, random)) continue;
        for (int l = 0; l < tree.levels(); ++l) {
            const SphereTree::Range range = tree.level(l);
            bool held = false;
            for (std::uint32_t n = range.first; n < range.first + range.count && !held; ++n) {
                held = holds(tree, n, p);
            }
            missed += !held;
        }
    }
    return missed;
}

inline bool all_children_inside(const SphereTree& tree) {
    for (std::uint32_t n = 1; n < tree.size(); ++n) {
        const std::uint32_t p = tree.parent(n);
        if (length(Vec3d(tree.centre(n)) - Vec3d(tree.centre(p))) + double(tree.radius(n)) >
            double(tree.radius(p))) {
            return false;
        }
    }
    return true;
}

/// Children lie on the next level, side by side, and every node above the last level has some.
inline bool is_well_formed(const SphereTree& tree, const SphereTreeSettings& settings) {
    if (tree.level(0).count != 1) return false;
    for (int l = 0; l + 1 < tree.levels(); ++l) {
        const SphereTree::Range range = tree.level(l), below = tree.level(l + 1);
        std::uint32_t next = below.first;
        for (std::uint32_t n = range.first; n < range.first + range.count; ++n) {
            const SphereTree::Range children = tree.children(n);
            if (children.count < 1 || children.count > std::uint32_t(settings.branching))
                return false;
            if (children.first != next) return false;
            for (std::uint32_t c = 0; c < children.count; ++c) {
                if (tree.parent(children.first + c) != n) return false;
            }
            next += children.count;
        }
        if (next != below.first + below.count) return false;
    }
    return true;
}

} // namespace fovea::testing
