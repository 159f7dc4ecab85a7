// Manifolds take nothing from the heap. Every allocation of this program is counted.

#include "fovea/contact/recycle.h"
#include "fovea/contact/surface_contacts.h"
#include "fovea/geometry/height_field.h"
#include "tests/contact/manifold_checks.h"
#include "tests/oracles/allocation_counter.h"

using namespace fovea;
using namespace fovea::test;

TEST_CASE("manifolds do not touch the heap") {
    Random random(4);
    for (const ShapeType type_a : k_solids) {
        for (const ShapeType type_b : k_solids) {
            for (int trial = 0; trial < 100; ++trial) {
                const PlacedPair p = random_pair(random, type_a, type_b, k_margin);
                const long before = allocations();
                PairCache cache;
                WorldManifold world;
                for (int again = 0; again < 2; ++again) {
                    const Manifold m = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache);
                    recycle(m, cache, p.at_a, p.at_b, RecycleLimits{}, world);
                }
                CHECK(allocations() == before);
            }
        }
    }
    std::vector<SurfaceTriangle> triangles;
    gather_triangles({4, 4, 0.5f, std::vector<float>(16, 0.0f)}, {{0, -1, 0}, {2, 1, 2}},
                     triangles);
    for (const ShapeType type : k_solids) {
        const Shape solid = random_shape(random, type);
        const long before_surface = allocations();
        SurfaceManifolds found;
        collide_surface(solid, {{0.7f, 0.1f, 0.7f}}, triangles, {}, {k_margin, true}, found);
        CHECK(found.size() > 0);
        CHECK(allocations() == before_surface);
    }
    const long before = allocations();
    const Shape other = prism(5, 1, 1);
    CHECK(allocations() > before); // the counter works
}
