// Round shapes are surfaces of revolution about y: a profile of (radius, height) points, from the
// lowest to the highest, is carried around the axis. A profile point of radius 0 is one vertex.
//
//      height
//        ^    o--.                  o       pole: one vertex
//        |        \                /|\      ...
//        |         o              o-o-o-o   ring of `segments` vertices
//        |        /               |/|/|/|
//        |    o--'                o-o-o-o
//        +-------> radius          \|/
//
#include "fovea/geometry/tessellate.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "fovea/base/assert.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/height_field.h"

namespace fovea {

namespace {

struct ProfilePoint {
    double radius, height;
};

class Revolution {
  public:
    explicit Revolution(int segments)
        : segments_(std::uint32_t(segments)) {}

    TriangleMesh build(const std::vector<ProfilePoint>& profile) && {
        Ring below = add_ring(profile[0]);
        for (std::size_t i = 1; i < profile.size(); ++i) {
            const Ring above = add_ring(profile[i]);
            join(below, above);
            below = above;
        }
        return std::move(mesh_);
    }

  private:
    struct Ring {
        std::uint32_t first;
        bool pole;
        std::uint32_t at(std::uint32_t i) const { return pole ? first : first + i; }
    };

    Ring add_ring(const ProfilePoint& point) {
        const Ring ring{std::uint32_t(mesh_.vertices.size()), point.radius == 0};
        for (std::uint32_t i = 0; i < (ring.pole ? 1 : segments_); ++i) {
            const double angle = 2 * std::numbers::pi * i / segments_;
            mesh_.vertices.push_back(Vec3(Vec3d(point.radius * std::sin(angle), point.height,
                                                point.radius * std::cos(angle))));
        }
        return ring;
    }

    void join(const Ring& below, const Ring& above) {
        for (std::uint32_t i = 0; i < segments_; ++i) {
            const std::uint32_t next = (i + 1) % segments_;
            if (!below.pole) {
                mesh_.triangles.push_back({below.at(i), below.at(next), above.at(i)});
            }
            if (!above.pole) {
                mesh_.triangles.push_back({below.at(next), above.at(next), above.at(i)});
            }
        }
    }

    std::uint32_t segments_;
    TriangleMesh mesh_;
};

/// Appends half a circle about (0, height), from polar angle `from` to `to` of half a turn in
/// `steps` steps, measured from the lower pole.
void add_arc(std::vector<ProfilePoint>& profile, double radius, double height, int from, int to,
             int steps) {
    for (int i = from; i <= to; ++i) {
        const bool pole = i == 0 || i == steps;
        const double angle = std::numbers::pi * i / steps;
        profile.push_back({pole ? 0 : radius * std::sin(angle), height - radius * std::cos(angle)});
    }
}

struct Tessellate {
    int segments;
    double half_space_size;

    TriangleMesh operator()(const Sphere& sphere) const {
        const int rings = (segments + 1) / 2;
        std::vector<ProfilePoint> profile;
        add_arc(profile, sphere.radius, 0, 0, rings, rings);
        return Revolution(segments).build(profile);
    }

    TriangleMesh operator()(const Capsule& capsule) const {
        const int quarter = (segments + 3) / 4;
        const double r = capsule.radius, h = capsule.half_height;
        std::vector<ProfilePoint> profile;
        add_arc(profile, r, -h, 0, quarter, 2 * quarter);
        add_arc(profile, r, +h, quarter, 2 * quarter, 2 * quarter);
        return Revolution(segments).build(profile);
    }

    TriangleMesh operator()(const Cylinder& cylinder) const {
        const double r = cylinder.radius, h = cylinder.half_height;
        return Revolution(segments).build({{0, -h}, {r, -h}, {r, h}, {0, h}});
    }

    TriangleMesh operator()(const Cone& cone) const {
        const double r = cone.radius, h = cone.half_height;
        return Revolution(segments).build({{0, -h}, {r, -h}, {0, h}});
    }

    TriangleMesh operator()(const Box& box) const {
        // Corner number = x + 2y + 4z with 0 for the low and 1 for the high side.
        TriangleMesh mesh;
        for (int i = 0; i < 8; ++i) {
            const Vec3 sign(i & 1 ? 1.f : -1.f, i & 2 ? 1.f : -1.f, i & 4 ? 1.f : -1.f);
            mesh.vertices.push_back(scale(box.half_extents, sign));
        }
        mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                          {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
        return mesh;
    }

    TriangleMesh operator()(const HalfSpace& half_space) const {
        const Vec3d n = normalized(Vec3d(half_space.normal));
        const Vec3d centre = n * (half_space.offset / length(Vec3d(half_space.normal)));
        const Vec3d u = perpendicular(n) * (half_space_size / 2);
        const Vec3d v = cross(n, u);
        return {{Vec3(centre - u - v), Vec3(centre + u - v), Vec3(centre + u + v),
                 Vec3(centre - u + v)},
                {{0, 1, 2}, {0, 2, 3}}};
    }

    TriangleMesh operator()(const Hull& hull) const {
        TriangleMesh mesh{hull.data->vertices, {}};
        for (const ConvexHull::Face& face : hull.data->faces) {
            const std::uint32_t* corner = &hull.data->face_vertices[face.first];
            for (std::uint32_t i = 2; i < face.count; ++i) {
                mesh.triangles.push_back({corner[0], corner[i - 1], corner[i]});
            }
        }
        return mesh;
    }

    TriangleMesh operator()(const MeshSurface& surface) const { return *surface.data; }
    TriangleMesh operator()(const SolidMesh& solid) const { return *solid.data; }
    TriangleMesh operator()(const DeformingMesh& mesh) const { return *mesh.data; }
    TriangleMesh operator()(const HeightSurface& surface) const { return to_mesh(*surface.data); }

    TriangleMesh operator()(const CompoundShape& compound) const {
        TriangleMesh mesh;
        for (const auto& part : compound.data->parts) {
            const TriangleMesh piece = std::visit(*this, part.shape);
            const auto first = std::uint32_t(mesh.vertices.size());
            for (const Vec3& vertex : piece.vertices) {
                mesh.vertices.push_back(Vec3(Transformd(part.placement) * Vec3d(vertex)));
            }
            for (const auto& [i, j, k] : piece.triangles) {
                mesh.triangles.push_back({first + i, first + j, first + k});
            }
        }
        return mesh;
    }
};

} // namespace

TriangleMesh tessellate(const Shape& shape, int segments, float half_space_size) {
    FOVEA_ASSERT(segments >= 3);
    FOVEA_ASSERT(half_space_size > 0);
    return std::visit(Tessellate{segments, half_space_size}, shape);
}

} // namespace fovea
