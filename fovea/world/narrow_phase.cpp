#include "fovea/world/narrow_phase.h"

namespace fovea {

namespace {
constexpr std::size_t k_block = 256; ///< pairs per job
}

void NarrowPhase::run(std::span<const ProxyPair> pairs, const PlacedShapes& bodies,
                      const Jobs& jobs) {
    const std::size_t blocks = (pairs.size() + k_block - 1) / k_block;
    if (blocks_.size() < blocks) blocks_.resize(blocks);

    jobs.for_blocks(pairs.size(), k_block, [&](std::size_t begin, std::size_t end) {
        Block& block = blocks_[begin / k_block];
        block.contacts.clear();
        block.hits = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const auto [a, b] = pairs[i];
            block.parts.clear();
            find_contacts(bodies.shapes[bodies.shape_of[a]], bodies.placement[a],
                          bodies.shapes[bodies.shape_of[b]], bodies.placement[b], block.parts);
            for (const auto& [p, feature] : block.parts)
                block.contacts.push_back(
                    {a, b, feature, p.point_a, p.point_b, p.normal, p.separation});
            block.hits += !block.parts.empty();
        }
    });

    contacts_.clear();
    hits_ = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
        contacts_.insert(contacts_.end(), blocks_[i].contacts.begin(), blocks_[i].contacts.end());
        hits_ += blocks_[i].hits;
    }
}

} // namespace fovea
