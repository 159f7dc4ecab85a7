// Where all bodies are between steps, for queries: kept apart from the broad phase, whose boxes are
// those of the last detection, and brought up to date when a query is first made after a change.
//
// Movable bodies and the others have a tree each. Most fast bodies look at the others alone, and
// these hardly ever change.
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
    enum class Mobility : std::uint8_t { fixed, driven, movable };

    void add(std::uint32_t slot, Mobility mobility);
    void remove(std::uint32_t slot);
    /// The host gave the body another form or another place.
    void change(std::uint32_t slot);
    /// A step may have moved all that is not fixed.
    void set_moved() {
        movable_.moved = true;
        immovable_.moved |= immovable_.any_driven;
    }

    /// All but `shapes` by body slot.
    struct Bodies {
        const IdPool<struct BodyTag>& ids;
        std::span<const CollisionShape> shapes;
        std::span<const std::uint32_t> shape_of;
        std::span<const CollisionFilter> filters;
        std::span<const std::uint8_t> sensors; ///< flags
    };
    enum class Layers { immovable, all };
    /// `placement(slot)` tells where a body is now.
    template <class Placement>
    void refresh(const Bodies& bodies, Placement&& placement, Layers layers, const Jobs& jobs) {
        refresh(immovable_, bodies, placement, jobs);
        if (layers == Layers::all) refresh(movable_, bodies, placement, jobs);
    }

    /// Of so many bodies refresh() will ask where they are.
    std::size_t stale(Layers layers) const {
        const auto of = [](const Layer& layer) {
            return layer.changed || layer.moved ? layer.slots.size() : 0;
        };
        return of(immovable_) + (layers == Layers::all ? of(movable_) : 0);
    }

    /// Of bounded bodies that are not movable, and of movable ones.
    const QueryTree& immovable() const { return immovable_.tree; }
    const QueryTree& movable() const { return movable_.tree; }
    /// Slots of bodies that are half-spaces: no tree holds them.
    std::span<const std::uint32_t> half_spaces() const {
        return std::span(immovable_.slots).first(immovable_.half_spaces);
    }
    const Transform& placement(std::uint32_t slot) const { return entries_[slot].placement; }

  private:
    static constexpr std::size_t k_block = 256; ///< bodies per job

    struct Entry {
        Transform placement;
        Mobility mobility = Mobility::fixed;
        bool placed = false; ///< `placement` and the box are set
    };
    struct Layer {
        std::vector<std::uint32_t> slots; ///< half-spaces first
        std::size_t half_spaces = 0;
        QueryTree tree;
        bool any_driven = false;
        bool changed = false; ///< bodies came or went
        bool moved = false;
    };

    template <class Placement>
    void refresh(Layer& layer, const Bodies& bodies, Placement&& placement, const Jobs& jobs) {
        if (!layer.changed && !layer.moved) return;
        if (layer.changed) gather(layer, bodies);
        jobs.for_blocks(layer.slots.size(), k_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                move(layer.slots[i], placement(layer.slots[i]), bodies);
        });
        update_tree(layer);
    }
    Layer& layer_of(std::uint32_t slot) {
        return entries_[slot].mobility == Mobility::movable ? movable_ : immovable_;
    }
    void gather(Layer& layer, const Bodies& bodies);
    void move(std::uint32_t slot, const Transform& to, const Bodies& bodies);
    void update_tree(Layer& layer);

    std::vector<Entry> entries_; ///< by slot, as are the boxes
    std::vector<Aabb> boxes_;
    Layer immovable_, movable_;
};

} // namespace fovea
