#include "fovea/world/query_index.h"

#include <algorithm>

#include "fovea/geometry/shape_bounds.h"

namespace fovea {

void QueryIndex::add(std::uint32_t slot, Mobility mobility) {
    if (entries_.size() <= slot) {
        entries_.resize(slot + 1);
        boxes_.resize(slot + 1);
    }
    entries_[slot].mobility = mobility;
    entries_[slot].placed = false;
    count(slot, 1);
}

void QueryIndex::remove(std::uint32_t slot) {
    entries_[slot].placed = false;
    count(slot, std::size_t(-1));
}

void QueryIndex::count(std::uint32_t slot, std::size_t more) {
    Layer& layer = layer_of(slot);
    layer.changed = layer.owed = true;
    layer.bodies += more;
    if (entries_[slot].mobility == Mobility::driven) layer.driven += more;
}

void QueryIndex::change(std::uint32_t slot) {
    entries_[slot].placed = false;
    layer_of(slot).moved = layer_of(slot).owed = true;
}

void QueryIndex::gather(Layer& layer, const Bodies& bodies) {
    layer.slots.clear();
    for (std::uint32_t slot = 0; slot < bodies.ids.slots(); ++slot) {
        if (!bodies.ids.slot_in_use(slot) || &layer_of(slot) != &layer) continue;
        layer.slots.push_back(slot);
    }
    const auto bounded =
        std::stable_partition(layer.slots.begin(), layer.slots.end(), [&](std::uint32_t slot) {
            return type_of(bodies.shapes[bodies.shape_of[slot]].shape) == ShapeType::half_space;
        });
    layer.half_spaces = std::size_t(bounded - layer.slots.begin());
}

void QueryIndex::move(std::uint32_t slot, const Transform& to, const Bodies& bodies) {
    Entry& entry = entries_[slot];
    // Boxes of meshes are costly; what rests keeps its own.
    if (entry.placed && entry.placement == to) return;
    entry.placement = to;
    entry.placed = true;
    boxes_[slot] = bounds(bodies.shapes[bodies.shape_of[slot]], to);
}

void QueryIndex::update_tree(Layer& layer) {
    if (!layer.changed) layer.tree.refit(boxes_);
    if (layer.changed || layer.tree.worn())
        layer.tree.build(std::span(layer.slots).subspan(layer.half_spaces), boxes_);
    layer.moved = layer.changed = false;
}

} // namespace fovea
