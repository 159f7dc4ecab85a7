// The pair tests behind collide_convex(). Each works in the frame of A, fills `manifold` with the
// points nearer than `margin`, or leaves it empty and notes an axis along which the shapes are
// farther apart than that, to be tried first in the next step.
#pragma once

#include "fovea/contact/manifold.h"
#include "fovea/contact/pair_pose.h"
#include "fovea/geometry/core_proximity.h"
#include "fovea/geometry/shape.h"

namespace fovea {

/// Arguments and results that all pair tests share.
struct PairWork {
    const PairPose& pose;
    float margin;
    PairCache& cache;
    Manifold& manifold;

    /// The shapes are farther apart than the margin along `axis`, from A to B.
    void found_apart(const Vec3& axis) const {
        manifold.count = 0;
        cache.state = PairCache::State::apart;
        cache.vector = axis;
    }

    /// They meet, or nearly so, in a single point midway between the surfaces.
    void found_point(const Vec3& normal, const Vec3& midway, float separation,
                     std::uint32_t feature) const {
        manifold.normal = normal;
        manifold.count = 1;
        manifold.points[0] = {midway, separation, feature};
    }
};

struct PolyhedronView;

void collide_spheres(const Sphere& a, const Sphere& b, const PairWork& work);
void collide_box_sphere(const Box& a, const Sphere& b, const PairWork& work);
void collide_cylinder_sphere(const Cylinder& a, const Sphere& b, const PairWork& work);
void collide_capsule_sphere(const Capsule& a, const Sphere& b, const PairWork& work);
void collide_cone_sphere(const Cone& a, const Sphere& b, const PairWork& work);
void collide_hull_sphere(const Shape& a, const Shape& b, const PairWork& work);
void collide_triangle_sphere(const std::array<Vec3, 3>& a, const Sphere& b, const PairWork& work);

void collide_capsules(const Shape& a, const Shape& b, const PairWork& work);

/// Cylinders, cones and capsules among themselves: parallel axes have closed forms.
void collide_round_solids(const Shape& a, const Shape& b, const PairWork& work);

/// Separating axes, then clipping.
void collide_boxes(const Shape& a, const Shape& b, const PairWork& work);

/// Likewise. False if no separating axis of theirs is the direction of least distance: edges or
/// corners face each other across a gap.
bool collide_polyhedra(const PolyhedronView& a, const PolyhedronView& b, const PairWork& work);

/// Any two convex solids: closest points or depth by GJK and EPA, then the features that face
/// each other there.
void collide_solids(const Shape& a, const Shape& b, const PairWork& work);
void collide_solid_triangle(const Shape& a, const std::array<Vec3, 3>& b, const PairWork& work);

void collide_half_space(const Shape& a, const HalfSpace& b, const PairWork& work);

} // namespace fovea
