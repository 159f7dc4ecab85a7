// Normals for smooth shading: round where the shape is round, sharp at edges.
#include <doctest/doctest.h>

#include "fovea/geometry/height_field.h"
#include "fovea/geometry/tessellate.h"
#include "fovea/render/draw_plan.h"

using namespace fovea;

TEST_CASE("a sphere's normals point outwards at every level of detail") {
    const MeshFamily sphere{Sphere{1}, nullptr, true};
    for (int level = 0; level < int(k_level_segments.size()); ++level) {
        const ShadedMesh mesh = sphere.mesh(level);
        float worst = 1;
        for (const ShadedVertex& vertex : mesh.vertices)
            worst = std::min(worst, dot(vertex.normal, normalized(vertex.position)));
        // The average of facets leans by less than half a facet's turn.
        CHECK(worst > std::cos(3.1416f / float(k_level_segments[std::size_t(level)])));
        // One normal per place: no seams.
        const TriangleMesh plain = tessellate(Sphere{1}, k_level_segments[std::size_t(level)], 1);
        CHECK(mesh.vertices.size() <= plain.vertices.size());
        CHECK(mesh.indices.size() == plain.triangles.size() * 3);
    }
}

TEST_CASE("a box keeps its edges sharp, a cylinder its rims") {
    const ShadedMesh box = shade_mesh(tessellate(Box{{1, 2, 3}}, 8, 1));
    CHECK(box.vertices.size() == 24); // three normals at each of eight corners
    for (const ShadedVertex& vertex : box.vertices) {
        const Vec3 n = abs(vertex.normal);
        CHECK(std::max({n.x, n.y, n.z}) == doctest::Approx(1));
    }
    const ShadedMesh cylinder = MeshFamily{Cylinder{1, 1}, nullptr, true}.mesh(0);
    for (const ShadedVertex& vertex : cylinder.vertices) {
        const float along = std::abs(vertex.normal.y);
        CHECK((along < 1e-5f || along > 1 - 1e-5f)); // side or cap, nothing between
    }
}

TEST_CASE("shapes that differ in size alone share a mesh") {
    Scene scene;
    const auto add = [&](const Shape& shape) {
        SceneBody body;
        body.shape = shape;
        scene.bodies.push_back(body);
    };
    add(Sphere{1});
    add(Box{{1, 2, 3}});
    add(Sphere{2});
    add(Cylinder{1, 2});
    add(Capsule{1, 2});
    add(Capsule{2, 4});
    add(Capsule{2, 5});
    add(Cylinder{3, 1});
    add(HalfSpace{{0, 1, 0}, 0});
    const auto hill = std::make_shared<const HeightField>(HeightField{3, 2, 1, {0, 0, 0, 0, 1, 0}});
    add(HeightSurface{hill});
    add(HeightSurface{hill});
    add(HeightSurface{std::make_shared<const HeightField>(*hill)});
    const DrawPlan plan = plan_drawing(scene);
    // Sphere, box, cylinder, two proportions of capsules, two grounds.
    CHECK(plan.families.size() == 7);
    CHECK(plan.bodies[9].family == plan.bodies[10].family);
    CHECK(plan.bodies[9].family != plan.bodies[11].family);
    CHECK(plan.families[plan.bodies[9].family].mesh(0).indices.size() == 3 * hill->triangles());
    CHECK(plan.bodies[0].family == plan.bodies[2].family);
    CHECK(plan.bodies[3].family == plan.bodies[7].family);
    CHECK(plan.bodies[4].family == plan.bodies[5].family);
    CHECK(plan.bodies[4].family != plan.bodies[6].family);
    CHECK(plan.bodies[8].family == BodyLook::k_no_family);
    CHECK(plan.bodies[2].scale == Vec3(2, 2, 2));
    CHECK(plan.bodies[7].scale == Vec3(3, 1, 3));
}
