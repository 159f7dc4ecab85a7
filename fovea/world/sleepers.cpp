#include "fovea/world/sleepers.h"

namespace fovea {

void Sleepers::clear() {
    heap_at_.clear();
    heaps_.clear();
}

void Sleepers::find(const Scene& scene) {
    const std::uint32_t slots = scene.bodies.size();
    const auto sleeps = [&](std::uint32_t slot) {
        return scene.bodies.movable(slot) && !scene.active[slot];
    };
    sets_.reset(slots);
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        if (sleeps(a) && sleeps(b)) sets_.join(a, b);
    };
    for (const ContactPatch& patch : scene.patches) join(patch.a, patch.b);
    for (const Spring& spring : scene.springs) join(spring.a, spring.b);
    for (const Joint& joint : scene.joints) join(joint.a, joint.b);

    heaps_.clear();
    heap_at_.assign(slots, k_none);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        if (!sleeps(slot)) continue;
        const std::uint32_t lowest = sets_.lowest(slot);
        if (lowest == slot) {
            heap_at_[slot] = std::uint32_t(heaps_.size());
            heaps_.push_back({});
        } else {
            heap_at_[slot] = heap_at_[lowest];
        }
        ++heaps_[heap_at_[slot]].load.bodies;
    }
    ProxyPair before{};
    for (const ContactPatch& patch : scene.patches) {
        const ProxyPair pair{patch.a, patch.b};
        const std::uint32_t heap = heap_of(pair);
        if (scene.active[pair.a] || scene.active[pair.b] || heap == k_none) continue;
        heaps_[heap].load +=
            {.patches = 1, .points = std::uint64_t(patch.count), .pairs = pair != before};
        before = pair;
    }
    const auto note_joined = [&](std::uint32_t a, std::uint32_t b) {
        const bool woken = scene.active[a] || scene.active[b];
        if (const std::uint32_t heap = heap_of({a, b}); woken && heap != k_none)
            heaps_[heap].wakes = true;
    };
    for (const Spring& spring : scene.springs) note_joined(spring.a, spring.b);
    for (const Joint& joint : scene.joints) note_joined(joint.a, joint.b);
}

} // namespace fovea
