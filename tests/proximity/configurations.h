// Random placed pairs, with all the awkward kinds: barely touching, concentric, aligned, identical,
// contained, thin, and of very different sizes.
#pragma once

#include "oracle.h"

namespace oracle {

using fovea::Random;

/// A shape with what the oracle has to know about it, or a triangle.
struct TestShape {
    Solid::Kind kind;
    fovea::Shape shape;                       ///< unless a triangle
    std::array<Vec3, 3> triangle;             ///< in its own frame
    std::shared_ptr<const Polytope> polytope; ///< of a hull
    double size;
};

struct Configuration {
    TestShape a, b;
    fovea::Transform at_a, at_b;

    fovea::Proximity measure() const;
    /// With the roles of A and B exchanged; not for triangles.
    fovea::Proximity measure_exchanged() const;
    Solid solid_a() const { return place(a.shape, at_a, a.polytope); }
    Solid solid_b() const;
    /// The triangle B in world coordinates.
    std::array<Vec3, 3> world_triangle() const;
};

enum class Category {
    uniform,
    nearly_touching,
    concentric,
    aligned,
    aligned_nearly_touching,
    identical,
    contained,
    thin,
    unequal,
    count
};

const char* name_of(Solid::Kind kind);
const char* name_of(Category category);

Configuration random_configuration(Solid::Kind a, Solid::Kind b, Category category, Random& random);

} // namespace oracle
