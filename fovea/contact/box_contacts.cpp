// Two boxes: the best separating axis, then the incident face clipped in the plane of the reference
// face, where that is a rectangle about the origin.
//
//      v                      The three numbers of a corner are its place (u, v) in the plane of
//      |  .-------.           the reference face and its height w above it, which is at once the
//   .--+--|--.    | incident  separation.
//   |  |  |  |    |
//   '--+--|--'----'---> u     reference: |u| <= half_u, |v| <= half_v
//
#include <algorithm>

#include "fovea/contact/box_axes.h"
#include "fovea/contact/candidates.h"
#include "fovea/contact/face_preference.h"
#include "fovea/contact/pair_contacts.h"

namespace fovea {

namespace {

struct FacePoint {
    float at[3];        ///< u, v, w
    std::uint32_t side; ///< number of the side of the area that starts here
};

struct FaceArea {
    /// Eight corners at most, and room for what rounding may make of them.
    static constexpr int k_room = 16;

    FacePoint points[k_room];
    int count = 0;

    void add(const FacePoint& p) {
        if (count < k_room) points[count++] = p;
    }
};

/// Keeps what has sign * coordinate <= half.
template <int coordinate>
void cut(const FaceArea& area, float sign, float half, std::uint32_t side, FaceArea& rest) {
    rest.count = 0;
    if (area.count == 0) return;
    const FacePoint* from = &area.points[area.count - 1];
    float height = sign * from->at[coordinate] - half;
    for (int i = 0; i < area.count; ++i) {
        const FacePoint& to = area.points[i];
        const float next_height = sign * to.at[coordinate] - half;
        if ((height <= 0) != (next_height <= 0)) {
            const float t = height / (height - next_height);
            rest.add({{from->at[0] + t * (to.at[0] - from->at[0]),
                       from->at[1] + t * (to.at[1] - from->at[1]),
                       from->at[2] + t * (to.at[2] - from->at[2])},
                      next_height <= 0 ? from->side : side});
        }
        if (next_height <= 0) rest.add(to);
        from = &to;
        height = next_height;
    }
}

/// The reference box at the origin, axes aligned; the other one placed. Sides are numbered from
/// `reference_sides` and `incident_sides`.
struct FaceCase {
    float half[3], half_other[3];
    float rotation[3][3];
    float offset[3];
    int axis; ///< of the reference face's normal
    std::uint32_t reference_sides, incident_sides;
};

struct FaceResult {
    FaceArea area;
    float sign;             ///< of the reference face's normal
    std::uint32_t incident; ///< face of the other box: 2 axis + (1 if negative)
};

FaceResult overlap_of_faces(const FaceCase& c) {
    FaceResult result;
    const int u = next_axis(c.axis), v = next_axis(u);
    result.sign = c.offset[c.axis] < 0 ? -1.0f : 1.0f;
    const float* row = c.rotation[c.axis];
    const float s0 = std::abs(row[0]), s1 = std::abs(row[1]), s2 = std::abs(row[2]);
    const int j = s0 >= s1 ? (s0 >= s2 ? 0 : 2) : (s1 >= s2 ? 1 : 2);
    const int k = next_axis(j), l = next_axis(k);
    const float facing = result.sign * row[j] > 0 ? -1.0f : 1.0f;
    result.incident = std::uint32_t(2 * j + (facing < 0 ? 1 : 0));

    const auto along = [&](int component, float scale) {
        const float middle =
            c.offset[component] + facing * c.half_other[j] * c.rotation[component][j];
        const float first = c.half_other[k] * c.rotation[component][k];
        const float second = c.half_other[l] * c.rotation[component][l];
        return std::array<float, 3>{scale * middle, scale * first, scale * second};
    };
    const auto pu = along(u, 1), pv = along(v, 1), pw = along(c.axis, result.sign);
    constexpr float k_square[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    FaceArea& area = result.area;
    const float height = pw[0] - c.half[c.axis];
    float low[2] = {0, 0}, high[2] = {0, 0};
    for (std::uint32_t i = 0; i < 4; ++i) {
        const float x = k_square[i][0], y = k_square[i][1];
        const FacePoint p{{pu[0] + x * pu[1] + y * pu[2], pv[0] + x * pv[1] + y * pv[2],
                           height + x * pw[1] + y * pw[2]},
                          c.incident_sides + i};
        for (int axis = 0; axis < 2; ++axis) {
            low[axis] = std::min(low[axis], p.at[axis]);
            high[axis] = std::max(high[axis], p.at[axis]);
        }
        area.add(p);
    }
    FaceArea other;
    FaceArea *now = &area, *then = &other;
    const auto cut_off = [&](bool needed, auto function, float sign, int axis, std::uint32_t side) {
        if (!needed) return;
        function(*now, sign, c.half[axis], c.reference_sides + side, *then);
        std::swap(now, then);
    };
    cut_off(high[0] > c.half[u], cut<0>, 1, u, 0);
    cut_off(low[0] < -c.half[u], cut<0>, -1, u, 1);
    cut_off(high[1] > c.half[v], cut<1>, 1, v, 2);
    cut_off(low[1] < -c.half[v], cut<1>, -1, v, 3);
    if (now != &area) area = *now;
    return result;
}

/// Contact points of a face with the other box. False if they do not reach the separation that
/// the axis promises: the nearest place is then beside the face.
bool meet_face(const BoxPair& p, const BoxAxis& choice, float preference, const PairWork& work) {
    const bool reference_is_a = choice.axis < 3;
    FaceCase c;
    if (reference_is_a) {
        std::copy_n(p.half_a, 3, c.half);
        std::copy_n(p.half_b, 3, c.half_other);
        for (int i = 0; i < 3; ++i) std::copy_n(p.rotation[i], 3, c.rotation[i]);
        std::copy_n(p.offset, 3, c.offset);
    } else {
        std::copy_n(p.half_b, 3, c.half);
        std::copy_n(p.half_a, 3, c.half_other);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) c.rotation[i][j] = p.rotation[j][i];
            c.offset[i] = -(p.offset[0] * p.rotation[0][i] + p.offset[1] * p.rotation[1][i] +
                            p.offset[2] * p.rotation[2][i]);
        }
    }
    c.axis = reference_is_a ? choice.axis : choice.axis - 3;
    c.reference_sides = reference_is_a ? 0 : k_sides_of_b;
    c.incident_sides = reference_is_a ? k_sides_of_b : 0;
    const FaceResult found = overlap_of_faces(c);
    const FaceArea& area = found.area;

    float deepest = work.margin;
    for (int i = 0; i < area.count; ++i) deepest = std::min(deepest, area.points[i].at[2]);
    if (deepest > choice.separation + preference || !(deepest < work.margin)) return false;

    const int u = next_axis(c.axis), v = next_axis(u);
    const auto face = std::uint32_t(2 * c.axis + (found.sign < 0 ? 1 : 0));
    const std::uint32_t face_a = reference_is_a ? face : found.incident;
    const std::uint32_t face_b = reference_is_a ? found.incident : face;
    Candidates candidates;
    std::uint32_t side = area.points[area.count - 1].side;
    for (int i = 0; i < area.count; ++i) {
        const FacePoint& q = area.points[i];
        const std::uint32_t feature = face_feature(face_a, face_b, side, q.side);
        side = q.side;
        if (!(q.at[2] < work.margin)) continue;
        float at[3];
        at[u] = q.at[0];
        at[v] = q.at[1];
        at[c.axis] = found.sign * (c.half[c.axis] + 0.5f * q.at[2]);
        const Vec3 midway(at[0], at[1], at[2]);
        candidates.push_back({reference_is_a ? midway : work.pose * midway, q.at[2], feature});
    }
    float normal[3] = {0, 0, 0};
    normal[c.axis] = reference_is_a ? found.sign : -found.sign;
    const Vec3 unit(normal[0], normal[1], normal[2]);
    choose_points(candidates, reference_is_a ? unit : work.pose.rotation * unit, 0.1f * preference,
                  work.manifold);
    return true;
}

/// The point where two edges cross. False if they pass each other beyond their ends.
bool meet_edges(const BoxPair& p, int axis, float preference, const PairWork& work) {
    const int i = (axis - 6) / 3, j = (axis - 6) % 3;
    const int u = next_axis(i), v = next_axis(u);
    const float sine_squared =
        p.rotation[u][j] * p.rotation[u][j] + p.rotation[v][j] * p.rotation[v][j];
    const float scale = 1 / std::sqrt(sine_squared);
    // The cross product of axis i of A with axis j of B.
    float normal[3];
    normal[i] = 0;
    normal[u] = -p.rotation[v][j] * scale;
    normal[v] = p.rotation[u][j] * scale;
    if (normal[u] * p.offset[u] + normal[v] * p.offset[v] < 0) {
        normal[u] = -normal[u];
        normal[v] = -normal[v];
    }

    // From the middle of A's edge to the middle of B's.
    const float corner_u = normal[u] > 0 ? p.half_a[u] : -p.half_a[u];
    const float corner_v = normal[v] > 0 ? p.half_a[v] : -p.half_a[v];
    std::uint32_t edge_a = std::uint32_t(i) * 4 + (normal[u] > 0 ? 1 : 0) + (normal[v] > 0 ? 2 : 0);
    std::uint32_t edge_b = std::uint32_t(j) * 4;
    float on_b[3] = {p.offset[0], p.offset[1], p.offset[2]};
    for (int k = next_axis(j), bit = 1; k != j; k = next_axis(k), bit *= 2) {
        const float along = normal[0] * p.rotation[0][k] + normal[1] * p.rotation[1][k] +
                            normal[2] * p.rotation[2][k];
        const float half = along < 0 ? p.half_b[k] : -p.half_b[k];
        for (int c = 0; c < 3; ++c) on_b[c] += half * p.rotation[c][k];
        edge_b += along < 0 ? bit : 0;
    }
    float between[3] = {on_b[0], on_b[1], on_b[2]};
    between[u] -= corner_u;
    between[v] -= corner_v;

    // Where along either edge the other is nearest.
    const float cosine = p.rotation[i][j];
    const float da = between[i];
    const float db = between[0] * p.rotation[0][j] + between[1] * p.rotation[1][j] +
                     between[2] * p.rotation[2][j];
    const float s = (da - cosine * db) / sine_squared;
    const float t = (cosine * da - db) / sine_squared;
    if (std::abs(s) > p.half_a[i] + preference || std::abs(t) > p.half_b[j] + preference)
        return false;
    const float separation = normal[u] * between[u] + normal[v] * between[v];
    float midway[3];
    for (int c = 0; c < 3; ++c) midway[c] = on_b[c] + t * p.rotation[c][j];
    midway[i] += s;
    midway[u] += corner_u;
    midway[v] += corner_v;
    work.found_point({normal[0], normal[1], normal[2]},
                     Vec3(midway[0], midway[1], midway[2]) * 0.5f, separation,
                     spot_feature(edge_a, edge_b));
    return true;
}

float smallest(const Box& box) {
    return std::min({box.half_extents.x, box.half_extents.y, box.half_extents.z});
}
float largest(const Box& box) {
    return std::max({box.half_extents.x, box.half_extents.y, box.half_extents.z});
}

} // namespace

void collide_boxes(const Shape& shape_a, const Shape& shape_b, const PairWork& work) {
    const auto& a = *std::get_if<Box>(&shape_a);
    const auto& b = *std::get_if<Box>(&shape_b);
    if (work.cache.state == PairCache::State::apart &&
        box_gap(a, b, work.pose, work.cache.vector) >= work.margin)
        return;
    const BoxPair pair(a, b, work.pose);
    const float preference =
        face_preference(std::min(smallest(a), smallest(b)), std::max(largest(a), largest(b)));
    const int kept = work.cache.state == PairCache::State::touching ? int(work.cache.axis) - 1 : -1;
    const BoxSeparations separations = box_separations(pair);
    const BoxAxis face = best_face(separations, kept, 0.5f * preference);
    if (face.separation >= work.margin) return work.found_apart(axis_vector(pair, face.axis));
    const float advantage = kept >= 6 ? 0.5f * preference : preference;
    const BoxAxis edge = best_edge(separations, face.separation + advantage);
    const bool by_face = edge.axis < 0;
    if (!by_face && edge.separation >= work.margin)
        return work.found_apart(axis_vector(pair, edge.axis));
    const BoxAxis& choice = by_face ? face : edge;
    work.cache.axis = std::uint32_t(choice.axis + 1);
    const bool met = by_face ? meet_face(pair, choice, preference, work)
                             : meet_edges(pair, choice.axis, preference, work);
    if (!met) collide_solids(shape_a, shape_b, work);
}

} // namespace fovea
