// Dispatch of the manifold tests: spheres and boxes at once, the others by a table of types.
#include "fovea/contact/collide_convex.h"

#include "fovea/base/assert.h"
#include "fovea/contact/pair_contacts.h"
#include "fovea/contact/polyhedron.h"
#include "fovea/contact/recycle.h"

namespace fovea {

namespace {

using PairTest = void (*)(const Shape& a, const Shape& b, const PairWork& work);

/// A test of alternatives `A` and `B` as one of shapes.
template <class A, class B, void (*test)(const A&, const B&, const PairWork&)>
void of(const Shape& a, const Shape& b, const PairWork& work) {
    test(*std::get_if<A>(&a), *std::get_if<B>(&b), work);
}

/// Brings a manifold made in the frame of B into that of A.
void exchange(Manifold& manifold, const PairPose& pose) {
    manifold.normal = -(pose.rotation * manifold.normal);
    for (int i = 0; i < manifold.count; ++i)
        manifold.points[i].point = pose * manifold.points[i].point;
}

/// The test with its arguments exchanged. An axis in the cache stays in the frame of B.
template <PairTest test>
void exchanged(const Shape& a, const Shape& b, const PairWork& work) {
    const PairPose back = inverse(work.pose);
    test(b, a, {back, work.margin, work.cache, work.manifold});
    exchange(work.manifold, work.pose);
}

void solid_half_space(const Shape& a, const Shape& b, const PairWork& work) {
    collide_half_space(a, *std::get_if<HalfSpace>(&b), work);
}

bool is_small(const Shape& shape) {
    const auto* hull = std::get_if<Hull>(&shape);
    return !hull ||
           (hull->data->vertices.size() <= k_max_vertices &&
            hull->data->faces.size() <= k_max_planes && hull->data->edges.size() <= k_max_edges);
}

PolyhedronView view_of_shape(const Shape& shape, SmallPolyhedron& storage) {
    if (const auto* hull = std::get_if<Hull>(&shape)) return view_of(*hull->data);
    return view_of(*std::get_if<Box>(&shape), storage);
}

void polyhedra(const Shape& a, const Shape& b, const PairWork& work) {
    if (is_small(a) && is_small(b)) {
        SmallPolyhedron storage_a, storage_b;
        if (collide_polyhedra(view_of_shape(a, storage_a), view_of_shape(b, storage_b), work))
            return;
    }
    collide_solids(a, b, work);
}

using Table = std::array<std::array<PairTest, k_shape_types>, k_shape_types>;

constexpr Table make_table() {
    Table table{};
    using enum ShapeType;
    const auto set = [&](ShapeType a, ShapeType b, PairTest test, PairTest back) {
        table[int(a)][int(b)] = test;
        if (a != b) table[int(b)][int(a)] = back;
    };
    constexpr std::array solids{sphere, box, cylinder, capsule, cone, hull};
    for (ShapeType a : solids) {
        for (ShapeType b : solids) table[int(a)][int(b)] = collide_solids;
        set(a, half_space, solid_half_space, exchanged<solid_half_space>);
    }
    constexpr PairTest box_sphere = of<Box, Sphere, collide_box_sphere>;
    constexpr PairTest cylinder_sphere = of<Cylinder, Sphere, collide_cylinder_sphere>;
    constexpr PairTest capsule_sphere = of<Capsule, Sphere, collide_capsule_sphere>;
    constexpr PairTest cone_sphere = of<Cone, Sphere, collide_cone_sphere>;
    set(box, sphere, box_sphere, exchanged<box_sphere>);
    set(cylinder, sphere, cylinder_sphere, exchanged<cylinder_sphere>);
    set(capsule, sphere, capsule_sphere, exchanged<capsule_sphere>);
    set(cone, sphere, cone_sphere, exchanged<cone_sphere>);
    set(hull, sphere, collide_hull_sphere, exchanged<collide_hull_sphere>);
    set(capsule, capsule, collide_capsules, nullptr);
    for (ShapeType a : {cylinder, capsule, cone})
        for (ShapeType b : {cylinder, cone}) set(a, b, collide_round_solids, collide_round_solids);
    set(box, box, collide_boxes, nullptr);
    set(hull, hull, polyhedra, nullptr);
    set(box, hull, polyhedra, polyhedra);
    return table;
}

constexpr Table k_table = make_table();

/// False if a number is infinite or none at all: such bodies meet nothing.
bool is_placed(const Transform& t) {
    const Quat& q = t.orientation;
    return std::isfinite(t.position.x + t.position.y + t.position.z + q.w + q.x + q.y + q.z);
}

} // namespace

Manifold collide_convex(const Shape& a, const Transform& at_a, const Shape& b,
                        const Transform& at_b, float margin, PairCache& cache) {
    Manifold manifold;
    if (a.index() == b.index() && a.index() == std::size_t(ShapeType::sphere)) {
        // Only the centres count, so the turn of the pair is left out.
        const PairPose pose{{}, rotate_back(at_a.orientation, at_b.position - at_a.position)};
        collide_spheres(*std::get_if<Sphere>(&a), *std::get_if<Sphere>(&b),
                        {pose, margin, cache, manifold});
        return manifold;
    }
    const Transform placed = relative(at_a, at_b);
    if (!is_placed(placed)) {
        cache = {};
        return manifold;
    }
    const PairPose pose = pose_of(placed);
    const PairTest test = k_table[a.index()][b.index()];
    FOVEA_ASSERT(test != nullptr);
    test(a, b, {pose, margin, cache, manifold});
    if (manifold.count > 0) remember_placement(placed, cache);
    return manifold;
}

Manifold collide_convex(const Shape& a, const Transform& at_a, const std::array<Vec3, 3>& triangle,
                        float margin, PairCache& cache) {
    const PairPose pose{Mat3::identity(), {}};
    const std::array<Vec3, 3> local{to_local(at_a, triangle[0]), to_local(at_a, triangle[1]),
                                    to_local(at_a, triangle[2])};
    Manifold manifold;
    if (!is_finite(local[0] + local[1] + local[2])) {
        cache = {};
        return manifold;
    }
    const PairWork work{pose, margin, cache, manifold};
    if (const auto* sphere = std::get_if<Sphere>(&a)) {
        collide_triangle_sphere(local, *sphere, work);
        exchange(manifold, pose);
    } else if ((std::holds_alternative<Box>(a) || std::holds_alternative<Hull>(a)) && is_small(a)) {
        SmallPolyhedron storage_a, storage_b;
        if (!collide_polyhedra(view_of_shape(a, storage_a), view_of(local, storage_b), work))
            collide_solid_triangle(a, local, work);
    } else {
        FOVEA_ASSERT(is_convex_solid(type_of(a)));
        collide_solid_triangle(a, local, work);
    }
    if (manifold.count > 0) remember_placement(inverse(at_a), cache);
    return manifold;
}

} // namespace fovea
