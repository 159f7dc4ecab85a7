// Nearest points of two cores: points, segments, rectangles.
//
// Rectangles that do not cross are nearest at an edge of one of them, and a segment is nearest to a
// rectangle at an end of its own, at an edge, or where it goes through (Ericson, "Real-Time
// Collision Detection", 5.1). Where a whole stretch or area is nearest, as between parallel ones,
// the middle of it is returned: for segments the middle of the overlapping extent (Dingliana,
// Table 4.1), for rectangles the centroid of the overlap.
#pragma once

#include "fovea/volume/node_volume.h"

namespace fovea {

struct CoreGap {
    Vec3d on_a, on_b;
    double squared; ///< distance; 0 if the cores have a point in common
};

/// The gap between the cores of two swept volumes, none of them a cube.
CoreGap core_gap(const NodeVolumed& a, const NodeVolumed& b);

} // namespace fovea
