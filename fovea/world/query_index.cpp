#include "fovea/world/query_index.h"

#include "fovea/geometry/shape_bounds.h"

namespace fovea {

void QueryIndex::add(std::uint32_t slot) {
    if (entries_.size() <= slot) {
        entries_.resize(slot + 1);
        boxes_.resize(slot + 1);
    }
    entries_[slot].placed = false;
    changed_ = true;
}

void QueryIndex::remove(std::uint32_t slot) {
    entries_[slot].placed = false;
    changed_ = true;
}

void QueryIndex::move(std::uint32_t slot, const Transform& to, const Bodies& bodies) {
    Entry& entry = entries_[slot];
    // Boxes of meshes are costly; what rests keeps its own.
    if (entry.placed && entry.placement == to) return;
    entry.placement = to;
    entry.placed = true;
    boxes_[slot] = bounds(bodies.shapes[bodies.shape_of[slot]], to);
}

void QueryIndex::update_tree(const Bodies& bodies) {
    if (changed_) {
        half_spaces_.clear();
        bounded_.clear();
        for (std::uint32_t slot = 0; slot < bodies.ids.slots(); ++slot) {
            if (!bodies.ids.slot_in_use(slot)) continue;
            const Shape& shape = bodies.shapes[bodies.shape_of[slot]].shape;
            const bool plane = type_of(shape) == ShapeType::half_space;
            (plane ? half_spaces_ : bounded_).push_back(slot);
        }
        tree_.build(bounded_, boxes_);
    } else {
        tree_.refit(boxes_);
        if (tree_.worn()) tree_.build(bounded_, boxes_);
    }
    moved_ = changed_ = false;
}

} // namespace fovea
