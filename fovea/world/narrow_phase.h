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

namespace fovea {

/// What the tests need to know of the bodies, indexed by body slot.
struct PlacedShapes {
    std::span<const CollisionShape> shapes;
    std::span<const std::uint32_t> shape_of; ///< into `shapes`
    std::span<const Transform> placement;
    std::span<const Vec3> velocity{}, spin{}; ///< may be empty: then nothing moves
    float h = 0;                              ///< s until the next step
};

/// The pair as two ladders. The margin grows by what the bodies may move in the step, up to the
/// size of the smaller one: contacts are there before a fast body is through.
LadderPair ladder_pair(const PlacedShapes& bodies, std::uint32_t a, std::uint32_t b, float margin);

class NarrowPhase {
  public:
    /// Tests all pairs. They are cut into blocks of a fixed size, each with its own list of
    /// contacts; the lists are then strung together, so threads do not change the order.
    void run(std::span<const ProxyPair> pairs, const PlacedShapes& bodies, const Jobs& jobs);

    std::span<const Contact> contacts() const { return contacts_; }
    std::uint64_t hits() const { return hits_; } ///< pairs with at least one contact

  private:
    struct Block;
    static void add_ladders(const LadderPair& pair, std::uint32_t a, std::uint32_t b, Block& block);

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
