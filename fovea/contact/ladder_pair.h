// Two placed bodies as a pair of ladders: what every stage that opens, climbs or models it needs.
//
//   LadderPair pair = ...;                    who, where, how near counts as touching
//   worker.climb(pair).open(work, arena, descent)
//   worker.model(pair, descent, reduce)       -> worker.manifolds
#pragma once

#include "fovea/collide/collision_shape.h"
#include "fovea/contact/tree_contacts.h"

namespace fovea {

struct LadderPair {
    PlacedLadder a, b;
    float margin;  ///< m; what is nearer counts as touching
    Vec3 approach; ///< velocity of B relative to A
};

inline LadderPair at_margin(LadderPair pair, float margin) {
    pair.margin = margin;
    return pair;
}

/// Whether a body of this shape collides by its ladder alone: a mesh that may move. All others have
/// an exact narrow phase of their own.
inline bool collides_by_ladder(const CollisionShape& shape) {
    return shape.ladder && shape.ladder->top == LadderTop::triangles &&
           !shape.ladder->fixed_surface;
}

/// The memory that one worker needs for one pair after the other.
struct LadderWorker {
    DescentScratch scratch;
    TreeContacts contacts;
    PairManifolds manifolds;
    Arena arena{16 * 1024}; ///< for lists of descents that nobody else reads

    LadderDescent climb(const LadderPair& pair) {
        return {pair.a, pair.b, {.margin = pair.margin}, scratch};
    }
    /// Up to the top, however long it takes. The lists are valid until the next call.
    PairDescent finish(const LadderPair& pair);
    /// The manifolds of the last completed rung.
    void model(const LadderPair& pair, const PairDescent& descent, bool two_sided,
               const ReductionSettings& reduce = {});
};

} // namespace fovea
