// Two placed bodies as a pair of ladders: what every stage that opens, climbs or models it needs.
//
//   LadderPair pair = ...;                    who, where, how near counts as touching
//   worker.climb(pair).open(work, arena, descent)
//   worker.model(pair, descent, two_sided)    -> worker.manifolds
#pragma once

#include <optional>

#include "fovea/collide/collision_shape.h"
#include "fovea/contact/coarse_contact_settings.h"
#include "fovea/contact/tree_contacts.h"

namespace fovea {

struct LadderPair {
    PlacedLadder a, b;
    float margin;       ///< m; nodes that are nearer count as touching
    float exact_margin; ///< likewise, of triangles and solids: no greater
    float leaf_radius;  ///< m; the largest leaf of the finer body
    float doubt;        ///< m that leaves may overlap by, as long as the exact rung is to come
    Vec3 approach;      ///< velocity of B relative to A
    float motion = 0;   ///< m that any two points may come closer until the next step
    float swing = 0;    ///< what turning and deforming have of it
    /// Centres of mass in the ladders' frames, if they are known.
    std::optional<Vec3> centre_a{}, centre_b{};
    CoarseContactSettings coarse{};
};

/// Whether a body of this shape collides by its ladder alone: a mesh that may move. All others have
/// an exact narrow phase of their own.
inline bool collides_by_ladder(const CollisionShape& shape) {
    return shape.ladder && shape.ladder->top == LadderTop::triangles &&
           !shape.ladder->fixed_surface;
}

/// Hits that are looked at where there is no time for all.
constexpr std::uint32_t k_brief_hits = 8;

/// The memory that one worker needs for one pair after the other.
struct LadderWorker {
    DescentScratch scratch;
    TreeContacts contacts;
    PairManifolds manifolds;
    Arena arena{16 * 1024}; ///< for lists of descents that nobody else reads

    /// For one rung, or several below the exact one.
    LadderDescent climb(const LadderPair& pair, const PairDescent& so_far = {}) {
        const bool exact = at_leaves(pair.a.ladder, pair.b.ladder, so_far);
        return {pair.a,
                pair.b,
                {.policy = pair.coarse.descent,
                 .margin = exact ? pair.exact_margin : pair.margin,
                 .hit_units = k_exact_hit_units},
                scratch};
    }
    /// Up to the top, however long it takes. The lists are valid until the next call.
    PairDescent finish(const LadderPair& pair);
    /// The manifolds of the last completed rung. `brief`: of at most k_brief_hits of its hits.
    void model(const LadderPair& pair, const PairDescent& descent, bool two_sided,
               bool brief = false);
};

} // namespace fovea
