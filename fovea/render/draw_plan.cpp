#include "fovea/render/draw_plan.h"

#include <algorithm>
#include <cmath>

#include "fovea/geometry/tessellate.h"

namespace fovea {

namespace {

/// A shape as a unit mesh and the stretch that gives its size back.
struct Unit {
    Shape shape;
    Vec3 scale{1, 1, 1};
    float pattern = 0;
    bool curved = true;
};

struct ToUnit {
    // Rotation of a sphere shows in its pattern alone; a box shows it anyway.
    Unit operator()(const Sphere& s) const {
        return {Sphere{1}, Vec3(s.radius, s.radius, s.radius), 1, true};
    }
    Unit operator()(const Box& b) const { return {Box{{1, 1, 1}}, b.half_extents, 0.35f, false}; }
    Unit operator()(const Cylinder& c) const {
        return {Cylinder{1, 1}, Vec3(c.radius, c.half_height, c.radius), 1, true};
    }
    Unit operator()(const Cone& c) const {
        return {Cone{1, 1}, Vec3(c.radius, c.half_height, c.radius), 1, true};
    }
    // The ends stay round under equal stretch only, so capsules share by proportion.
    Unit operator()(const Capsule& c) const {
        return {Capsule{1, c.half_height / c.radius}, Vec3(c.radius, c.radius, c.radius), 1, true};
    }
    Unit operator()(const Hull& h) const { return {h, {1, 1, 1}, 0, false}; }
    Unit operator()(const MeshSurface& m) const { return {m, {1, 1, 1}, 0, false}; }
    Unit operator()(const SolidMesh& m) const { return {m, {1, 1, 1}, 0, false}; }
    Unit operator()(const DeformingMesh& m) const { return {m, {1, 1, 1}, 0, false}; }
    Unit operator()(const HeightSurface& h) const { return {h, {1, 1, 1}, 0, false}; }
    Unit operator()(const CompoundShape& c) const { return {c, {1, 1, 1}, 0, true}; }
    Unit operator()(const HalfSpace& h) const { return {h, {1, 1, 1}, 0, false}; }
};

struct SameUnit {
    bool operator()(const Capsule& a, const Capsule& b) const {
        return a.half_height == b.half_height;
    }
    bool operator()(const Hull& a, const Hull& b) const { return a.data == b.data; }
    bool operator()(const MeshSurface& a, const MeshSurface& b) const { return a.data == b.data; }
    bool operator()(const SolidMesh& a, const SolidMesh& b) const { return a.data == b.data; }
    bool operator()(const DeformingMesh&, const DeformingMesh&) const {
        return false; // each goes its own way
    }
    bool operator()(const HeightSurface& a, const HeightSurface& b) const {
        return a.data == b.data;
    }
    bool operator()(const CompoundShape& a, const CompoundShape& b) const {
        return a.data == b.data;
    }
    template <class A, class B>
    bool operator()(const A&, const B&) const {
        return std::is_same_v<A, B>;
    }
};

/// Finds families again by what they draw. The newest are tried first: bodies of one kind tend to
/// follow each other in a scene.
std::uint32_t family_of(std::vector<MeshFamily>& families, const Unit& unit,
                        const std::shared_ptr<const TriangleMesh>& appearance) {
    for (std::size_t i = families.size(); i-- > 0;) {
        const MeshFamily& family = families[i];
        if (family.appearance != appearance) continue;
        if (appearance || std::visit(SameUnit{}, family.shape, unit.shape)) return std::uint32_t(i);
    }
    families.push_back({unit.shape, appearance, unit.curved && !appearance});
    return std::uint32_t(families.size() - 1);
}

} // namespace

ShadedMesh MeshFamily::mesh(int level) const {
    if (appearance) return shade_mesh(*appearance);
    const int segments = curved ? k_level_segments[std::size_t(level)] : k_level_segments.back();
    const TriangleMesh triangles = tessellate(shape, segments, 1);
    if (!curved) return shade_mesh(triangles);
    // Neighbouring facets of a coarse round part differ by a whole segment and must still look
    // round; the right angle between side and cap stays sharp. Spheres and capsules have no edge.
    const ShapeType type = type_of(shape);
    if (type == ShapeType::sphere || type == ShapeType::capsule)
        return shade_mesh(triangles, 3.15f);
    const float segment = 6.2832f / float(segments);
    return shade_mesh(triangles, std::clamp(1.5f * segment, k_crease_angle, 1.2f));
}

int level_for(float pixels) {
    // A chord of n segments leaves the circle by r (1 - cos(pi / n)): at most 0.3 pixels each.
    constexpr std::array<float, 5> k_largest = {2.2f, 4, 9, 24, 62};
    int level = 0;
    while (level < int(k_largest.size()) && pixels > k_largest[std::size_t(level)]) ++level;
    return level;
}

DrawPlan plan_drawing(const Scene& scene) {
    DrawPlan plan;
    plan.bodies.reserve(scene.bodies.size());
    for (const SceneBody& body : scene.bodies) {
        BodyLook look;
        look.colour = linear_colour(body.colour);
        const bool bounded = type_of(body.shape) != ShapeType::half_space;
        if (bounded || body.appearance) {
            const Unit unit = std::visit(ToUnit{}, body.shape);
            look.family = family_of(plan.families, unit, body.appearance);
            if (!body.appearance) {
                look.scale = unit.scale;
                look.pattern = unit.pattern;
            }
        }
        plan.bodies.push_back(look);
    }
    if (!scene.springs.empty())
        plan.spring_family = family_of(plan.families, {Cylinder{1, 1}}, nullptr);

    std::vector<float> radius;
    for (const MeshFamily& family : plan.families) radius.push_back(family.mesh(0).radius);
    for (BodyLook& look : plan.bodies)
        if (look.family != BodyLook::k_no_family)
            look.reach = radius[look.family] * std::max({look.scale.x, look.scale.y, look.scale.z});
    return plan;
}

Vec3 linear_colour(const Vec3& colour) {
    const auto linear = [](float c) {
        c = std::clamp(c, 0.0f, 1.0f);
        return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
    };
    return {linear(colour.x), linear(colour.y), linear(colour.z)};
}

} // namespace fovea
