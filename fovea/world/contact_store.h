// All contacts of the world, kept from step to step.
//
// Pairs come sorted from the broad phase, and so were those of the step before: both lists are
// walked side by side, and each pair finds what it remembers.
//
//   before   (1,2) (1,5)       (3,4)              (1,5) is gone: forgotten
//   now      (1,2)       (2,5) (3,4)              (2,5) is new: remembers nothing
//
// Pairs are handled in blocks of a fixed size, side by side; each block has its own lists.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/jobs.h"
#include "fovea/collide/broad_phase.h"
#include "fovea/contact/shape_contacts.h"
#include "fovea/dynamics/material.h"
#include "fovea/world/narrow_phase.h"
#include "fovea/world/pair_answer.h"

namespace fovea {

class ContactStore {
    struct Step;

  public:
    /// Finds the contacts of all pairs at the present placements. Pairs of which neither body is
    /// `active` (a flag per slot) keep what they have. The others are answered as `answers` says,
    /// those of rungs briefly if `brief` says so, or exactly if it is empty.
    void update(std::span<const ProxyPair> pairs, const PlacedShapes& bodies,
                std::span<const std::uint8_t> active, std::span<const Material> materials,
                const ContactSettings& settings, std::span<const PairAnswer> answers,
                BriefModels& brief, const Jobs& jobs);

    /// What pairs, asked for in their order, remember of the last step.
    class Reader {
      public:
        /// Of no store at all: nothing.
        Reader(const ContactStore* store, const ProxyPair& first);
        PairMemory of(const ProxyPair& pair);

      private:
        friend class ContactStore;
        Reader(const Step& step, const std::vector<std::uint8_t>& forgotten,
               const ProxyPair& first);

        const Step* step_ = nullptr;
        const std::vector<std::uint8_t>* forgotten_ = nullptr;
        std::size_t next_ = 0;
    };

    /// The slot has another body now: its pairs remember nothing.
    void forget(std::uint32_t slot);

    /// What touches, pair by pair: for the solver, which writes its impulses into them.
    std::span<ContactPatch> patches() { return now().patches; }
    std::span<const ContactPatch> patches() const { return steps_[current_].patches; }

    std::uint64_t recycled() const { return recycled_; }
    std::uint64_t touching_pairs() const { return touching_pairs_; }

    /// For base/bytes.h: the last step's contacts.
    template <class Bytes>
    friend void fields(Bytes& bytes, ContactStore& store) {
        Step& step = store.now();
        bytes(step.pairs, step.first_part, step.patches, store.forgotten_);
        if constexpr (Bytes::k_reads) step.blocks.resize(blocks_of(step.pairs.size()));
        for (std::size_t i = 0; i < blocks_of(step.pairs.size()); ++i) {
            Block& block = step.blocks[i];
            std::uint32_t patches = std::uint32_t(block.finder.patches.size());
            bytes(block.finder.parts, block.first_patch, patches);
            if constexpr (Bytes::k_reads) {
                if (patches > step.patches.size()) return bytes.fail();
                block.finder.patches.resize(patches);
            }
        }
    }
    /// Whether all numbers refer to something, with `slots` body slots; for what was read from
    /// outside.
    bool consistent(std::size_t slots) const;

  private:
    static constexpr std::size_t k_block = 128; ///< pairs per job
    static std::size_t blocks_of(std::size_t pairs) { return (pairs + k_block - 1) / k_block; }

    struct Block {
        ContactFinder finder;
        std::unique_ptr<LadderWorker> climber; ///< made when the first ladder is met
        std::uint64_t touching_pairs = 0;
        std::uint32_t first_patch = 0; ///< of the block, in the list of all
    };
    struct Step {
        std::vector<ProxyPair> pairs;
        std::vector<std::uint32_t> first_part; ///< per pair, in its block
        std::vector<Block> blocks;
        std::vector<ContactPatch> patches; ///< of all blocks, as solved
    };
    Step& now() { return steps_[current_]; }
    static PairMemory memory(const Step& step, std::size_t pair);
    static void answer_by_rung(Block& block, const LadderPair& pair, const PairDescent& rung,
                               bool brief, const ContactSettings& settings,
                               const PairMemory& before);
    /// Contacts of a pair that collides by its ladders.
    static void find_by_ladders(Block& block, const LadderPair& pair,
                                const ContactSettings& settings, const PairMemory& before);

    Step steps_[2];
    std::vector<std::uint8_t> forgotten_; ///< per slot, until the next update
    int current_ = 0;
    std::uint64_t recycled_ = 0, touching_pairs_ = 0;
};

} // namespace fovea
