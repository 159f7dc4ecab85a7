// Manifolds take nothing from the heap. Every allocation of this program is counted.
#include <cstdlib>
#include <new>

#include "fovea/contact/recycle.h"
#include "fovea/contact/surface_contacts.h"
#include "fovea/geometry/height_field.h"
#include "tests/contact/manifold_checks.h"

namespace {
long allocations = 0;

void* counted(std::size_t bytes) {
    ++allocations;
    if (void* p = std::malloc(bytes > 0 ? bytes : 1)) return p;
    throw std::bad_alloc();
}
} // namespace

void* operator new(std::size_t bytes) {
    return counted(bytes);
}
void* operator new[](std::size_t bytes) {
    return counted(bytes);
}
// The standard library's sorting asks for its buffers in this way.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(bytes > 0 ? bytes : 1);
}
void operator delete(void* p, const std::nothrow_t&) noexcept {
    std::free(p);
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete[](void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}
void operator delete[](void* p, std::size_t) noexcept {
    std::free(p);
}

using namespace fovea;
using namespace fovea::test;

TEST_CASE("manifolds do not touch the heap") {
    Random random(4);
    for (const ShapeType type_a : k_solids) {
        for (const ShapeType type_b : k_solids) {
            for (int trial = 0; trial < 100; ++trial) {
                const PlacedPair p = random_pair(random, type_a, type_b, k_margin);
                const long before = allocations;
                PairCache cache;
                WorldManifold world;
                for (int again = 0; again < 2; ++again) {
                    const Manifold m = collide_convex(p.a, p.at_a, p.b, p.at_b, k_margin, cache);
                    recycle(m, cache, p.at_a, p.at_b, RecycleLimits{}, world);
                }
                CHECK(allocations == before);
            }
        }
    }
    std::vector<SurfaceTriangle> triangles;
    gather_triangles({4, 4, 0.5f, std::vector<float>(16, 0.0f)}, {{0, -1, 0}, {2, 1, 2}},
                     triangles);
    for (const ShapeType type : k_solids) {
        const Shape solid = random_shape(random, type);
        const long before_surface = allocations;
        SurfaceManifolds found;
        collide_surface(solid, {{0.7f, 0.1f, 0.7f}}, triangles, {}, {k_margin, true}, found);
        CHECK(found.size() > 0);
        CHECK(allocations == before_surface);
    }
    const long before = allocations;
    const Shape other = prism(5, 1, 1);
    CHECK(allocations > before); // the counter works
}
