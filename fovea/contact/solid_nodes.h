// Convex solids on coarse rungs.
//
//        . - - - - .          The sphere around a plate does not know which way the plate
//      '             '        faces: close to it the line of centres runs anywhere, even along
//     ' =====n======= '       the plate. What keeps bodies on their side is the solid itself,
//      '     |o)     '        and tested against a sphere it takes little more than its own
//        ' - - - - '          sphere does.
//
// The depth of spheres does not push, so the contact must not let the body turn through either: the
// point that is stopped is the middle of the node, and of a whole body its centre of mass, which
// then stays on its side however the body spins. Only a ball inside the body pushes: where that is
// in the solid, so is the body.
//
// So in a pair of a mesh and solids the solids count as what they are, from the first rung on. Of
// two solids one does, that which is farther from its sphere, and the other is its sphere.
#pragma once

#include <optional>

#include "fovea/collide/ladder.h"
#include "fovea/collide/pair_descent.h"
#include "fovea/contact/node_contact.h"
#include "fovea/geometry/proximity.h"

namespace fovea {

/// Which of two nodes counts as the solid itself. Neither, where planes or surfaces take part:
/// these know which way they face.
struct SolidSides {
    bool a = false, b = false;
};
SolidSides solid_sides(const Ladder& a, int level_a, const Ladder& b, int level_b);

/// The solid of the ladder that a ball, both in its frame, is nearest to.
struct NearSolid {
    const Ladder::Solid* solid;
    Proximity proximity; ///< from the solid to the ball
};
NearSolid nearest_solid(const Ladder& solids, const BoundingBall& ball);

/// Work units of that: only few parts of a compound are near enough to be tested.
inline std::uint64_t near_solid_units(const Ladder& solids) {
    const std::uint64_t parts = solids.solids.size();
    return 2 * (parts - 1) + k_solid_test_units * (parts < 4 ? parts : 4);
}

/// A node and where its ladder is.
struct PlacedNode {
    const Ladder& ladder;
    int level;
    std::uint32_t slot;
    Transformd pose;
    std::optional<Vec3> centre{}; ///< of mass, in the ladder's frame
    bool real = false;            ///< its depth counts: see tree_contacts.h
};

/// Contact of a solid with any other node, all in one frame. The normal leads away from the solid.
/// The depth is what a response may act on: 0 where spheres overlap, but bodies need not.
NodeContact solid_contact(const PlacedNode& solid, const PlacedNode& other);

/// Contact of two solids on their own level.
NodeContact contact_of_solids(const PlacedNode& a, const PlacedNode& b);

} // namespace fovea
