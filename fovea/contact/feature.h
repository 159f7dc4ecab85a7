// The part of a shape's surface that faces a direction: a face, an edge or side line, or a point.
// Contact areas are what the features of two shapes have in common.
//
//     cylinder, towards y        towards x          capsule          cone, towards x
//        8..7..6                     1                 1                   1
//       1       5   and the          |                 |                    \           .
//        2..3..4    lowest           0                 0                     0
//
#pragma once

#include <array>
#include <cstdint>

#include "fovea/base/inplace_vector.h"
#include "fovea/contact/pair_pose.h"
#include "fovea/geometry/shape.h"

namespace fovea {

/// Faces with more corners are thinned out.
constexpr int k_max_corners = 32;

struct Feature {
    struct Corner {
        Vec3 point;
        std::uint32_t side; ///< number of the side that starts here, below k_sides_of_b
    };

    InplaceVector<Corner, k_max_corners> corners; ///< of faces counter-clockwise from outside
    Vec3 normal;                                  ///< of a face (three corners or more): unit, out
    std::uint32_t number = 0;                     ///< which of the shape's features this is

    bool is_face() const { return corners.size() >= 3; }
};

/// The feature of a convex solid towards the unit vector `direction`, in the solid's frame. Except
/// for capsules that lean, it holds a farthest point along `direction`, up to rounding.
void find_feature(const Shape& shape, const Vec3& direction, Feature& feature);

/// A triangle seen nearly from the side shows an edge, otherwise the face towards `direction`.
void find_feature(const std::array<Vec3, 3>& triangle, const Vec3& direction, Feature& feature);

/// Cosine between a triangle's normal and a direction below which the triangle shows an edge.
constexpr float k_triangle_facing = 0.1f;

/// Moves a feature of B into the frame of A.
void place(Feature& feature, const PairPose& pose);

} // namespace fovea
