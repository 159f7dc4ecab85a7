// One of every shape, of unequal sizes, off the origin where the shape allows it.
#pragma once

#include <memory>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/geometry/convex_hull.h"
#include "fovea/geometry/procedural.h"
#include "fovea/geometry/shape.h"
#include "fovea/geometry/triangle_mesh.h"

namespace fovea {

inline Quat random_orientation(Random& random) {
    return Quat(normalized(
        Quatd(random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian())));
}

inline Vec3 random_point(Random& random, double low, double high) {
    return Vec3(
        Vec3d(random.uniform(low, high), random.uniform(low, high), random.uniform(low, high)));
}

inline Shape sample_hull(std::uint64_t seed) {
    Random random(seed);
    std::vector<Vec3> points;
    for (int i = 0; i < 40; ++i) {
        points.push_back(scale(random_point(random, -1, 1), Vec3(1, 0.5f, 2)) + Vec3(0.3f, 0, -1));
    }
    return Hull{std::make_shared<const ConvexHull>(make_convex_hull(points).value())};
}

inline Shape sample_mesh() {
    TriangleMesh mesh = make_procedural("lshape", 1).value();
    for (Vec3& vertex : mesh.vertices) vertex += Vec3(2, -1, 0.5f);
    return MeshSurface{std::make_shared<const TriangleMesh>(std::move(mesh))};
}

/// The solids that can stand alone or be part of a compound.
inline std::vector<Shape> sample_convex_solids() {
    return {Sphere{0.7f},        Box{{0.5f, 1.5f, 0.25f}}, Cylinder{0.6f, 1.1f},
            Capsule{0.4f, 0.9f}, Cone{0.8f, 0.6f},         sample_hull(11)};
}

inline Shape sample_compound() {
    Random random(12);
    Compound compound;
    for (const Shape& shape : sample_convex_solids()) {
        compound.parts.push_back(
            {shape, Transform(random_point(random, -2, 2), random_orientation(random))});
    }
    return CompoundShape{std::make_shared<const Compound>(std::move(compound))};
}

inline std::vector<Shape> sample_solids() {
    std::vector<Shape> shapes = sample_convex_solids();
    shapes.push_back(sample_mesh());
    shapes.push_back(sample_compound());
    return shapes;
}

} // namespace fovea
