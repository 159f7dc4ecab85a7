#include "tests/oracles/cgal_oracle.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

namespace fovea {

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Mesh = CGAL::Surface_mesh<Point>;

Point to_cgal(const Vec3& v) {
    return {double(v.x), double(v.y), double(v.z)};
}

} // namespace

TriangleMesh cgal_convex_hull(std::span<const Vec3> points) {
    std::vector<Point> input;
    for (const Vec3& point : points) input.push_back(to_cgal(point));
    Mesh hull;
    CGAL::convex_hull_3(input.begin(), input.end(), hull);
    TriangleMesh result;
    for (const auto vertex : hull.vertices()) {
        const Point& p = hull.point(vertex);
        result.vertices.push_back(Vec3(Vec3d(p.x(), p.y(), p.z())));
    }
    for (const auto face : hull.faces()) {
        TriangleMesh::Triangle triangle{};
        int i = 0;
        for (const auto vertex : hull.vertices_around_face(hull.halfedge(face))) {
            triangle[i++] = std::uint32_t(vertex);
        }
        result.triangles.push_back(triangle);
    }
    return result;
}

bool cgal_self_intersects(const TriangleMesh& mesh) {
    Mesh surface;
    std::vector<Mesh::Vertex_index> vertices;
    for (const Vec3& vertex : mesh.vertices)
        vertices.push_back(surface.add_vertex(to_cgal(vertex)));
    for (const auto& [i, j, k] : mesh.triangles) {
        surface.add_face(vertices[i], vertices[j], vertices[k]);
    }
    return CGAL::Polygon_mesh_processing::does_self_intersect(surface);
}

} // namespace fovea
