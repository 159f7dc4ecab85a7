// A tree over the boxes of bodies, for queries: eight children to a node, tested at once.
//
//   node   [ box box box box box box box box ]      lanes: x low of all eight, y low of all, ...
//            |   |   |   |   |   |   |   '--- empty: a box that nothing meets
//            |   |   |   |   '---+---+--- items, or further nodes
//
// Built by halving the items at the median of the longest axis, three times per level: balanced, so
// its depth is bounded and a walk needs a small fixed stack. Afterwards it is refitted as the boxes
// move, until the total area of its nodes says that another build would pay.
//
// What a query finds depends on the boxes alone: not on the shape of the tree, nor on the
// instruction set. Only the order in which items are visited does depend on the tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/collide/swept_box.h"

namespace fovea {

class QueryTree {
  public:
    /// A tree over `items`, whose boxes are finite; `boxes` is indexed by item.
    void build(std::span<const std::uint32_t> items, std::span<const Aabb> boxes);
    /// Takes new boxes of the same items.
    void refit(std::span<const Aabb> boxes);
    /// Whether the nodes have grown so much since the build that another one pays.
    bool worn() const { return area_ > k_worn * area_when_built_; }

    std::uint32_t size() const { return std::uint32_t(items_.size()); }

    /// Calls `visit(item, limit)` for the items that the swept box may meet at a fraction not above
    /// `limit`, roughly in the order of meeting. `visit` returns the limit from then on; a negative
    /// one ends the walk.
    template <class Visit>
    void along(const SweptBox& box, float limit, Visit&& visit) const {
        walk_along(box, limit, visitor(visit));
    }

    /// The same for the items whose box is not farther than `limit` metres from `box`.
    template <class Visit>
    void near(const Aabb& box, float limit, Visit&& visit) const {
        walk_near(box, limit, visitor(visit));
    }

    static constexpr std::uint32_t k_width = 8;

    struct Node {
        alignas(32) float low[3][k_width];
        float high[3][k_width];
        std::uint32_t child[k_width]; ///< node, or item with the top bit set

        void set(std::uint32_t lane, const Aabb& box, std::uint32_t to);
        void clear(std::uint32_t lane);
        Aabb box(std::uint32_t lane) const;
        Aabb bounds() const;
    };

    static constexpr std::uint32_t k_item = 0x80000000u;  ///< mark of an item
    static constexpr std::uint32_t k_empty = 0xffffffffu; ///< in a lane that is not used
    /// Seven siblings wait per level; eight to the tenth power is more than all items.
    static constexpr std::uint32_t k_stack = 8 * 11;

    /// What the kernels call for an item.
    struct Visitor {
        float (*call)(void* context, std::uint32_t item, float limit);
        void* context;
    };

  private:
    static constexpr double k_worn = 1.6;

    template <class Visit>
    static Visitor visitor(Visit& visit) {
        return {[](void* context, std::uint32_t item, float limit) {
                    return (*static_cast<Visit*>(context))(item, limit);
                },
                const_cast<void*>(static_cast<const void*>(&visit))};
    }

    void walk_along(const SweptBox& box, float limit, const Visitor& visitor) const;
    void walk_near(const Aabb& box, float limit, const Visitor& visitor) const;
    std::uint32_t build_node(std::span<std::uint32_t> items, std::span<const Aabb> boxes);

    std::vector<Node> nodes_; ///< children come after their parents
    std::vector<std::uint32_t> items_;
    double area_ = 0, area_when_built_ = 0;
};

} // namespace fovea
