#include "fovea/contact/polyhedron.h"

#include <algorithm>

#include "fovea/contact/candidates.h"

namespace fovea {

namespace {

using Face = ConvexHull::Face;
using Edge = ConvexHull::Edge;

// Vertex i of a box has its sign bits in i (bit 0: x, set for +). Faces: +x -x +y -y +z -z.
constexpr std::array<std::uint32_t, 24> k_box_corners{1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3,
                                                      0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1};
constexpr std::array<std::uint32_t, 9> k_box_vertex_first{0, 3, 6, 9, 12, 15, 18, 21, 24};
constexpr std::array<std::uint32_t, 24> k_box_vertex_faces{1, 3, 5, 0, 3, 5, 1, 2, 5, 0, 2, 5,
                                                           1, 3, 4, 0, 3, 4, 1, 2, 4, 0, 2, 4};

/// Edges from the corner lists: each is found once, from its lower to its higher vertex.
constexpr std::array<Edge, 12> box_edges() {
    std::array<Edge, 12> edges{};
    int count = 0;
    for (std::uint32_t f = 0; f < 6; ++f) {
        for (std::uint32_t i = 0; i < 4; ++i) {
            const std::uint32_t from = k_box_corners[4 * f + i];
            const std::uint32_t to = k_box_corners[4 * f + (i + 1) % 4];
            if (from > to) continue;
            for (std::uint32_t g = 0; g < 6; ++g)
                for (std::uint32_t k = 0; k < 4; ++k)
                    if (k_box_corners[4 * g + k] == to &&
                        k_box_corners[4 * g + (k + 1) % 4] == from)
                        edges[count++] = {from, to, f, g};
        }
    }
    return edges;
}

constexpr std::array<Edge, 12> k_box_edges = box_edges();

constexpr std::array<Face, 6> k_box_faces{
    {{{}, 0, 0, 4}, {{}, 0, 4, 4}, {{}, 0, 8, 4}, {{}, 0, 12, 4}, {{}, 0, 16, 4}, {{}, 0, 20, 4}}};

// Planes of a triangle: 0 front, 1 back, 2 + i along the edge from corner i to i + 1. Each edge
// stands twice, towards the front and towards the back.
constexpr std::array<std::uint32_t, 12> k_triangle_corners{0, 1, 2, 2, 1, 0, 0, 1, 1, 2, 2, 0};
constexpr std::array<Face, 5> k_triangle_faces{
    {{{}, 0, 0, 3}, {{}, 0, 3, 3}, {{}, 0, 6, 2}, {{}, 0, 8, 2}, {{}, 0, 10, 2}}};
constexpr std::array<std::uint32_t, 4> k_triangle_vertex_first{0, 2, 4, 6};
constexpr std::array<std::uint32_t, 6> k_triangle_vertex_faces{0, 1, 0, 1, 0, 1};
constexpr std::array<Edge, 6> k_triangle_edges{
    {{0, 1, 0, 2}, {0, 1, 2, 1}, {1, 2, 0, 3}, {1, 2, 3, 1}, {2, 0, 0, 4}, {2, 0, 4, 1}}};

/// What all boxes, or all triangles, have in common.
struct Topology {
    std::uint32_t vertices;
    std::span<const Face> faces;
    std::span<const Edge> edges;
    const std::uint32_t *face_vertices, *vertex_first, *vertex_faces;
};
constexpr Topology k_box{8,
                         k_box_faces,
                         k_box_edges,
                         k_box_corners.data(),
                         k_box_vertex_first.data(),
                         k_box_vertex_faces.data()};
constexpr Topology k_triangle{3,
                              k_triangle_faces,
                              k_triangle_edges,
                              k_triangle_corners.data(),
                              k_triangle_vertex_first.data(),
                              k_triangle_vertex_faces.data()};

PolyhedronView view_into(const SmallPolyhedron& s, const Topology& topology, float size) {
    PolyhedronView view{};
    view.x = s.x.data();
    view.y = s.y.data();
    view.z = s.z.data();
    view.normal_x = s.normal_x.data();
    view.normal_y = s.normal_y.data();
    view.normal_z = s.normal_z.data();
    view.offset = s.offset.data();
    view.padded_vertices = view.padded_planes = SmallPolyhedron::k_room;
    view.vertices = topology.vertices;
    view.planes = std::uint32_t(topology.faces.size());
    view.edges = topology.edges;
    view.faces = topology.faces.data();
    view.face_vertices = topology.face_vertices;
    view.vertex_first = topology.vertex_first;
    view.vertex_faces = topology.vertex_faces;
    view.size = size;
    return view;
}

void set_plane(SmallPolyhedron& s, std::size_t i, const Vec3& normal, float offset) {
    s.normal_x[i] = normal.x;
    s.normal_y[i] = normal.y;
    s.normal_z[i] = normal.z;
    s.offset[i] = offset;
}

void set_vertex(SmallPolyhedron& s, std::size_t i, const Vec3& p) {
    s.x[i] = p.x;
    s.y[i] = p.y;
    s.z[i] = p.z;
}

} // namespace

PolyhedronView view_of(const ConvexHull& hull) {
    PolyhedronView view{};
    const ConvexHull::Lanes& lanes = hull.lanes;
    view.padded_vertices = lanes.padded_vertices;
    view.padded_planes = lanes.padded_faces;
    view.x = lanes.values.data();
    view.y = view.x + lanes.padded_vertices;
    view.z = view.y + lanes.padded_vertices;
    view.normal_x = view.z + lanes.padded_vertices;
    view.normal_y = view.normal_x + lanes.padded_faces;
    view.normal_z = view.normal_y + lanes.padded_faces;
    view.offset = view.normal_z + lanes.padded_faces;
    view.vertices = std::uint32_t(hull.vertices.size());
    view.planes = std::uint32_t(hull.faces.size());
    view.edges = hull.edges;
    view.faces = hull.faces.data();
    view.face_vertices = hull.face_vertices.data();
    view.vertex_first = lanes.vertex_first.data();
    view.vertex_faces = lanes.vertex_faces.data();
    view.size = 0.5f * length(hull.vertices[hull.vertices.size() / 2] - hull.vertices.front());
    return view;
}

PolyhedronView view_of(const Box& box, SmallPolyhedron& storage) {
    const Vec3 h = box.half_extents;
    for (std::uint32_t i = 0; i < 16; ++i)
        set_vertex(storage, i, {i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
    set_plane(storage, 0, {1, 0, 0}, h.x);
    set_plane(storage, 1, {-1, 0, 0}, h.x);
    set_plane(storage, 2, {0, 1, 0}, h.y);
    set_plane(storage, 3, {0, -1, 0}, h.y);
    set_plane(storage, 4, {0, 0, 1}, h.z);
    for (std::size_t i = 5; i < 16; ++i) set_plane(storage, i, {0, 0, -1}, h.z);
    return view_into(storage, k_box, std::min({h.x, h.y, h.z}));
}

PolyhedronView view_of(const std::array<Vec3, 3>& t, SmallPolyhedron& storage) {
    const Vec3 normal = normalized_or(cross(t[1] - t[0], t[2] - t[0]), Vec3(0, 1, 0));
    for (std::size_t i = 0; i < 16; ++i) set_vertex(storage, i, t[std::min<std::size_t>(i, 2)]);
    set_plane(storage, 0, normal, dot(normal, t[0]));
    set_plane(storage, 1, -normal, -dot(normal, t[0]));
    float widest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 along = t[(i + 1) % 3] - t[i];
        widest = std::max(widest, length_squared(along));
        const Vec3 outward = normalized_or(cross(along, normal), normal);
        set_plane(storage, 2 + i, outward, dot(outward, t[i]));
    }
    for (std::size_t i = 5; i < 16; ++i) set_plane(storage, i, normal, dot(normal, t[0]));
    return view_into(storage, k_triangle, 0.5f * std::sqrt(widest));
}

void face_of(const PolyhedronView& polyhedron, std::uint32_t number, std::uint32_t vertex,
             Feature& feature) {
    const Face& face = polyhedron.faces[number];
    feature.number = number;
    feature.normal = polyhedron.normal(number);
    const std::uint32_t* corners = polyhedron.face_vertices + face.first;
    const std::uint32_t stride = (face.count + k_max_corners - 1) / k_max_corners;
    const auto start =
        stride == 1 ? 0 : std::uint32_t(std::find(corners, corners + face.count, vertex) - corners);
    for (std::uint32_t i = 0; i < face.count; i += stride) {
        const std::uint32_t corner = stride == 1 ? i : (start + i) % face.count;
        feature.corners.push_back({polyhedron.vertex(corners[corner]), corner % k_sides_of_b});
    }
}

} // namespace fovea
