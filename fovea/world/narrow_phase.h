// The exact tests of one step: pairs in, contacts out, in the order of the pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/jobs.h"
#include "fovea/collide/broad_phase.h"
#include "fovea/collide/collision_shape.h"
#include "fovea/contact/contact.h"

namespace fovea {

/// What the tests need to know of the bodies, indexed by body slot.
struct PlacedShapes {
    std::span<const CollisionShape> shapes;
    std::span<const std::uint32_t> shape_of; ///< into `shapes`
    std::span<const Transform> placement;
};

class NarrowPhase {
  public:
    /// Tests all pairs. They are cut into blocks of a fixed size, each with its own list of
    /// contacts; the lists are then strung together, so threads do not change the order.
    void run(std::span<const ProxyPair> pairs, const PlacedShapes& bodies, const Jobs& jobs);

    std::span<const Contact> contacts() const { return contacts_; }
    std::uint64_t hits() const { return hits_; } ///< pairs with at least one contact

  private:
    struct Block {
        std::vector<PartMeeting> parts; ///< of the pair at hand
        std::vector<Contact> contacts;
        std::uint64_t hits;
    };

    std::vector<Block> blocks_;
    std::vector<Contact> contacts_;
    std::uint64_t hits_ = 0;
};

} // namespace fovea
