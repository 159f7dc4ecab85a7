// Edges are found by sorting: the two sides of an edge, one from each face, end up next to each
// other.
#include "fovea/geometry/hull_assembly.h"

#include <algorithm>
#include <limits>

namespace fovea {

namespace {

constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();

/// A side of a face, running from `from` to `to`.
struct Side {
    std::uint32_t from, to, face;

    std::uint32_t low() const { return std::min(from, to); }
    std::uint32_t high() const { return std::max(from, to); }
};

/// All sides, the two of an edge next to each other, the one that runs upwards first.
std::vector<Side> sorted_sides(const ConvexHull& hull) {
    std::vector<Side> sides;
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        const ConvexHull::Face& face = hull.faces[f];
        for (std::uint32_t i = 0; i < face.count; ++i) {
            sides.push_back({hull.face_vertices[face.first + i],
                             hull.face_vertices[face.first + (i + 1) % face.count], f});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        if (a.low() != b.low()) return a.low() < b.low();
        if (a.high() != b.high()) return a.high() < b.high();
        if (a.from != b.from) return a.from < b.from;
        return a.face < b.face;
    });
    return sides;
}

/// Pairs up the sides. Leaves the edges empty if one side has no partner.
void find_edges(ConvexHull& hull) {
    const std::vector<Side> sides = sorted_sides(hull);
    for (std::size_t i = 0; i < sides.size(); i += 2) {
        const bool paired = i + 1 < sides.size() && sides[i].from == sides[i + 1].to &&
                            sides[i].to == sides[i + 1].from && sides[i].from != sides[i].to;
        if (!paired) {
            hull.edges.clear();
            return;
        }
        hull.edges.push_back({sides[i].from, sides[i].to, sides[i].face, sides[i + 1].face});
    }
}

/// Appends a run of floats, padded. Returns its length.
template <class Element, class Get>
std::uint32_t add_run(const std::vector<Element>& elements, Get get, std::vector<float>& values) {
    const std::size_t before = values.size();
    for (const Element& e : elements) values.push_back(get(e));
    while ((values.size() - before) % ConvexHull::Lanes::k_padding != 0)
        values.push_back(values.back());
    return std::uint32_t(values.size() - before);
}

void fill_lanes(ConvexHull& hull) {
    ConvexHull::Lanes& lanes = hull.lanes;
    using Face = ConvexHull::Face;
    for (const int axis : {0, 1, 2}) {
        const auto coordinate = [&](const Vec3& v) { return v[axis]; };
        lanes.padded_vertices = add_run(hull.vertices, coordinate, lanes.values);
    }
    for (const int axis : {0, 1, 2}) {
        const auto coordinate = [&](const Face& f) { return f.normal[axis]; };
        lanes.padded_faces = add_run(hull.faces, coordinate, lanes.values);
    }
    add_run(
        hull.faces, [](const Face& f) { return f.offset; }, lanes.values);

    lanes.vertex_first.assign(hull.vertices.size() + 1, 0);
    for (const std::uint32_t v : hull.face_vertices) ++lanes.vertex_first[v + 1];
    for (std::size_t v = 0; v < hull.vertices.size(); ++v)
        lanes.vertex_first[v + 1] += lanes.vertex_first[v];
    lanes.vertex_faces.resize(hull.face_vertices.size());
    std::vector<std::uint32_t> cursor(lanes.vertex_first);
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        const Face& face = hull.faces[f];
        for (std::uint32_t i = 0; i < face.count; ++i)
            lanes.vertex_faces[cursor[hull.face_vertices[face.first + i]]++] = f;
    }
}

} // namespace

ConvexHull assembled_hull(std::span<const Vec3> points, std::span<const PolygonFace> faces) {
    std::vector<std::uint32_t> meeting(points.size(), 0);
    for (const PolygonFace& face : faces) {
        for (const std::uint32_t vertex : face.outline) ++meeting[vertex];
    }
    ConvexHull hull;
    std::vector<std::uint32_t> number(points.size(), k_none);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (meeting[i] < 3) continue;
        number[i] = std::uint32_t(hull.vertices.size());
        hull.vertices.push_back(points[i]);
    }
    for (const PolygonFace& face : faces) {
        const auto first = std::uint32_t(hull.face_vertices.size());
        for (const std::uint32_t vertex : face.outline) {
            if (number[vertex] != k_none) hull.face_vertices.push_back(number[vertex]);
        }
        const auto count = std::uint32_t(hull.face_vertices.size()) - first;
        hull.faces.push_back({face.normal, face.offset, first, count});
    }
    find_edges(hull);
    fill_lanes(hull);
    return hull;
}

bool fits_together(const ConvexHull& hull) {
    for (const ConvexHull::Face& face : hull.faces) {
        if (face.count < 3) return false;
    }
    for (std::size_t i = 0; i < hull.edges.size(); ++i) {
        const ConvexHull::Edge& edge = hull.edges[i];
        if (edge.left == edge.right) return false;
        if (i > 0 && hull.edges[i - 1].from == edge.from && hull.edges[i - 1].to == edge.to) {
            return false;
        }
    }
    return !hull.edges.empty() && hull.vertices.size() + hull.faces.size() == hull.edges.size() + 2;
}

} // namespace fovea
