#include "fovea/volume/prepared_mesh.h"

#include <algorithm>
#include <cmath>

#include "fovea/geometry/number_text.h"
#include "fovea/volume/mesh_topology.h"

namespace fovea {

bool PreparedMesh::inside(const Vec3d& p) const {
    return closed && std::abs(tree.winding_number(p)) > 0.5;
}

Result<PreparedMesh> prepare(const TriangleMesh& mesh, const Jobs& jobs) {
    if (auto checked = check_mesh(mesh); !checked) return tl::unexpected(checked.error());

    // Only vertices in use count: stray ones must not stretch the frame.
    Vec3d low(mesh.vertices[mesh.triangles[0][0]]), high = low;
    for (const auto& triangle : mesh.triangles) {
        for (const std::uint32_t i : triangle) {
            low = min(low, Vec3d(mesh.vertices[i]));
            high = max(high, Vec3d(mesh.vertices[i]));
        }
    }
    const Vec3d extent = high - low;
    const double size = std::max({extent.x, extent.y, extent.z});
    if (!(size > 0)) {
        return failure("mesh is a single point at " + vector_text(Vec3(low)) +
                       ": nothing to enclose");
    }
    if (size < 1e-30 || size > 1e30) {
        return failure("mesh is " + number_text(size) +
                       " across; spheres need 1e-30 to 1e30 to have squares in range");
    }

    PreparedMesh out;
    out.origin = (low + high) * 0.5;
    out.scale = size;
    out.half_box = extent * (0.5 / size);
    out.vertices.resize(mesh.vertices.size());
    std::vector<char> used(mesh.vertices.size(), 0);
    for (const auto& triangle : mesh.triangles) {
        for (const std::uint32_t i : triangle) used[i] = 1;
    }
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        if (used[i]) out.vertices[i] = out.to_units(mesh.vertices[i]);
    }
    const std::vector<std::uint32_t> first = weld(out.vertices);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        if (!used[i]) continue;
        const Vec3d exact(mesh.vertices[i]);
        // The difference is itself rounded, in proportion to the coordinates.
        const double rounding = 1e-15 * (std::abs(exact.x) + std::abs(exact.y) + std::abs(exact.z));
        out.moved =
            std::max(out.moved, length(exact - out.to_metres(out.vertices[first[i]])) + rounding);
    }
    out.triangles = mesh.triangles;
    for (auto& triangle : out.triangles) {
        for (std::uint32_t& i : triangle) i = first[i];
    }
    drop_repeated(out.triangles);
    out.closed = close_by_orienting(out.triangles, out.vertices.size());

    std::vector<Triangle3d> triangles(out.triangles.size());
    double volume = 0;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        triangles[i] = out.corners(i);
        const auto& [a, b, c] = triangles[i];
        out.area += 0.5 * length(cross(b - a, c - a));
        volume += dot(a, cross(b, c)) / 6;
    }
    // A closed surface pressed flat has no inside worth the name.
    if (std::abs(volume) < 1e-9) out.closed = false;
    out.tree = TriangleTree(triangles, jobs);
    return out;
}

} // namespace fovea
