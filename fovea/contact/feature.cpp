#include "fovea/contact/feature.h"

#include "fovea/base/assert.h"
#include "fovea/contact/polyhedron.h"

namespace fovea {

namespace {

/// Sine of the tilt up to which a cap counts as level, so that no corner of it is the lowest.
constexpr float k_level = 1e-4f;

/// Tangent of the tilt from which a capsule meets with an end and not with its side.
constexpr float k_capsule_end = 0.5f;

constexpr int k_rim_points = 8;
constexpr float k_half_root = 0.70710678f;
/// Around +y, counter-clockwise seen from above: {x, z}.
constexpr float k_rim[k_rim_points][2] = {
    {0, 1},  {k_half_root, k_half_root},   {1, 0},  {k_half_root, -k_half_root},
    {0, -1}, {-k_half_root, -k_half_root}, {-1, 0}, {-k_half_root, k_half_root}};

/// A disc as a polygon: eight points that stay where they are on the body, and between them the
/// lowest point of the rim, so that a tilted disc touches where it should.
void disc(float radius, float y, const Vec3& direction, Feature& feature) {
    const float up = y < 0 ? -1.0f : 1.0f;
    feature.normal = {0, up, 0};
    const float across = std::sqrt(direction.x * direction.x + direction.z * direction.z);
    int nearest = -1;
    float nearest_cosine = -2;
    if (across > k_level) {
        for (int i = 0; i < k_rim_points; ++i) {
            const float cosine = (direction.x * k_rim[i][0] + direction.z * k_rim[i][1]) / across;
            if (cosine > nearest_cosine) {
                nearest_cosine = cosine;
                nearest = i;
            }
        }
    }
    const float reach = nearest < 0 ? 0 : radius / across;
    const Vec3 lowest(direction.x * reach, y, direction.z * reach);
    for (int step = 0; step < k_rim_points; ++step) {
        const int i = up > 0 ? step : k_rim_points - 1 - step;
        const Vec3 corner(radius * k_rim[i][0], y, radius * k_rim[i][1]);
        const auto side = std::uint32_t(i);
        if (i != nearest) {
            feature.corners.push_back({corner, side});
            continue;
        }
        if (nearest_cosine > 1 - 1e-3f) { // so near that one corner is enough
            feature.corners.push_back({lowest, side});
            continue;
        }
        const bool lowest_first = dot(cross(corner, lowest), feature.normal) < 0;
        if (lowest_first) feature.corners.push_back({lowest, k_rim_points});
        feature.corners.push_back({corner, side});
        if (!lowest_first) feature.corners.push_back({lowest, k_rim_points});
    }
}

void segment(const Vec3& from, const Vec3& to, Feature& feature) {
    feature.corners.push_back({from, 0});
    feature.corners.push_back({to, 1});
}

void feature_of(const Sphere& s, const Vec3& d, Feature& feature) {
    feature.corners.push_back({d * s.radius, 0});
}

void feature_of(const Box& box, const Vec3& d, Feature& feature) {
    const Vec3 size = abs(d);
    const int axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
    const float sign = d[axis] < 0 ? -1.0f : 1.0f;
    const int u = axis == 2 ? 0 : axis + 1, v = u == 2 ? 0 : u + 1;
    feature.normal[axis] = sign;
    feature.number = std::uint32_t(2 * axis + (sign < 0 ? 1 : 0));
    Vec3 corner;
    corner[axis] = sign * box.half_extents[axis];
    constexpr float k_square[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (std::uint32_t step = 0; step < 4; ++step) {
        const std::uint32_t i = sign > 0 ? step : 3 - step;
        corner[u] = k_square[i][0] * box.half_extents[u];
        corner[v] = k_square[i][1] * box.half_extents[v];
        feature.corners.push_back({corner, i});
    }
}

/// The line along the side of a cylinder or capsule; `reach` turns `d` into a radius.
void side_line(float reach, float half_height, const Vec3& d, Feature& feature) {
    feature.number = 2;
    const Vec3 middle(d.x * reach, 0, d.z * reach), up(0, half_height, 0);
    segment(middle - up, middle + up, feature);
}

void feature_of(const Cylinder& c, const Vec3& d, Feature& feature) {
    const float across = std::sqrt(d.x * d.x + d.z * d.z);
    if (std::abs(d.y) > across) {
        feature.number = d.y < 0 ? 1 : 0;
        disc(c.radius, d.y < 0 ? -c.half_height : c.half_height, d, feature);
        return;
    }
    side_line(c.radius / across, c.half_height, d, feature);
}

void feature_of(const Capsule& c, const Vec3& d, Feature& feature) {
    const float across = std::sqrt(d.x * d.x + d.z * d.z);
    if (std::abs(d.y) > k_capsule_end * across) { // an end: no flat part, so no area
        feature.number = d.y < 0 ? 1 : 0;
        feature.corners.push_back(
            {d * c.radius + Vec3(0, d.y < 0 ? -c.half_height : c.half_height, 0), 0});
        return;
    }
    side_line(c.radius / across, c.half_height, d, feature);
}

void feature_of(const Cone& c, const Vec3& d, Feature& feature) {
    const float across = std::sqrt(d.x * d.x + d.z * d.z);
    const float slant = std::sqrt(c.radius * c.radius + 4 * c.half_height * c.half_height);
    const float along_slope = (across * 2 * c.half_height + d.y * c.radius) / slant;
    if (-d.y > along_slope) {
        disc(c.radius, -c.half_height, d, feature);
        return;
    }
    feature.number = 1;
    const Vec3 tip(0, c.half_height, 0);
    if (across < k_level) {
        feature.corners.push_back({tip, 1});
        return;
    }
    const float s = c.radius / across;
    segment({d.x * s, -c.half_height, d.z * s}, tip, feature);
}

void feature_of(const Hull& shape, const Vec3& d, Feature& feature) {
    const ConvexHull& hull = *shape.data;
    std::uint32_t highest = 0;
    float height = dot(hull.vertices[0], d);
    for (std::uint32_t i = 1; i < hull.vertices.size(); ++i) {
        const float h = dot(hull.vertices[i], d);
        if (h > height) {
            height = h;
            highest = i;
        }
    }
    // Of the faces around the farthest vertex, the one that faces `direction` most.
    const std::uint32_t* around = hull.lanes.vertex_faces.data();
    std::uint32_t best = around[hull.lanes.vertex_first[highest]];
    for (std::uint32_t i = hull.lanes.vertex_first[highest] + 1;
         i < hull.lanes.vertex_first[highest + 1]; ++i)
        if (dot(hull.faces[around[i]].normal, d) > dot(hull.faces[best].normal, d))
            best = around[i];
    face_of(view_of(hull), best, highest, feature);
}

} // namespace

void find_feature(const Shape& shape, const Vec3& direction, Feature& feature) {
    std::visit(
        [&](const auto& s) {
            using Kind = std::decay_t<decltype(s)>;
            constexpr bool is_solid =
                !std::is_same_v<Kind, HalfSpace> && !std::is_same_v<Kind, MeshSurface> &&
                !std::is_same_v<Kind, HeightSurface> && !std::is_same_v<Kind, CompoundShape> &&
                !std::is_same_v<Kind, SolidMesh> && !std::is_same_v<Kind, DeformingMesh>;
            FOVEA_ASSERT(is_solid);
            if constexpr (is_solid) feature_of(s, direction, feature);
        },
        shape);
}

void find_feature(const std::array<Vec3, 3>& t, const Vec3& direction, Feature& feature) {
    const Vec3 normal = normalized_or(cross(t[1] - t[0], t[2] - t[0]), direction);
    const float facing = dot(normal, direction);
    if (std::abs(facing) > k_triangle_facing) {
        const bool front = facing > 0;
        feature.normal = front ? normal : -normal;
        feature.number = front ? 0 : 1;
        for (std::uint32_t step = 0; step < 3; ++step) {
            const std::uint32_t i = front ? step : 2 - step;
            feature.corners.push_back({t[i], i});
        }
        return;
    }
    // The edge opposite the corner that lies farthest back.
    const float heights[3] = {dot(t[0], direction), dot(t[1], direction), dot(t[2], direction)};
    const int back = heights[0] <= heights[1] ? (heights[0] <= heights[2] ? 0 : 2)
                                              : (heights[1] <= heights[2] ? 1 : 2);
    feature.number = std::uint32_t(2 + back);
    segment(t[(back + 1) % 3], t[(back + 2) % 3], feature);
}

void place(Feature& feature, const PairPose& pose) {
    for (Feature::Corner& corner : feature.corners) corner.point = pose * corner.point;
    feature.normal = pose.rotation * feature.normal;
}

} // namespace fovea
