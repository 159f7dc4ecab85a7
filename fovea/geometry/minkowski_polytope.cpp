#include "fovea/geometry/minkowski_polytope.h"

namespace fovea {

namespace {

constexpr int next_corner(int i) {
    return i == 2 ? 0 : i + 1;
}

} // namespace

MinkowskiPolytope::MinkowskiPolytope(const std::array<MinkowskiVertex, 4>& tetrahedron) {
    for (const MinkowskiVertex& v : tetrahedron) add_vertex(v);
    const bool inverted =
        dot(cross(tetrahedron[1].w - tetrahedron[0].w, tetrahedron[2].w - tetrahedron[0].w),
            tetrahedron[3].w - tetrahedron[0].w) > 0;
    if (inverted) std::swap(vertices_[0], vertices_[1]);
    set_face(new_slot(), {0, 1, 2}, {1, 2, 3});
    set_face(new_slot(), {0, 3, 1}, {3, 2, 0});
    set_face(new_slot(), {1, 3, 2}, {1, 3, 0});
    set_face(new_slot(), {2, 3, 0}, {2, 1, 0});
}

int MinkowskiPolytope::nearest_face(const Vec3d& axis, double least_cosine) const {
    int best = -1;
    double least = k_infinity;
    for (int i = 0; i < int(distances_.size()); ++i)
        if (distances_[i] < least &&
            (least_cosine < -1 || dot(faces_[i].normal, axis) >= least_cosine)) {
            least = distances_[i];
            best = i;
        }
    return best;
}

std::optional<MinkowskiPolytope::Triangle> MinkowskiPolytope::foot_holder(const Vec3d& normal,
                                                                          double distance) const {
    constexpr double k_same_side = 0.9999;
    const Vec3d foot = normal * distance;
    const Face* best = nullptr;
    double least = k_infinity;
    for (const Face& face : faces_) {
        if (face.removed || dot(face.normal, normal) < k_same_side) continue;
        const Vec3d& a = vertices_[face.corners[0]].w;
        const Vec3d& b = vertices_[face.corners[1]].w;
        const Vec3d& c = vertices_[face.corners[2]].w;
        const auto weights = nearest_on_thin_triangle(a - foot, b - foot, c - foot);
        const double squared =
            length_squared(a * weights[0] + b * weights[1] + c * weights[2] - foot);
        if (squared < least) {
            least = squared;
            best = &face;
        }
    }
    if (best == nullptr) return std::nullopt;
    const auto& [a, b, c] = best->corners;
    return Triangle{vertices_[a], vertices_[b], vertices_[c]};
}

bool MinkowskiPolytope::reaches(int f, const Vec3d& w, double tolerance) const {
    return !(height_above(faces_[f], w) > tolerance + 4 * slack_);
}

bool MinkowskiPolytope::too_thin_for(int f, const Vec3d& w) const {
    return height_above(faces_[f], w) < fuzz_at(faces_[f], w);
}

bool MinkowskiPolytope::grow(int seen, const MinkowskiVertex& vertex) {
    if (vertices_.full()) return false;
    const std::size_t free_before = free_.size();
    if (!find_horizon(seen, vertex.w)) {
        for (; free_.size() > free_before; free_.pop_back())
            faces_[free_[free_.size() - 1]].removed = false;
        return false;
    }
    const int rim = int(horizon_.size());
    const auto apex = std::int16_t(vertices_.size());
    add_vertex(vertex);
    InplaceVector<std::int16_t, k_max_faces> fan;
    for (int i = 0; i < rim; ++i) fan.push_back(std::int16_t(new_slot()));
    for (int i = 0; i < rim; ++i) {
        const HorizonEdge& edge = horizon_[i];
        const std::int16_t before = fan[i == 0 ? rim - 1 : i - 1];
        const std::int16_t after = fan[i + 1 == rim ? 0 : i + 1];
        set_face(fan[i], {edge.from, edge.to, apex}, {edge.outer, after, before});
        Face& outer = faces_[edge.outer];
        for (int e = 0; e < 3; ++e)
            if (outer.corners[e] == edge.to) outer.neighbours[e] = fan[i];
    }
    return true;
}

void MinkowskiPolytope::set_face(int slot, std::array<std::int16_t, 3> corners,
                                 std::array<std::int16_t, 3> neighbours) {
    const Vec3d& a = vertices_[corners[0]].w;
    const Vec3d& b = vertices_[corners[1]].w;
    const Vec3d& c = vertices_[corners[2]].w;
    const Vec3d ab = b - a, ac = c - a;
    const Vec3d normal = cross(ab, ac);
    const double area = length(normal);
    const double longest =
        std::max({length_squared(ab), length_squared(ac), length_squared(c - b)});
    Face f{corners, neighbours, false, {}, k_infinity, 0};
    if (area > 1e-14 * longest) {
        f.normal = normal / area;
        f.distance = dot(f.normal, a + b + c) * (1.0 / 3);
        f.fuzz = slack_ * std::sqrt(longest) / area;
    }
    faces_[slot] = f;
    distances_[slot] = f.distance;
}

bool MinkowskiPolytope::find_horizon(int seen, const Vec3d& w) {
    horizon_.clear();
    remove(seen);
    for (int e = 0; e < 3; ++e)
        if (!walk(seen, e, w)) return false;
    const std::size_t rim = horizon_.size();
    if (rim < 3 || rim > free_.size() + k_max_faces - faces_.size()) return false;
    for (std::size_t i = 0; i < rim; ++i)
        if (horizon_[i].to != horizon_[i + 1 == rim ? 0 : i + 1].from) return false;
    return true;
}

bool MinkowskiPolytope::walk(int from, int edge, const Vec3d& w) {
    const int f = faces_[from].neighbours[edge];
    Face& face = faces_[f];
    if (face.removed) return true;
    const std::int16_t a = faces_[from].corners[edge];
    const std::int16_t b = faces_[from].corners[next_corner(edge)];
    // A face coplanar with w is taken as seeing it: the fan then spans the whole flat region
    // and has no slivers.
    const double height = height_above(face, w);
    if (height < 0 && face.distance < k_infinity && height < -fuzz_at(face, w)) {
        if (horizon_.full()) return false;
        horizon_.push_back({a, b, std::int16_t(f)});
        return true;
    }
    remove(f);
    int entered = 0;
    while (entered < 3 && face.corners[entered] != b) ++entered;
    if (entered == 3) return false;
    const int second = next_corner(entered);
    return walk(f, second, w) && walk(f, next_corner(second), w);
}

} // namespace fovea
