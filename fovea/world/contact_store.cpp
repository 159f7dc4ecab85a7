#include "fovea/world/contact_store.h"

#include <algorithm>

namespace fovea {

namespace {

void set_material(ContactPatch& patch, const Material& a, const Material& b,
                  const PlacedShapes& bodies) {
    const auto surface_velocity = [&](const Material& material, std::uint32_t slot) {
        if (material.surface_velocity == Vec3()) return Vec3();
        return rotate(bodies.placement[slot].orientation, material.surface_velocity);
    };
    patch.surface_velocity = surface_velocity(a, patch.a) - surface_velocity(b, patch.b);
    patch.friction = combined(a.friction_rule, a.friction, b.friction_rule, b.friction);
    patch.restitution =
        std::min(combined(a.elastic_rule, a.elastic, b.elastic_rule, b.elastic), 1.0f);
    patch.rolling = std::max(a.rolling, b.rolling);
}

} // namespace

PairMemory ContactStore::memory(const Step& step, std::size_t pair) {
    const Block& block = step.blocks[pair / k_block];
    const std::span<const PartContact> parts = block.finder.parts;
    const std::size_t first = step.first_part[pair];
    const bool last = pair + 1 == step.pairs.size() || (pair + 1) % k_block == 0;
    const std::size_t end = last ? parts.size() : step.first_part[pair + 1];
    const std::span<const ContactPatch> patches = step.patches;
    return {parts.subspan(first, end - first),
            patches.subspan(block.first_patch, block.finder.patches.size())};
}

void ContactStore::forget(std::uint32_t slot) {
    if (forgotten_.size() <= slot) forgotten_.resize(slot + 1);
    forgotten_[slot] = 1;
}

bool ContactStore::consistent(std::size_t slots) const {
    const Step& step = steps_[current_];
    const auto exists = [&](std::uint32_t a, std::uint32_t b) {
        return a < slots && b < slots && a != b;
    };
    if (step.first_part.size() != step.pairs.size() || forgotten_.size() > slots) return false;
    if (!std::ranges::is_sorted(step.pairs)) return false;
    for (const ProxyPair& pair : step.pairs)
        if (!exists(pair.a, pair.b)) return false;
    for (const ContactPatch& patch : step.patches)
        if (!exists(patch.a, patch.b)) return false;
    for (std::size_t pair = 0; pair < step.pairs.size(); ++pair) {
        const std::size_t parts = step.blocks[pair / k_block].finder.parts.size();
        const bool first = pair % k_block == 0;
        if (step.first_part[pair] > parts) return false;
        if (!first && step.first_part[pair] < step.first_part[pair - 1]) return false;
    }
    for (const Block& block : step.blocks) {
        const std::size_t patches = block.finder.patches.size();
        if (block.first_patch + patches > step.patches.size()) return false;
        for (const PartContact& part : block.finder.parts)
            if (part.patch != k_no_patch && part.patch >= patches) return false;
    }
    return true;
}

void ContactStore::find_by_ladders(Block& block, const LadderPair& pair,
                                   const ContactSettings& settings, const PairMemory& before) {
    if (block.finder.reuse(pair.a.at, pair.b.at, settings, before)) return;
    if (!block.climber) block.climber = std::make_unique<LadderWorker>();
    answer_by_rung(block, pair, block.climber->finish(pair), false, settings, before);
}

void ContactStore::answer_by_rung(Block& block, const LadderPair& pair, const PairDescent& rung,
                                  bool brief, const ContactSettings& settings,
                                  const PairMemory& before) {
    if (!block.climber) block.climber = std::make_unique<LadderWorker>();
    LadderWorker& worker = *block.climber;
    worker.model(pair, rung, settings.two_sided, brief);
    // What is not final is made anew in every step, as fine as there is time for.
    block.finder.take(worker.manifolds, pair.a.at, pair.b.at, rung.finished && !brief, before);
}

ContactStore::Reader::Reader(const Step& step, const std::vector<std::uint8_t>& forgotten,
                             const ProxyPair& first)
    : step_(&step)
    , forgotten_(&forgotten)
    , next_(std::size_t(std::ranges::lower_bound(step.pairs, first) - step.pairs.begin())) {}

ContactStore::Reader::Reader(const ContactStore* store, const ProxyPair& first) {
    if (store) *this = Reader(store->steps_[store->current_], store->forgotten_, first);
}

PairMemory ContactStore::Reader::of(const ProxyPair& pair) {
    if (!step_) return {};
    while (next_ < step_->pairs.size() && step_->pairs[next_] < pair) ++next_;
    if (next_ == step_->pairs.size() || step_->pairs[next_] != pair) return {};
    const auto forgotten = [&](std::uint32_t slot) {
        return slot < forgotten_->size() && (*forgotten_)[slot];
    };
    if (forgotten(pair.a) || forgotten(pair.b)) return {};
    return memory(*step_, next_);
}

void ContactStore::update(std::span<const ProxyPair> pairs, const PlacedShapes& bodies,
                          std::span<const std::uint8_t> active, std::span<const Material> materials,
                          const ContactSettings& settings, std::span<const PairAnswer> answers,
                          BriefModels& brief, const Jobs& jobs) {
    const Step& before = steps_[current_];
    current_ = 1 - current_;
    Step& step = now();
    const std::size_t blocks = blocks_of(pairs.size());
    while (step.blocks.size() < blocks) {
        // Room for all that pairs of convex solids can have: such blocks never grow.
        ContactFinder& finder = step.blocks.emplace_back().finder;
        finder.parts.reserve(k_block);
        finder.patches.reserve(k_block);
    }
    forgotten_.resize(bodies.placement.size());
    step.pairs.resize(pairs.size());
    std::ranges::copy(pairs, step.pairs.begin());
    step.first_part.resize(pairs.size());
    ContactSettings anew = settings; // manifolds of surfaces that deformed do not last
    anew.recycle = {0, 0};

    jobs.for_blocks(pairs.size(), k_block, [&](std::size_t begin, std::size_t end) {
        Block& block = step.blocks[begin / k_block];
        ContactFinder& finder = block.finder;
        finder.clear();
        block.touching_pairs = 0;
        Reader reader(before, forgotten_, pairs[begin]);
        for (std::size_t i = begin; i < end; ++i) {
            const auto [a, b] = pairs[i];
            const std::size_t first_patch = finder.patches.size();
            step.first_part[i] = std::uint32_t(finder.parts.size());
            const PairMemory remembered = reader.of(pairs[i]);
            const CollisionShape& shape_a = bodies.shapes[bodies.shape_of[a]];
            const CollisionShape& shape_b = bodies.shapes[bodies.shape_of[b]];
            const PairAnswer::Kind kind =
                answers.empty() ? PairAnswer::Kind::exact : answers[i].kind;
            const bool briefly = !answers.empty() && brief.turn(i, answers[i]);
            const ContactSettings& chosen =
                bodies.deforms(a) || bodies.deforms(b) ? anew : settings;
            if (!active[a] && !active[b])
                finder.carry(remembered);
            else if (kind == PairAnswer::Kind::rung)
                answer_by_rung(block, ladder_pair(bodies, a, b, settings.margin),
                               answers[i].descent, briefly, chosen, remembered);
            else if (kind != PairAnswer::Kind::exact)
                continue;
            else if (collides_by_ladder(shape_a) || collides_by_ladder(shape_b))
                find_by_ladders(block, ladder_pair(bodies, a, b, settings.margin), chosen,
                                remembered);
            else
                finder.find(shape_a, bodies.placement[a], shape_b, bodies.placement[b], chosen,
                            remembered);
            for (std::size_t k = first_patch; k < finder.patches.size(); ++k) {
                finder.patches[k].a = a, finder.patches[k].b = b;
                set_material(finder.patches[k], materials[a], materials[b], bodies);
            }
            block.touching_pairs += finder.patches.size() > first_patch;
        }
    });

    std::ranges::fill(forgotten_, std::uint8_t(0));
    recycled_ = touching_pairs_ = 0;
    std::uint32_t total = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
        Block& block = step.blocks[i];
        block.first_patch = total;
        total += std::uint32_t(block.finder.patches.size());
        recycled_ += block.finder.recycled;
        touching_pairs_ += block.touching_pairs;
    }
    step.patches.resize(total);
    jobs.for_blocks(blocks, 1, [&](std::size_t begin, std::size_t) {
        const Block& block = step.blocks[begin];
        std::ranges::copy(block.finder.patches, step.patches.begin() + block.first_patch);
    });
}

} // namespace fovea
