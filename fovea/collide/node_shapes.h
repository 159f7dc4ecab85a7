// Nodes and elements of ladders as shapes, for tests that spheres around them do not settle.
#pragma once

#include "fovea/collide/ladder.h"

namespace fovea {

struct PlacedShape {
    Shape shape;
    Transform at;
};

/// A node of the given level as a volume, placed by `pose`. Nodes of levels of spheres, and the
/// root of every ladder, are their bounding spheres. Not for levels of solids.
inline NodeVolumed node_volume(const Ladder& ladder, int level, std::uint32_t slot,
                               const Transformd& pose) {
    if (ladder.kinds[std::size_t(level)] == LevelKind::volumes)
        return placed(ladder.volumes[slot], pose);
    const BoundingBall ball = ladder.ball(slot);
    return {VolumeType::point, pose * Vec3d(ball.centre), {}, {}, double(ball.radius)};
}

/// A convex shape that holds the node: the node itself, except that a rounded rectangle becomes the
/// box around it.
PlacedShape node_shape(const Ladder& ladder, int level, std::uint32_t slot, const Transformd& pose);

/// Height of the lowest point of a node above the plane through the origin.
double lowest(const NodeVolumed& volume, const Vec3d& normal);

} // namespace fovea
