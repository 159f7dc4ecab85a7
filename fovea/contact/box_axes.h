// The fifteen separating axes of two boxes (Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996),
// three at a time: the lanes of a register are the axes of one box.
#pragma once

#include "fovea/contact/pair_pose.h"
#include "fovea/geometry/shape.h"

namespace fovea {

constexpr int next_axis(int i) {
    return i == 2 ? 0 : i + 1;
}

/// Two boxes as plain arrays, in the frame of A. Rows of the rotation and B's half extents stand
/// twice over, so that a load from the second or third place has the axes in cyclic order.
struct BoxPair {
    float half_a[4], half_b[8];
    float rotation[3][8]; ///< [i][j]: component i of axis j of B
    float offset[4];      ///< of B's centre

    BoxPair(const Box& a, const Box& b, const PairPose& pose);

    Vec3 axis_b(int j) const { return {rotation[0][j], rotation[1][j], rotation[2][j]}; }
};

/// Axes 0-2: faces of A; 3-5: faces of B; 6-14: edge i of A with edge j of B, 6 + 3 i + j.
struct BoxAxis {
    int axis;
    float separation;
};

/// Separations along all axes; minus infinity for edges that are nearly parallel.
struct BoxSeparations {
    float faces[8];    ///< 0-2: of A; 3-5: of B
    float edges[3][4]; ///< edge i of A with edge j of B
};

BoxSeparations box_separations(const BoxPair& pair);

/// The best of the faces' axes. `kept` is the axis of the last step, -1 if there is none; if it is
/// a face's it wins within `preference`.
BoxAxis best_face(const BoxSeparations& separations, int kept, float preference);

/// The best axis of two edges, if it is better than `bound`; otherwise axis -1.
BoxAxis best_edge(const BoxSeparations& separations, float bound);

/// The unit vector of an axis, from A to B.
Vec3 axis_vector(const BoxPair& pair, int axis);

/// Gap of the boxes along the unit vector `n`, from A to B.
inline float box_gap(const Box& a, const Box& b, const PairPose& pose, const Vec3& n) {
    return dot(n, pose.position) - dot(a.half_extents, abs(n)) -
           dot(b.half_extents, abs(transposed_times(pose.rotation, n)));
}

} // namespace fovea
