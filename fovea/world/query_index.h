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
        movable_.moved = movable_.owed = true;
        if (immovable_.driven > 0) immovable_.moved = immovable_.owed = true;
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

    /// So many bodies have to be brought up to date for the next step that looks for them, if
    /// nobody asks before: what it costs must not depend on who did.
    std::size_t owed(Layers layers) const {
        const auto of = [](const Layer& layer) { return layer.owed ? layer.bodies : 0; };
        return of(immovable_) + (layers == Layers::all ? of(movable_) : 0);
    }
    /// A step brought them up to date.
    void pay(Layers layers) {
        immovable_.owed = false;
        if (layers == Layers::all) movable_.owed = false;
    }
    /// What snapshots keep of that: of movable bodies a step always has to.
    bool immovable_owed() const { return immovable_.owed; }
    void set_immovable_owed(bool owed) { immovable_.owed = owed; }

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
        std::size_t bodies = 0, driven = 0;
        bool changed = false; ///< bodies came or went
        bool moved = false;
        bool owed = false; ///< see owed()
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
    void count(std::uint32_t slot, std::size_t more);
    void gather(Layer& layer, const Bodies& bodies);
    void move(std::uint32_t slot, const Transform& to, const Bodies& bodies);
    void update_tree(Layer& layer);

    std::vector<Entry> entries_; ///< by slot, as are the boxes
    std::vector<Aabb> boxes_;
    Layer immovable_, movable_;
};

} // namespace fovea
