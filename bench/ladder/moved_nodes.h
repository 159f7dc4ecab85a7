// The alternative to carrying nodes from frame to frame: a copy of each body's nodes in world
// space, where siblings are moved together when they are first needed in a step (O'Sullivan 4.1).
// For spheres, one thread and the staircase, to be measured beside LadderDescent.
#pragma once

#include <vector>

#include "fovea/collide/pair_descent.h"

namespace fovea {

struct MovedNodes {
    const Ladder& ladder;
    std::vector<LadderBlock> blocks;     ///< as far as they were moved
    std::vector<std::uint32_t> moved_in; ///< by block: the step in which it was moved last
    std::uint32_t step = 0;
    NodeFrame frame{}; ///< from the ladder's into the world

    explicit MovedNodes(const Ladder& of);
    /// A step begins: nothing is moved yet but the root.
    void place(const Transform& at);
    BoundingBall root() const;
};

/// Pairs on their way to the leaves, one after the other.
class MovedDescent {
  public:
    /// The number of pairs of leaves that touch.
    std::uint32_t finish(MovedNodes& a, MovedNodes& b, float slack);

  private:
    struct List {
        std::vector<std::uint32_t> a, b;
        std::uint32_t count = 0;
    };
    void open(MovedNodes& a, MovedNodes& b, bool opens_a, float slack);

    List from_, to_;
};

/// Opens one node of each pair and tests its children against the other one.
struct MovedPass {
    MovedNodes& opened;
    const MovedNodes& other;
    const std::uint32_t *from_opened, *from_other;
    std::uint32_t count;
    std::uint32_t *to_opened, *to_other; ///< with room for eight more than there are children
    float slack;
    std::uint32_t found = 0;
};

} // namespace fovea
