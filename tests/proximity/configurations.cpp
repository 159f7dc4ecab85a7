#include "configurations.h"

#include <Eigen/Geometry>

namespace oracle {

namespace {

using Kind = Solid::Kind;
using fovea::Quat;
using fovea::Quatd;
using fovea::Transform;

Quatd random_rotation(Random& random) {
    for (;;) {
        const Quatd q(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                      random.uniform(-1, 1));
        const double squared = norm_squared(q);
        if (squared > 0.01 && squared < 1) return q / std::sqrt(squared);
    }
}

/// Quarter turns about the axes: one of the 24 rotations of a cube.
Quatd random_cube_rotation(Random& random) {
    const double half = std::sqrt(0.5);
    const std::array<Quatd, 3> quarter{Quatd(half, half, 0, 0), Quatd(half, 0, half, 0),
                                       Quatd(half, 0, 0, half)};
    Quatd q;
    for (int i = 0; i < 6; ++i)
        if (random.below(2)) q = q * quarter[random.below(3)];
    return q;
}

/// A few hulls at unit scale; making one takes a while.
struct UnitHull {
    std::vector<Vec3> corners;
    Polytope polytope;
};

const std::vector<UnitHull>& unit_hulls() {
    static const std::vector<UnitHull> hulls = [] {
        std::vector<UnitHull> result;
        Random random(7);
        for (int h = 0; h < 24; ++h) {
            UnitHull hull;
            std::vector<Vec3d> exact;
            const std::uint32_t count = 4 + random.below(7);
            for (std::uint32_t i = 0; i < count; ++i) {
                const Vec3 corner(random.direction() * random.uniform(0.7, 1));
                hull.corners.push_back(corner);
                exact.emplace_back(corner);
            }
            hull.polytope = make_polytope(exact);
            result.push_back(hull);
        }
        return result;
    }();
    return hulls;
}

TestShape make_hull(double scale, Random& random) {
    const auto& hulls = unit_hulls();
    const UnitHull& unit = hulls[random.below(std::uint32_t(hulls.size()))];
    // A power of two scales floats exactly, planes and all.
    const float exact_scale = std::exp2(std::round(std::log2(float(scale))));
    auto data = std::make_shared<fovea::ConvexHull>();
    auto polytope = std::make_shared<Polytope>(unit.polytope);
    for (const Vec3& c : unit.corners) data->vertices.push_back(c * exact_scale);
    for (Vec3d& c : polytope->corners) c = c * double(exact_scale);
    for (Plane& p : polytope->planes) p.offset *= exact_scale;
    return {Kind::hull, fovea::Hull{data}, {}, polytope, exact_scale};
}

/// `spread` is the ratio of the longest to the shortest measure there may be.
TestShape random_shape(Kind kind, double scale, double spread, Random& random) {
    const auto measure = [&] {
        return float(scale * std::exp2(random.uniform(-std::log2(spread), 0)));
    };
    TestShape s{kind, {}, {}, nullptr, scale};
    switch (kind) {
    case Kind::sphere:
        s.shape = fovea::Sphere{measure()};
        break;
    case Kind::half_space: {
        // Unit to float precision, as the scene language gives them.
        s.shape = fovea::HalfSpace{Vec3(random.direction()), float(random.uniform(-1, 1) * scale)};
        s.size = 0;
        break;
    }
    case Kind::box:
        s.shape = fovea::Box{{measure(), measure(), measure()}};
        break;
    case Kind::cylinder:
        s.shape = fovea::Cylinder{measure(), measure()};
        break;
    case Kind::capsule:
        s.shape = fovea::Capsule{measure(), measure()};
        break;
    case Kind::cone:
        s.shape = fovea::Cone{measure(), measure()};
        break;
    case Kind::hull:
        return make_hull(scale, random);
    case Kind::triangle:
        for (;;) {
            for (Vec3& c : s.triangle) c = Vec3(random.direction() * double(measure()));
            const Vec3d u(s.triangle[1] - s.triangle[0]), v(s.triangle[2] - s.triangle[0]);
            if (length(cross(u, v)) > scale * scale / (spread * spread * 10)) break;
        }
        break;
    }
    return s;
}

} // namespace

const char* name_of(Kind kind) {
    constexpr std::array k_names{"sphere",  "half-space", "box",  "cylinder",
                                 "capsule", "cone",       "hull", "triangle"};
    return k_names[std::size_t(kind)];
}

const char* name_of(Category category) {
    constexpr std::array k_names{
        "uniform",   "nearly touching", "concentric", "aligned", "aligned, nearly touching",
        "identical", "contained",       "thin",       "unequal"};
    return k_names[std::size_t(category)];
}

std::array<Vec3, 3> Configuration::world_triangle() const {
    std::array<Vec3, 3> t;
    for (std::size_t i = 0; i < 3; ++i) t[i] = at_b * b.triangle[i];
    return t;
}

Solid Configuration::solid_b() const {
    return b.kind == Kind::triangle ? place_triangle(world_triangle())
                                    : place(b.shape, at_b, b.polytope);
}

fovea::Proximity Configuration::measure() const {
    return b.kind == Kind::triangle ? proximity(a.shape, at_a, world_triangle())
                                    : proximity(a.shape, at_a, b.shape, at_b);
}

fovea::Proximity Configuration::measure_exchanged() const {
    return proximity(b.shape, at_b, a.shape, at_a);
}

Configuration random_configuration(Kind a, Kind b, Category category, Random& random) {
    double scale_a = 1, scale_b = 1, spread = 4, reach = 1.2;
    if (category == Category::contained) {
        scale_b = 0.05, reach = 0.3;
    } else if (category == Category::thin) {
        spread = 200;
    } else if (category == Category::unequal) {
        // The corners of a triangle are given in the world, where floats would round a tiny one
        // far from the origin to nothing.
        const double ratio = b == Kind::triangle ? 10 : 1e3;
        scale_a = random.below(2) ? ratio : 1 / ratio, scale_b = 1 / scale_a;
    }
    Configuration c;
    c.a = random_shape(a, scale_a, spread, random);
    c.b = random_shape(b, scale_b, spread, random);
    if (category == Category::identical && a == b) c.b = c.a;

    const double size = c.a.size + c.b.size;
    const Quatd turn = random_rotation(random);
    Quatd turn_b = random_rotation(random);
    Vec3d offset = random.direction() * (random.uniform(0, reach) * size);
    const bool aligned =
        category == Category::aligned || category == Category::aligned_nearly_touching;
    if (aligned) {
        turn_b = turn * random_cube_rotation(random);
        if (random.below(2)) { // centres in a plane or on a line of the common axes
            Vec3d local = rotate_back(turn, offset);
            if (random.below(2)) local.x = 0;
            if (random.below(2)) local.y = 0;
            if (random.below(2)) local.z = 0;
            offset = rotate(turn, local);
        }
    } else if (category == Category::concentric || category == Category::identical) {
        offset = {};
        if (category == Category::identical) turn_b = turn;
    }
    const Vec3 centre(random.direction() * (random.uniform(0, 2) * size));
    c.at_a = {centre, Quat(turn)};
    c.at_b = {Vec3(Vec3d(centre) + offset), Quat(turn_b)};
    if (category == Category::concentric || category == Category::identical)
        c.at_b.position = centre;
    if (category == Category::nearly_touching || category == Category::aligned_nearly_touching) {
        // Along the normal just found the separation changes one to one.
        const fovea::Proximity found = c.measure();
        const double wanted = random.uniform(-1e-4, 1e-4) * size;
        c.at_b.position += Vec3(Vec3d(found.normal) * (wanted - double(found.separation)));
    }
    return c;
}

} // namespace oracle
