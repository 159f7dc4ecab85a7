// Puts ladders together, level by level.
#pragma once

#include <span>

#include "fovea/collide/ladder.h"

namespace fovea {

class LadderBuilder {
  public:
    /// A node or an element as it is handed over. `parent` counts in the level before.
    struct Item {
        std::uint32_t parent;
        BoundingBall ball;
    };

    /// Adds a level below the last one. Items come in the order of their parents. Returns their
    /// slots.
    std::vector<std::uint32_t> add_level(std::span<const Item> items, LevelKind kind);

    /// Adds the exact geometry: items as above, and what each of them is. Groups are made of eight
    /// items of a leaf that follow each other, so these should be neighbours.
    void add_elements(std::span<const Item> items, std::span<const std::uint32_t> numbers,
                      LadderTop top);

    /// A ladder without elements if none were added.
    Ladder finish();

    Ladder ladder;

  private:
    std::vector<std::uint32_t> add_blocks(std::span<const Item> items);

    std::vector<std::uint32_t> last_slots_; ///< of the level added last
};

/// The smallest ball around a triangle, rounded up.
BoundingBall ball_around(const std::array<Vec3, 3>& triangle);

/// A ball around a convex solid, about the middle of its box.
BoundingBall ball_around(const Shape& solid, const Transform& placement);

/// A ball around all balls, about the middle of their box.
BoundingBall ball_around(std::span<const BoundingBall> balls);

/// Triangles of `mesh` with their neighbours.
std::vector<SurfaceTriangle> surface_triangles(const TriangleMesh& mesh);

} // namespace fovea
