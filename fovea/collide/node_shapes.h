// Nodes and elements of ladders as shapes, for tests that spheres around them do not settle.
#pragma once

#include "fovea/collide/ladder.h"
#include "fovea/geometry/proximity.h"

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

/// Some point of a triangle, or one inside a solid, in the ladder's frame.
Vec3d point_of_element(const Ladder& ladder, std::uint32_t number);

/// Height of the lowest point of a node above the plane through the origin.
double lowest(const NodeVolumed& volume, const Vec3d& normal);

/// How a solid meets a triangle of a closed mesh: 1 face to face, 0 along its side, -1 from behind,
/// as the far side of the mesh or all of it around a solid inside. `near`: of the solid and the
/// triangle.
float facing(const Proximity& near, const std::array<Vec3, 3>& triangle);

/// From which on a triangle counts as face to face with a solid.
constexpr float k_face_to_face = 0.5f;

} // namespace fovea
