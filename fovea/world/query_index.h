// Where all bodies are between steps, for queries: kept apart from the broad phase, whose boxes are
// those of the last detection, and brought up to date when a query is first made after a change.
#pragma once

#include <span>
#include <vector>

#include "fovea/base/ids.h"
#include "fovea/base/jobs.h"
#include "fovea/collide/collision_shape.h"
#include "fovea/collide/query_tree.h"
#include "fovea/world/collision_filter.h"

namespace fovea {

class QueryIndex {
  public:
    void add(std::uint32_t slot);
    void remove(std::uint32_t slot);
    /// The body has another form now.
    void reshape(std::uint32_t slot) {
        entries_[slot].placed = false;
        moved_ = true;
    }
    /// Some bodies may have moved.
    void set_moved() { moved_ = true; }

    /// All but `shapes` by body slot.
    struct Bodies {
        const IdPool<struct BodyTag>& ids;
        std::span<const CollisionShape> shapes;
        std::span<const std::uint32_t> shape_of;
        std::span<const CollisionFilter> filters;
        std::span<const std::uint8_t> sensors; ///< flags
    };
    /// `placement(slot)` tells where a body is now.
    template <class Placement>
    void refresh(const Bodies& bodies, Placement&& placement, const Jobs& jobs) {
        if (!moved_ && !changed_) return;
        jobs.for_blocks(entries_.size(), k_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const auto slot = std::uint32_t(i);
                if (bodies.ids.slot_in_use(slot)) move(slot, placement(slot), bodies);
            }
        });
        update_tree(bodies);
    }

    const QueryTree& tree() const { return tree_; }
    /// Slots of bodies that are half-spaces: no tree holds them.
    std::span<const std::uint32_t> half_spaces() const { return half_spaces_; }
    const Transform& placement(std::uint32_t slot) const { return entries_[slot].placement; }

  private:
    static constexpr std::size_t k_block = 256; ///< bodies per job

    struct Entry {
        Transform placement;
        bool placed = false; ///< `placement` and the box are set
    };

    void move(std::uint32_t slot, const Transform& to, const Bodies& bodies);
    void update_tree(const Bodies& bodies);

    std::vector<Entry> entries_; ///< by slot, as are the boxes
    std::vector<Aabb> boxes_;
    std::vector<std::uint32_t> half_spaces_, bounded_;
    QueryTree tree_;
    bool moved_ = false;
    bool changed_ = false; ///< bodies came or went
};

} // namespace fovea
