// The formulas behind the procedural meshes. Flat-sided ones are extruded outlines; detail splits
// their triangles in place. Round ones are sampled more finely.
#include "fovea/geometry/procedural.h"

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "fovea/base/assert.h"
#include "fovea/geometry/mesh_building.h"

namespace fovea {

TriangleMesh make_icosphere(float radius, int subdivisions) {
    FOVEA_ASSERT(radius > 0 && subdivisions >= 0 && subdivisions <= 10);
    return make_geodesic_sphere(radius, 1 << subdivisions);
}

TriangleMesh make_spiky(float radius, float spike_height, int spikes, int subdivisions) {
    FOVEA_ASSERT(spike_height > 0);
    return with_spikes(make_icosphere(radius, subdivisions), radius, spike_height, spikes);
}

TriangleMesh make_torus_knot(float radius, float tube_radius, int p, int q, int segments,
                             int sides) {
    FOVEA_ASSERT(radius > 0 && tube_radius > 0 && p >= 1 && q >= 1 && std::gcd(p, q) == 1);
    FOVEA_ASSERT(segments >= 3 && sides >= 3);
    const double pi = std::numbers::pi, major = radius, minor = major / 2;
    TriangleMesh mesh;
    for (int i = 0; i < segments; ++i) {
        const double t = 2 * pi * i / segments;
        const Vec3d outward(std::cos(p * t), std::sin(p * t), 0);
        const Vec3d around(-outward.y, outward.x, 0), up(0, 0, 1);
        const double ring = major + minor * std::cos(q * t);
        const Vec3d centre = outward * ring + up * (minor * std::sin(q * t));
        // The knot lies on a torus, whose normal is perpendicular to the knot everywhere and comes
        // back to itself: a frame that closes without a twist to spread.
        const Vec3d normal = outward * std::cos(q * t) + up * std::sin(q * t);
        const Vec3d along_tube = up * std::cos(q * t) - outward * std::sin(q * t);
        const Vec3d tangent = normalized(around * (p * ring) + along_tube * (q * minor));
        const Vec3d binormal = cross(tangent, normal);
        for (int j = 0; j < sides; ++j) {
            const double s = 2 * pi * j / sides;
            mesh.vertices.push_back(Vec3(centre + (normal * std::cos(s) + binormal * std::sin(s)) *
                                                      double(tube_radius)));
        }
    }
    const auto at = [&](int i, int j) { return std::uint32_t((i % segments) * sides + j % sides); };
    for (int i = 0; i < segments; ++i) {
        for (int j = 0; j < sides; ++j) {
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
        }
    }
    return mesh;
}

TriangleMesh make_l_shape(float arm, float thickness, float depth) {
    FOVEA_ASSERT(thickness > 0 && arm > thickness && depth > 0);
    //   5--4
    //   |  |
    //   |  3-----2
    //   0--------1    centred on its bounding box
    const double a = arm / 2.0, t = thickness - a;
    const OutlinePoint outline[] = {{-a, -a}, {a, -a}, {a, t}, {t, t}, {t, a}, {-a, a}};
    const TriangleMesh::Triangle cap[] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    return extruded(outline, {}, cap, depth);
}

TriangleMesh make_gear(float radius, float tooth_height, float depth, int teeth) {
    FOVEA_ASSERT(tooth_height > 0 && radius > tooth_height && depth > 0 && teeth >= 3);
    // Tooth, as fractions of its pitch:     .1 ____ .4          tips at `radius`
    //                                 ___0/      \.5___1        roots at radius - tooth_height
    std::vector<OutlinePoint> outline;
    std::vector<TriangleMesh::Triangle> cap;
    const double root = double(radius) - tooth_height;
    const auto centre = std::uint32_t(4 * teeth);
    for (int tooth = 0; tooth < teeth; ++tooth) {
        const std::array<double, 4> fractions = {0, 0.1, 0.4, 0.5};
        for (int i = 0; i < 4; ++i) {
            const double angle = 2 * std::numbers::pi * (tooth + fractions[i]) / teeth;
            const double r = i == 1 || i == 2 ? radius : root;
            const auto number = std::uint32_t(outline.size());
            outline.push_back({r * std::cos(angle), r * std::sin(angle)});
            cap.push_back({centre, number, (number + 1) % centre});
        }
    }
    const OutlinePoint axle[] = {{0, 0}};
    return extruded(outline, axle, cap, depth);
}

TriangleMesh make_folded(float width, float height, float thickness, int folds) {
    FOVEA_ASSERT(width > 0 && height > 0 && thickness > 0 && folds >= 1);
    // A zigzag that goes `rise` up or down in each fold; the sheet lies half above and half below.
    // Its vertical thickness v = thickness sqrt(1 + (rise / run)^2) depends on the rise, which is
    // what the vertical thickness leaves of the height: rise = height - v, so with s = rise,
    // (height - s)^2 = thickness^2 (1 + s^2 / run^2), a quadratic in s.
    const double run = double(width) / folds, t = thickness, h = height;
    FOVEA_ASSERT(t < h && t < run);
    const double a = 1 - t * t / (run * run), b = -2 * h, c = h * h - t * t;
    const double rise = (-b - std::sqrt(b * b - 4 * a * c)) / (2 * a);
    const double half = (h - rise) / 2;

    const auto last = std::uint32_t(folds);
    std::vector<OutlinePoint> outline;
    for (std::uint32_t i = 0; i <= last; ++i) {
        outline.push_back({i * run - width / 2.0, (i % 2 ? rise : -rise) / 2 - half});
    }
    for (std::uint32_t i = 0; i <= last; ++i) {
        const OutlinePoint& below = outline[last - i];
        outline.push_back({below.x, below.y + 2 * half});
    }
    std::vector<TriangleMesh::Triangle> cap;
    for (std::uint32_t i = 0; i < last; ++i) {
        const std::uint32_t above = 2 * last + 1 - i;
        cap.push_back({i, i + 1, above - 1});
        cap.push_back({i, above - 1, above});
    }
    return extruded(outline, {}, cap, width);
}

namespace {

struct Recipe {
    std::string_view name;
    TriangleMesh (*make)(int detail);
};

// Each has some 300 triangles at detail 1, and detail^2 times as many at higher ones.
constexpr Recipe k_recipes[] = {
    {"icosphere", [](int detail) { return make_geodesic_sphere(0.5, 4 * detail); }},
    {"torusknot",
     [](int detail) { return make_torus_knot(0.28f, 0.07f, 2, 3, 36 * detail, 5 * detail); }},
    {"lshape", [](int detail) { return subdivided(make_l_shape(1, 0.3f, 0.3f), 4 * detail); }},
    {"gear", [](int detail) { return subdivided(make_gear(0.5f, 0.1f, 0.25f, 16), detail); }},
    {"spiky",
     [](int detail) { return with_spikes(make_geodesic_sphere(0.3, 4 * detail), 0.3, 0.2, 20); }},
    {"folded", [](int detail) { return subdivided(make_folded(1, 0.6f, 0.05f, 9), 2 * detail); }},
    {"torus", [](int detail) { return make_torus(0.36f, 0.14f, 20 * detail, 8 * detail); }},
    {"jack", [](int detail) { return subdivided(make_jack(0.5f, 0.18f, 0.12f), 2 * detail); }},
    {"crescent",
     [](int detail) { return subdivided(make_crescent(0.5f, 0.25f, 0.3f, 10), 2 * detail); }},
    {"bowl", [](int detail) { return make_bowl(0.5f, 0.1f, 15 * detail, 5 * detail); }},
};

/// Beyond it lie over a million triangles, more likely a mistyped number than a wish.
constexpr int k_largest_detail = 64;

} // namespace

int procedural_detail(int triangles) {
    return std::clamp(int(std::sqrt(std::max(triangles, 0) / 300.0) + 0.5), 1, k_largest_detail);
}

std::vector<std::string_view> procedural_names() {
    std::vector<std::string_view> names;
    for (const Recipe& recipe : k_recipes) names.push_back(recipe.name);
    return names;
}

Result<TriangleMesh> make_procedural(std::string_view name, int detail) {
    std::string known;
    for (const Recipe& recipe : k_recipes) {
        known += (known.empty() ? "" : ", ") + std::string(recipe.name);
        if (recipe.name != name) continue;
        if (detail < 1 || detail > k_largest_detail) {
            return failure("detail of procedural mesh '" + std::string(name) + "' is " +
                           std::to_string(detail) + "; it must be from 1 to " +
                           std::to_string(k_largest_detail));
        }
        return recipe.make(detail);
    }
    return failure("no procedural mesh is called '" + std::string(name) + "'; there are " + known);
}

} // namespace fovea
