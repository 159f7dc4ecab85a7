// The inner loop of a descent: for each pair of nodes, one of them is opened, and its children are
// tested against the other one, eight in one sweep.
//
//   carried   nodes lie as they are stored; the sphere of the other one is carried into the opened
//             ladder's frame: one transform for up to eight tests, and no copies
//   turned    nodes of both bodies lie along the axes of the world (turned_nodes.h)
//
// What lies below leaves is always carried: it is much, and little of it is met twice.
#pragma once

#include "fovea/collide/turned_nodes.h"
#include "fovea/geometry/aabb.h"

namespace fovea {

/// Takes points of the other ladder into the frame of the opened one.
struct NodeFrame {
    Mat3 rotation;
    Vec3 offset;
    float slack; ///< added to the sum of radii: contact margin and more than the rounding
};

/// The boundary of a half-space in the frame of the opened ladder.
struct NodePlane {
    Vec3 normal;
    float offset; ///< slack added
};

/// Pairs of slots, as two lists side by side.
struct SlotPairs {
    const std::uint32_t *opened, *other;
    std::uint32_t count;
};

/// How far a pass has come. A pass goes on where it left off.
struct PassProgress {
    std::uint32_t next = 0;  ///< pair to open next
    std::uint32_t found = 0; ///< pairs written
    std::uint64_t tests = 0; ///< of a node against a node
    std::uint64_t moved = 0; ///< nodes and elements turned or carried
};

/// Where survivors go: child and other, in the order of the pairs.
struct PassOutput {
    std::uint32_t *opened, *other;
    std::uint32_t capacity;
};

/// Opens pairs until all are done, at least `limit` tests were made by this call, or the output may
/// overflow. A pair with no room for k_pass_room more than its children ends the pass.
/// `way`: from the origin of the opened body to that of the other one, along the world's axes.
/// `slack`: as that of a NodeFrame.
void open_turned(TurnedNodes& opened, TurnedNodes& other, const Vec3& way, float slack,
                 const SlotPairs& pairs, std::uint64_t limit, const PassOutput& out,
                 PassProgress& progress);

/// The same with nodes and elements as they are stored.
void open_carried(const Ladder& opened, const Ladder& other, const NodeFrame& frame,
                  const SlotPairs& pairs, std::uint64_t limit, const PassOutput& out,
                  PassProgress& progress);

/// The same against a plane; the other slots are copied.
void open_against_plane(const Ladder& opened, const NodePlane& plane, const SlotPairs& pairs,
                        std::uint64_t limit, const PassOutput& out, PassProgress& progress);

/// Around the spheres of blocks `first` to `end`, turned by `rotation`.
Aabb box_of_nodes(const Ladder& ladder, std::uint32_t first, std::uint32_t end,
                  const Mat3& rotation);

constexpr std::uint32_t k_pass_room = 2 * LadderBlock::k_width;

} // namespace fovea
