// Two nodes of any type: do they touch, and what contact do they make. A table has an answer for
// every pair of types, so that trees may mix them freely (Dingliana 4.3).
//
// The intersection model of swept volumes is the distance of their cores against the sum of their
// radii. Cubes against swept volumes are exact too. Cubes against each other have the thesis' quick
// test, on the six axes of their faces, which at times reports cubes that are a little apart, and
// the exact one on all fifteen axes.
//
// The contact model of swept volumes is Table 4.1; a cube makes contact as the sphere around it.
#pragma once

#include "fovea/volume/node_volume.h"

namespace fovea {

struct VolumeContact {
    Vec3d point;
    Vec3d normal;     ///< unit, from A to B
    double depth = 0; ///< metres; negative if apart
};

struct VolumePairModel {
    /// True if the volumes have a point in common.
    bool (*touch)(const NodeVolumed& a, const NodeVolumed& b);
    /// The contact of volumes that touch. Of equal points the normal is +y.
    VolumeContact (*contact)(const NodeVolumed& a, const NodeVolumed& b);
};

enum class CubeTest {
    quick, ///< six axes; conservative
    exact, ///< fifteen axes
};

/// The models for a pair of types.
const VolumePairModel& pair_model(VolumeType a, VolumeType b, CubeTest cubes = CubeTest::quick);

} // namespace fovea
