// Dispatch of the exact pair tests: the two commonest pairs first, then a table by types.
#include "fovea/geometry/proximity.h"

#include "fovea/base/assert.h"
#include "fovea/geometry/core_proximity.h"
#include "fovea/geometry/point_distance.h"
#include "fovea/geometry/round_pairs.h"

namespace fovea {

namespace {

/// A placed pair as most tests want it: everything in the frame of A, so that precision does not
/// depend on where in the world the pair is.
struct Frame {
    Mat3d rotation; ///< of A in the world
    Vec3d origin;
    Vec3d offset; ///< centre of B in the frame of A

    Frame(const Transform& at_a, const Transform& at_b)
        : rotation(rotation_of(Quatd(at_a.orientation)))
        , origin(at_a.position)
        , offset(transposed_times(rotation, Vec3d(at_b.position) - origin)) {}

    Proximity to_world(const LocalProximity& p) const {
        return {Vec3(rotation * p.point_a + origin), Vec3(rotation * p.point_b + origin),
                Vec3(rotation * p.normal), float(p.separation)};
    }
};

Mat3d relative_rotation(const Transform& at_a, const Transform& at_b) {
    return rotation_of(conjugate(Quatd(at_a.orientation)) * Quatd(at_b.orientation));
}

using PairTest = Proximity (*)(const Shape&, const Transform&, const Shape&, const Transform&);

/// The test with its arguments exchanged.
template <PairTest test>
Proximity exchanged(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
    return flipped(test(b, at_b, a, at_a));
}

Proximity sphere_sphere(const Sphere& a, const Vec3& at_a, const Sphere& b, const Vec3& at_b) {
    const Vec3d centre_a(at_a), centre_b(at_b);
    const Vec3d normal = normalized_or(centre_b - centre_a, Vec3d(0, 1, 0));
    const double distance = dot(centre_b - centre_a, normal);
    return {Vec3(centre_a + normal * double(a.radius)), Vec3(centre_b - normal * double(b.radius)),
            Vec3(normal), float(distance - a.radius - b.radius)};
}

/// The plane's normal and offset from `point`, in world axes.
struct PlacedPlane {
    Vec3d normal;
    double height; ///< of the point above the plane

    PlacedPlane(const HalfSpace& plane, const Transform& at, const Vec3d& point)
        : normal(rotation_of(Quatd(at.orientation)) * Vec3d(plane.normal))
        , height(dot(normal, point - Vec3d(at.position)) - plane.offset) {}
};

Proximity sphere_plane(const Sphere& a, const Vec3& at_a, const HalfSpace& b,
                       const Transform& at_b) {
    const Vec3d centre(at_a);
    const PlacedPlane plane(b, at_b, centre);
    return {Vec3(centre - plane.normal * double(a.radius)),
            Vec3(centre - plane.normal * plane.height), Vec3(-plane.normal),
            float(plane.height - a.radius)};
}

/// A bounded solid, given by its core, against a plane.
Proximity core_plane(const ConvexCore& core, const Transform& at_a, const HalfSpace& b,
                     const Transform& at_b) {
    const Mat3d rotation = rotation_of(Quatd(at_a.orientation));
    const PlacedPlane plane(b, at_b, Vec3d(at_a.position));
    const Vec3d down = -transposed_times(rotation, plane.normal);
    const Vec3d lowest = support(core, down);
    const double separation = plane.height - dot(lowest, down) - core.rounding;
    // The witness is the middle of what lies flat, lifted to the height of the lowest point.
    Vec3d middle = support_middle(core, down);
    middle += down * (dot(lowest - middle, down) + core.rounding);
    const Vec3d point = rotation * middle + Vec3d(at_a.position);
    return {Vec3(point), Vec3(point - plane.normal * separation), Vec3(-plane.normal),
            float(separation)};
}

Proximity solid_plane(const Shape& a, const Transform& at_a, const Shape& b,
                      const Transform& at_b) {
    return core_plane(make_core(a), at_a, std::get<HalfSpace>(b), at_b);
}

PointDistance point_to_solid(const Box& s, const Vec3d& point) {
    return point_to_box(Vec3d(s.half_extents), point);
}
PointDistance point_to_solid(const Cylinder& s, const Vec3d& point) {
    return point_to_cylinder(s.radius, s.half_height, point);
}
PointDistance point_to_solid(const Capsule& s, const Vec3d& point) {
    return point_to_capsule(s.radius, s.half_height, point);
}
PointDistance point_to_solid(const Cone& s, const Vec3d& point) {
    return point_to_cone(s.radius, s.half_height, point);
}

template <class Solid>
Proximity solid_sphere(const Shape& a, const Transform& at_a, const Shape& b,
                       const Transform& at_b) {
    const Frame frame(at_a, at_b);
    const PointDistance found = point_to_solid(std::get<Solid>(a), frame.offset);
    const double radius = std::get<Sphere>(b).radius;
    return frame.to_world({found.surface, frame.offset - found.normal * radius, found.normal,
                           found.distance - radius});
}

Proximity capsules(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
    const Frame frame(at_a, at_b);
    const auto& first = std::get<Capsule>(a);
    const auto& second = std::get<Capsule>(b);
    return frame.to_world(capsule_capsule({first.radius, first.half_height},
                                          {second.radius, second.half_height},
                                          relative_rotation(at_a, at_b).y, frame.offset));
}

Proximity general(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
    const Frame frame(at_a, at_b);
    const ConvexCore core_a = make_core(a), core_b = make_core(b);
    return frame.to_world(
        core_proximity({core_a, core_b, relative_rotation(at_a, at_b), frame.offset}));
}

Proximity round_solids(const Shape& a, const Transform& at_a, const Shape& b,
                       const Transform& at_b) {
    const Frame frame(at_a, at_b);
    const ConvexCore core_a = make_core(a), core_b = make_core(b);
    const CorePair pair{core_a, core_b, relative_rotation(at_a, at_b), frame.offset};
    const auto parallel = parallel_round_cores(pair);
    return frame.to_world(parallel ? rounded(pair, *parallel) : core_proximity(pair));
}

Proximity spheres(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
    return sphere_sphere(std::get<Sphere>(a), at_a.position, std::get<Sphere>(b), at_b.position);
}

Proximity sphere_on_plane(const Shape& a, const Transform& at_a, const Shape& b,
                          const Transform& at_b) {
    return sphere_plane(std::get<Sphere>(a), at_a.position, std::get<HalfSpace>(b), at_b);
}

using Table = std::array<std::array<PairTest, k_shape_types>, k_shape_types>;

constexpr Table make_table() {
    Table table{};
    const auto set = [&](ShapeType a, ShapeType b, PairTest test, PairTest back) {
        table[int(a)][int(b)] = test;
        if (a != b) table[int(b)][int(a)] = back;
    };
    using enum ShapeType;
    constexpr std::array solids{sphere, box, cylinder, capsule, cone, hull};
    for (ShapeType a : solids) {
        for (ShapeType b : solids) table[int(a)][int(b)] = general;
        set(a, half_space, solid_plane, exchanged<solid_plane>);
    }
    set(sphere, sphere, spheres, spheres);
    set(sphere, half_space, sphere_on_plane, exchanged<sphere_on_plane>);
    set(box, sphere, solid_sphere<Box>, exchanged<solid_sphere<Box>>);
    set(cylinder, sphere, solid_sphere<Cylinder>, exchanged<solid_sphere<Cylinder>>);
    set(capsule, sphere, solid_sphere<Capsule>, exchanged<solid_sphere<Capsule>>);
    set(cone, sphere, solid_sphere<Cone>, exchanged<solid_sphere<Cone>>);
    for (ShapeType a : {cylinder, capsule, cone})
        for (ShapeType b : {cylinder, capsule, cone}) table[int(a)][int(b)] = round_solids;
    table[int(capsule)][int(capsule)] = capsules;
    return table;
}

constexpr Table k_table = make_table();

} // namespace

Proximity proximity(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
    if (const auto* sphere = std::get_if<Sphere>(&a)) {
        if (const auto* other = std::get_if<Sphere>(&b))
            return sphere_sphere(*sphere, at_a.position, *other, at_b.position);
        if (const auto* plane = std::get_if<HalfSpace>(&b))
            return sphere_plane(*sphere, at_a.position, *plane, at_b);
    }
    const PairTest test = k_table[a.index()][b.index()];
    FOVEA_ASSERT(test != nullptr);
    return test(a, at_a, b, at_b);
}

Proximity proximity(const Shape& a, const Transform& at_a, const std::array<Vec3, 3>& triangle) {
    if (const auto* plane = std::get_if<HalfSpace>(&a)) {
        const Vec3d origin(triangle[0]);
        const ConvexCore core = make_core(std::array<Vec3d, 3>{Vec3d(), Vec3d(triangle[1]) - origin,
                                                               Vec3d(triangle[2]) - origin});
        return flipped(core_plane(core, Transform(triangle[0]), *plane, at_a));
    }
    const Frame frame(at_a, at_a);
    std::array<Vec3d, 3> corners;
    for (int i = 0; i < 3; ++i)
        corners[i] = transposed_times(frame.rotation, Vec3d(triangle[i]) - frame.origin);
    if (const auto* sphere = std::get_if<Sphere>(&a)) {
        const PointDistance found = point_to_triangle(corners, Vec3d());
        const double radius = sphere->radius;
        return frame.to_world(
            {found.normal * -radius, found.surface, -found.normal, found.distance - radius});
    }
    const ConvexCore core_a = make_core(a), core_b = make_core(corners);
    return frame.to_world(core_proximity({core_a, core_b, Mat3d::identity(), Vec3d()}));
}

} // namespace fovea
