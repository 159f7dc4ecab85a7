// The volumes that nodes of a volume tree may be: balls swept over a point, a segment or a
// rectangle (Dingliana 4.1.3), and cubes (4.1.2).
//
//      point       segment         rectangle          cube
//       ___       __________       __________        +-----+
//      / . \     /  ._u_.   \     / +------+ \       |  u--|
//      \___/     \__________/     | |   '-u| |       |  |  |
//                                  \+--v---+/        +--v--+
//
// All have a centre and up to two half axes u and v at right angles. The core of a swept volume is
// the set centre + s u + t v with s and t from -1 to 1; the volume is all that lies within `radius`
// of the core. A cube's u and v are half its width along two of its axes, and its radius is 0.
#pragma once

#include <cstdint>

#include "fovea/base/transform.h"

namespace fovea {

enum class VolumeType : std::uint8_t { point, segment, rectangle, cube };
constexpr int k_volume_types = 4;

template <class T>
struct NodeVolumeT {
    VolumeType type = VolumeType::point;
    Vec3T<T> centre;
    Vec3T<T> u, v; ///< zero where the type has no such axis
    T radius = 0;

    bool operator==(const NodeVolumeT&) const = default;
};

using NodeVolume = NodeVolumeT<float>;   ///< as trees store it
using NodeVolumed = NodeVolumeT<double>; ///< as it is tested

/// The volume in the world, of a body at `pose`.
inline NodeVolumed placed(const NodeVolume& volume, const Transformd& pose) {
    return {volume.type, pose * Vec3d(volume.centre), rotate(pose.orientation, Vec3d(volume.u)),
            rotate(pose.orientation, Vec3d(volume.v)), double(volume.radius)};
}

/// Cubic metres.
double cubic_size(const NodeVolumed& volume);

/// Distance from `p` to the core of a swept volume, or to a cube; 0 inside.
double core_distance(const NodeVolumed& volume, const Vec3d& p);

/// True if `p` lies in the volume or on its surface.
inline bool holds(const NodeVolumed& volume, const Vec3d& p) {
    return core_distance(volume, p) <= volume.radius;
}

} // namespace fovea
