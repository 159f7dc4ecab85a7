// The exact tests of one step: pairs in, contacts out, in the order of the pairs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/jobs.h"
#include "fovea/collide/broad_phase.h"
#include "fovea/collide/collision_shape.h"
#include "fovea/contact/contact.h"
#include "fovea/contact/ladder_pair.h"
#include "fovea/world/brief_models.h"
#include "fovea/world/pair_answer.h"
#include "fovea/world/response_plan.h"

namespace fovea {

/// What the tests need to know of the bodies, indexed by body slot.
struct PlacedShapes {
    std::span<const CollisionShape> shapes;
    std::span<const std::uint32_t> shape_of; ///< into `shapes`
    std::span<const Transform> placement;
    std::span<const Vec3> velocity{}, spin{}; ///< may be empty: then nothing moves
    float h = 0;                              ///< s until the next step
    /// How fast any point of a surface that deforms goes, m/s; may be empty: then none does.
    std::span<const float> surface_speed{};
    CoarseContactSettings coarse{};
    /// Centres of mass in the shapes' frames; may be empty: then the middles of the ladders' roots.
    std::span<const Vec3> centre{};
    /// Of their radius: leaves that an exact rung is to follow may overlap by that for nothing.
    float leaf_doubt = 0;
    /// Of those with ladders; may be empty: then nodes are carried.
    std::span<TurnedNodes> nodes{};

    bool deforms(std::uint32_t slot) const {
        return !surface_speed.empty() && surface_speed[slot] > 0;
    }
};

/// The pair as two ladders. The margin of nodes grows by what the bodies may move until after the
/// next step, so that contacts are there before the bodies are, and pairs known to be apart stay
/// so for a while. Neither margin is more than a part of the leaves' size: descents would become
/// longer than it is worth, and what goes far in a step has swept tests.
LadderPair ladder_pair(const PlacedShapes& bodies, std::uint32_t a, std::uint32_t b, float margin);

class NarrowPhase {
  public:
    /// Tests all pairs. They are cut into blocks of a fixed size, each with its own list of
    /// contacts; the lists are then strung together, so threads do not change the order.
    /// Pairs are answered as `answers` says, those of rungs briefly if `brief` says so, or exactly
    /// if it is empty.
    void run(std::span<const ProxyPair> pairs, const PlacedShapes& bodies,
             std::span<const PairAnswer> answers, BriefModels& brief, const Jobs& jobs);
    /// Leaves at most so many contacts per pair, the deepest.
    void thin(int per_pair) { contacts_.resize(thin_contacts(contacts_, per_pair)); }

    std::span<const Contact> contacts() const { return contacts_; }
    std::span<Contact> contacts() { return contacts_; }
    std::uint64_t hits() const { return hits_; } ///< pairs with at least one contact

  private:
    struct Block;
    /// By the completed rung of a descent, or climbed to the top if there is none.
    static void add_ladders(const LadderPair& pair, const PairDescent* rung, bool brief,
                            const ProxyPair& slots, Block& block);

    struct Block {
        std::vector<PartMeeting> parts;        ///< of the pair at hand
        std::unique_ptr<LadderWorker> climber; ///< made when the first ladder is met
        std::vector<Contact> contacts;
        std::uint64_t hits;
    };

    std::vector<Block> blocks_;
    std::vector<Contact> contacts_;
    std::uint64_t hits_ = 0;
};

} // namespace fovea
