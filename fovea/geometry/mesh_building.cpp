// Subdivision, geodesic spheres and extrusion.
#include "fovea/geometry/mesh_building.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/assert.h"

namespace fovea {

namespace {

using Triangle = TriangleMesh::Triangle;

/// The undirected edges of a mesh, sorted, each with the low vertex in the high half.
std::vector<std::uint64_t> edges_of(const TriangleMesh& mesh) {
    std::vector<std::uint64_t> edges;
    for (const Triangle& t : mesh.triangles) {
        for (int i = 0; i < 3; ++i) {
            const auto [low, high] = std::minmax(t[i], t[(i + 1) % 3]);
            edges.push_back(std::uint64_t(low) << 32 | high);
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

/// Splits one mesh. Vertices are numbered: old ones, then those on edges, then those inside.
class Subdivision {
  public:
    Subdivision(const TriangleMesh& mesh, int parts)
        : old_(mesh)
        , parts_(parts)
        , edges_(edges_of(mesh)) {
        new_.vertices = mesh.vertices;
        for (const std::uint64_t edge : edges_) {
            const Vec3d low(mesh.vertices[edge >> 32]), high(mesh.vertices[edge & 0xffffffffu]);
            for (int i = 1; i < parts_; ++i) {
                new_.vertices.push_back(Vec3((low * (parts_ - i) + high * i) / parts_));
            }
        }
    }

    TriangleMesh build() && {
        for (const Triangle& triangle : old_.triangles) split(triangle);
        return std::move(new_);
    }

  private:
    /// The vertex `step` steps of the way from one corner to another.
    std::uint32_t on_edge(std::uint32_t from, std::uint32_t to, int step) const {
        if (step == 0) return from;
        if (step == parts_) return to;
        if (from > to) return on_edge(to, from, parts_ - step);
        const std::uint64_t key = std::uint64_t(from) << 32 | to;
        const auto edge = std::lower_bound(edges_.begin(), edges_.end(), key) - edges_.begin();
        return std::uint32_t(old_.vertices.size() + edge * (parts_ - 1) + step - 1);
    }

    /// Row j runs parallel to the edge a-b, j steps towards c; it has parts - j + 1 vertices.
    void split(const Triangle& triangle) {
        const auto [a, b, c] = triangle;
        const Vec3d pa(old_.vertices[a]), pb(old_.vertices[b]), pc(old_.vertices[c]);
        std::vector<std::uint32_t> row, above;
        for (int i = 0; i <= parts_; ++i) row.push_back(on_edge(a, b, i));
        for (int j = 1; j <= parts_; ++j) {
            const int width = parts_ - j;
            above.clear();
            above.push_back(on_edge(a, c, j));
            for (int i = 1; i < width; ++i) {
                above.push_back(std::uint32_t(new_.vertices.size()));
                new_.vertices.push_back(Vec3((pa * (width - i) + pb * i + pc * j) / parts_));
            }
            if (width > 0) above.push_back(on_edge(b, c, j));
            for (int i = 0; i <= width; ++i) {
                new_.triangles.push_back({row[i], row[i + 1], above[i]});
                if (i < width) new_.triangles.push_back({row[i + 1], above[i + 1], above[i]});
            }
            row.swap(above);
        }
    }

    const TriangleMesh& old_;
    int parts_;
    std::vector<std::uint64_t> edges_;
    TriangleMesh new_;
};

} // namespace

TriangleMesh subdivided(const TriangleMesh& mesh, int parts) {
    FOVEA_ASSERT(parts >= 1);
    return Subdivision(mesh, parts).build();
}

TriangleMesh make_geodesic_sphere(double radius, int frequency) {
    // Three golden rectangles at right angles.
    const float g = float((1 + std::sqrt(5.0)) / 2);
    const TriangleMesh icosahedron = {{{-1, g, 0},
                                       {1, g, 0},
                                       {-1, -g, 0},
                                       {1, -g, 0},
                                       {0, -1, g},
                                       {0, 1, g},
                                       {0, -1, -g},
                                       {0, 1, -g},
                                       {g, 0, -1},
                                       {g, 0, 1},
                                       {-g, 0, -1},
                                       {-g, 0, 1}},
                                      {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                       {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                       {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                       {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}}};
    TriangleMesh mesh = subdivided(icosahedron, frequency);
    for (Vec3& vertex : mesh.vertices) vertex = Vec3(normalized(Vec3d(vertex)) * radius);
    return mesh;
}

TriangleMesh extruded(std::span<const OutlinePoint> outline, std::span<const OutlinePoint> inner,
                      std::span<const Triangle> cap, double depth) {
    TriangleMesh mesh;
    for (const double z : {-depth / 2, depth / 2}) {
        for (const auto points : {outline, inner}) {
            for (const OutlinePoint& p : points) {
                mesh.vertices.push_back(Vec3(Vec3d(p.x, p.y, z)));
            }
        }
    }
    const auto front = std::uint32_t(outline.size() + inner.size());
    for (const auto& [i, j, k] : cap) {
        mesh.triangles.push_back({i, k, j});
        mesh.triangles.push_back({front + i, front + j, front + k});
    }
    const auto count = std::uint32_t(outline.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t next = (i + 1) % count;
        mesh.triangles.push_back({i, next, front + next});
        mesh.triangles.push_back({i, front + next, front + i});
    }
    return mesh;
}

} // namespace fovea
