// Random placed solids, each with what the oracle has to know about it, for tests of rays and
// sweeps.
#pragma once

#include "configurations.h"
#include "fovea/base/random.h"
#include "fovea/geometry/convex_hull.h"

namespace oracle {

struct PlacedSolid {
    fovea::Shape shape;
    fovea::Transform at;
    Solid solid; ///< the oracle's view
    std::shared_ptr<const Polytope> polytope;

    /// The oracle's view at another pose.
    Solid moved(const fovea::Transform& to) const { return place(shape, to, polytope); }
};

inline fovea::Quat random_turn(Random& random) {
    return fovea::Quat(normalized(fovea::Quatd(random.gaussian(), random.gaussian(),
                                               random.gaussian(), random.gaussian() + 1e-3)));
}

/// Any kind but triangle. Some are turned by quarters, so that rays run along faces and axes.
inline PlacedSolid random_solid(Solid::Kind kind, Random& random) {
    using Kind = Solid::Kind;
    const auto measure = [&] { return float(std::exp2(random.uniform(-3, 1))); };
    PlacedSolid s;
    switch (kind) {
    case Kind::sphere:
        s.shape = fovea::Sphere{measure()};
        break;
    case Kind::half_space:
        s.shape = fovea::HalfSpace{Vec3(random.direction()), float(random.uniform(-1, 1))};
        break;
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
    default: {
        std::vector<Vec3> points;
        for (std::uint32_t i = 0, count = 4 + random.below(7); i < count; ++i)
            points.emplace_back(random.direction() * random.uniform(0.7, 1));
        auto hull = fovea::make_convex_hull(points);
        if (!hull) return random_solid(kind, random);
        s.shape = fovea::Hull{std::make_shared<const fovea::ConvexHull>(std::move(*hull))};
        std::vector<Vec3d> corners;
        for (const Vec3& v : std::get<fovea::Hull>(s.shape).data->vertices) corners.emplace_back(v);
        s.polytope = std::make_shared<const Polytope>(make_polytope(corners));
    }
    }
    s.at.position = Vec3(random.direction() * random.uniform(0, 2));
    if (random.below(4) > 0) s.at.orientation = random_turn(random);
    s.solid = s.moved(s.at);
    return s;
}

} // namespace oracle
