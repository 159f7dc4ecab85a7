// Random pairs of shapes in the placements that matter to contacts: just apart, touching, shallow
// and deep, askew and with parallel faces.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/geometry/convex_core.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/proximity.h"

namespace fovea::test {

/// Points on an ellipsoid, so that all of them are vertices of their hull.
inline Hull random_hull(Random& random, int points) {
    std::vector<Vec3> cloud;
    const Vec3 half(float(random.uniform(0.3, 0.7)), float(random.uniform(0.3, 0.7)),
                    float(random.uniform(0.3, 0.7)));
    for (int i = 0; i < points; ++i) cloud.push_back(scale(half, Vec3(random.direction())));
    return {std::make_shared<const ConvexHull>(make_convex_hull(cloud).value())};
}

/// A prism with regular n-gons as caps: large parallel faces, vertical sides.
inline Hull prism(int sides, float radius, float half_height) {
    std::vector<Vec3> cloud;
    for (int i = 0; i < sides; ++i) {
        const double angle = 2 * 3.14159265358979 * i / sides;
        for (const float y : {-half_height, half_height})
            cloud.push_back({radius * float(std::cos(angle)), y, radius * float(std::sin(angle))});
    }
    return {std::make_shared<const ConvexHull>(make_convex_hull(cloud).value())};
}

inline Shape random_shape(Random& random, ShapeType type) {
    const auto length = [&] { return float(random.uniform(0.2, 0.8)); };
    switch (type) {
    case ShapeType::sphere:
        return Sphere{length()};
    case ShapeType::box:
        return Box{{length(), length(), length()}};
    case ShapeType::cylinder:
        return Cylinder{length(), length()};
    case ShapeType::capsule:
        return Capsule{length(), length()};
    case ShapeType::cone:
        return Cone{length(), length()};
    case ShapeType::hull:
        if (random.below(3) == 0) return prism(3 + int(random.below(6)), length(), length());
        return random_hull(random, 8 + int(random.below(24)));
    default:
        return HalfSpace{Vec3(random.direction()), float(random.uniform(-1, 1))};
    }
}

inline Quat random_rotation(Random& random) {
    return Quat(normalized(
        Quatd(random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian())));
}

/// A quarter turn or none about each axis in turn: keeps faces of boxes parallel.
inline Quat random_quarter_turns(Random& random) {
    Quatd q;
    for (const Vec3d axis : {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)})
        q = from_axis_angle(axis, 1.5707963267948966 * random.below(4)) * q;
    return Quat(normalized(q));
}

inline Quat random_tilt(Random& random, double angle) {
    return Quat(from_axis_angle(random.direction(), angle));
}

struct PlacedPair {
    Shape a, b;
    Transform at_a, at_b;
};

inline constexpr std::array k_solids{ShapeType::sphere,  ShapeType::box,  ShapeType::cylinder,
                                     ShapeType::capsule, ShapeType::cone, ShapeType::hull};

/// Moves B along the axis between the shapes until the separation is `separation`.
inline void part(PlacedPair& pair, float separation) {
    const Proximity found = proximity(pair.a, pair.at_a, pair.b, pair.at_b);
    pair.at_b.position += found.normal * (separation - found.separation);
}

/// A pair near contact. `margin` sets the scale of what is near.
inline PlacedPair random_pair(Random& random, ShapeType type_a, ShapeType type_b, float margin) {
    PlacedPair pair{random_shape(random, type_a), random_shape(random, type_b), {}, {}};
    pair.at_a = {Vec3(random.direction() * random.uniform(0, 10)), random_rotation(random)};
    switch (random.below(4)) {
    case 0: // parallel axes
        pair.at_b.orientation = pair.at_a.orientation * random_quarter_turns(random);
        break;
    case 1: // nearly so
        pair.at_b.orientation = pair.at_a.orientation * random_quarter_turns(random) *
                                random_tilt(random, random.uniform(0, 0.02));
        break;
    default:
        pair.at_b.orientation = random_rotation(random);
    }
    pair.at_b.position = pair.at_a.position + Vec3(random.direction() * random.uniform(0.2, 1.5));
    const bool deep = random.below(5) == 0;
    if (!deep) part(pair, float(random.uniform(-2, 2)) * margin);
    return pair;
}

/// The largest dot(direction, point) over a placed solid.
inline double reach(const Shape& shape, const Transform& at, const Vec3& direction) {
    const ConvexCore core = make_core(shape);
    const Vec3d d(direction);
    const Vec3d local = rotate_back(Quatd(at.orientation), d);
    return dot(support(core, local), local) + core.rounding + dot(d, Vec3d(at.position));
}

/// Signed distance of a point from a placed shape, by the test of a tiny sphere.
inline float distance_to(const Shape& shape, const Transform& at, const Vec3& point) {
    const float radius = 1e-4f;
    return proximity(shape, at, Sphere{radius}, {point}).separation + radius;
}

} // namespace fovea::test
