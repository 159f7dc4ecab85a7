// A dense pile of 5,000 balls, boxes, cylinders and hulls over a floor, and rays through it; shared
// by the benchmarks of queries and of their peers.
#pragma once

#include <memory>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/shape.h"

namespace fovea::bench {

struct PiledBody {
    std::size_t shape; ///< into shapes
    Transform at;
};

struct Pile {
    std::vector<Shape> shapes;
    std::vector<PiledBody> bodies;

    /// A jittered lattice, 20 x 13 x 20 places less than a metre apart.
    Pile() {
        Random random(1);
        shapes = {Sphere{0.4f}, Box{{0.4f, 0.3f, 0.35f}}, Cylinder{0.3f, 0.4f}};
        std::vector<Vec3> points;
        for (int i = 0; i < 20; ++i) points.emplace_back(random.direction() * 0.45);
        shapes.push_back(Hull{std::make_shared<const ConvexHull>(*make_convex_hull(points))});
        for (std::uint32_t i = 0; i < 5000; ++i) {
            const Vec3d place(i % 20, double(i / 400), double(i / 20 % 20));
            const Quatd turn(random.gaussian(), random.gaussian(), random.gaussian(), 0.01);
            bodies.push_back({i % shapes.size(),
                              {Vec3(place * 0.9 + random.direction() * 0.1 - Vec3d(9, 0, 9)),
                               Quat(normalized(turn))}});
        }
    }
};

struct BenchRay {
    Vec3 origin, direction;
    float length;
};

/// Half of them long, from outside through the pile; half short, from within it.
inline std::vector<BenchRay> make_rays(std::size_t count) {
    Random random(2);
    std::vector<BenchRay> rays;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d inside(random.uniform(-9, 9), random.uniform(0, 11), random.uniform(-9, 9));
        const Vec3d outside = random.direction() * 30.0;
        if (i % 2 == 0)
            rays.push_back({Vec3(outside), Vec3(inside - outside), 60});
        else
            rays.push_back({Vec3(inside), Vec3(random.direction()), 3});
    }
    return rays;
}

} // namespace fovea::bench
