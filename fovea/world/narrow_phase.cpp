#include "fovea/world/narrow_phase.h"

#include <algorithm>
#include <limits>

namespace fovea {

namespace {

constexpr std::size_t k_block = 256; ///< pairs per job

float leaf_radius(const Ladder& ladder) {
    return ladder.is_half_space() ? std::numeric_limits<float>::infinity()
                                  : ladder.largest_radius.back();
}

/// Of the leaves' size, at most: wider margins make descents longer than they are worth.
constexpr float k_node_share = 1, k_exact_share = 0.1f;
/// For so many steps to come a gap that was found shall be good.
constexpr float k_steps_ahead = 2;

} // namespace

LadderPair ladder_pair(const PlacedShapes& bodies, std::uint32_t a, std::uint32_t b, float margin) {
    const Ladder& ladder_a = *bodies.shapes[bodies.shape_of[a]].ladder;
    const Ladder& ladder_b = *bodies.shapes[bodies.shape_of[b]].ladder;
    Vec3 approach;
    float motion = 0, swing_a = 0, swing_b = 0, deforming = 0;
    if (!bodies.velocity.empty()) {
        approach = bodies.velocity[b] - bodies.velocity[a];
        // Half-spaces and surfaces do not spin, and their reach is no lever.
        const auto swing = [&](const Ladder& ladder, std::uint32_t slot) {
            const Vec3& spin = bodies.spin[slot];
            return spin == Vec3() ? 0 : length(spin) * ladder.reach;
        };
        swing_a = swing(ladder_a, a), swing_b = swing(ladder_b, b);
        motion = (length(approach) + swing_a + swing_b) * bodies.h;
    }
    if (!bodies.surface_speed.empty())
        deforming = (bodies.surface_speed[a] + bodies.surface_speed[b]) * bodies.h;
    motion += deforming;
    const float leaves = std::min(leaf_radius(ladder_a), leaf_radius(ladder_b));
    const auto nodes = [&](std::uint32_t slot) {
        return bodies.nodes.empty() ? nullptr : &bodies.nodes[slot];
    };
    LadderPair pair{{ladder_a, bodies.placement[a], nodes(a)},
                    {ladder_b, bodies.placement[b], nodes(b)},
                    std::min(margin + k_steps_ahead * motion, k_node_share * leaves),
                    std::min(margin, k_exact_share * leaves),
                    leaves,
                    bodies.leaf_doubt * leaves,
                    approach,
                    motion,
                    (swing_a + swing_b) * bodies.h + deforming};
    pair.coarse = bodies.coarse;
    if (!bodies.centre.empty()) pair.centre_a = bodies.centre[a], pair.centre_b = bodies.centre[b];
    return pair;
}

void NarrowPhase::add_ladders(const LadderPair& pair, const PairDescent* rung, bool brief,
                              const ProxyPair& slots, Block& block) {
    if (!block.climber) block.climber = std::make_unique<LadderWorker>();
    LadderWorker& worker = *block.climber;
    worker.model(pair, rung ? *rung : worker.finish(pair), true, brief);
    const std::size_t before = block.contacts.size();
    for (const Manifold& manifold : worker.manifolds)
        for (int i = 0; i < manifold.count; ++i)
            if (manifold.points[i].separation <= 0)
                block.contacts.push_back(world_contact(manifold, i, pair.a.at, slots.a, slots.b));
    block.hits += block.contacts.size() > before;
}

void NarrowPhase::run(std::span<const ProxyPair> pairs, const PlacedShapes& bodies,
                      std::span<const PairAnswer> answers, BriefModels& brief, const Jobs& jobs) {
    const std::size_t blocks = (pairs.size() + k_block - 1) / k_block;
    if (blocks_.size() < blocks) blocks_.resize(blocks);

    jobs.for_blocks(pairs.size(), k_block, [&](std::size_t begin, std::size_t end) {
        Block& block = blocks_[begin / k_block];
        block.contacts.clear();
        block.hits = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const auto [a, b] = pairs[i];
            const CollisionShape& shape_a = bodies.shapes[bodies.shape_of[a]];
            const CollisionShape& shape_b = bodies.shapes[bodies.shape_of[b]];
            const PairAnswer* answer = answers.empty() ? nullptr : &answers[i];
            const bool briefly = answer && brief.turn(i, *answer);
            if (answer && !answer->responds()) continue;
            const bool by_rung = answer && answer->kind == PairAnswer::Kind::rung;
            if (by_rung || collides_by_ladder(shape_a) || collides_by_ladder(shape_b)) {
                add_ladders(ladder_pair(bodies, a, b, 0), by_rung ? &answer->descent : nullptr,
                            briefly, pairs[i], block);
                continue;
            }
            block.parts.clear();
            find_contacts(shape_a, bodies.placement[a], shape_b, bodies.placement[b], block.parts);
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
