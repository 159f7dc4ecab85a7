// Handles with generations. A slot that is freed and used again gets a new generation, so a stale
// handle is recognised instead of meaning somebody else.
//
//   id = | generation | slot |        slots:  [gen 0] [gen 2] [gen 1] ...
//                                     free:   1 -> ...
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/assert.h"

namespace fovea {

template <class Tag>
struct Id {
    static constexpr std::uint32_t k_none = 0xffffffffu;

    std::uint32_t slot = k_none;
    std::uint32_t generation = 0;

    constexpr explicit operator bool() const { return slot != k_none; }
    constexpr bool operator==(const Id&) const = default;
};

using BodyId = Id<struct BodyTag>;
using ShapeId = Id<struct ShapeTag>;
using SpringId = Id<struct SpringTag>;
using JointId = Id<struct JointTag>;

/// Hands out slots, the most recently freed first, and knows which handles are alive.
template <class Tag>
class IdPool {
  public:
    Id<Tag> acquire() {
        ++alive_;
        if (free_.empty()) {
            generations_.push_back(0);
            return {std::uint32_t(generations_.size() - 1), 0};
        }
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        generations_[slot] &= ~k_free;
        return {slot, generations_[slot]};
    }

    void release(Id<Tag> id) {
        FOVEA_ASSERT(contains(id));
        --alive_;
        generations_[id.slot] = ((id.generation + 1) & ~k_free) | k_free;
        free_.push_back(id.slot);
    }

    bool contains(Id<Tag> id) const {
        return id.slot < generations_.size() && generations_[id.slot] == id.generation;
    }

    bool slot_in_use(std::uint32_t slot) const {
        return slot < generations_.size() && (generations_[slot] & k_free) == 0;
    }

    /// The handle at `slot`; of a slot that is not in use, the one it will have next.
    Id<Tag> at(std::uint32_t slot) const { return {slot, generations_[slot] & ~k_free}; }

    /// Number of slots ever handed out: the length of arrays indexed by slot.
    std::uint32_t slots() const { return std::uint32_t(generations_.size()); }
    std::uint32_t alive() const { return alive_; }

    /// For base/bytes.h.
    template <class Bytes>
    friend void fields(Bytes& bytes, IdPool& pool) {
        bytes(pool.generations_, pool.free_, pool.alive_);
    }
    /// Whether the lists agree with each other: after reading them from outside.
    bool consistent() const {
        if (alive_ + free_.size() != generations_.size()) return false;
        std::size_t marked = 0;
        for (const std::uint32_t generation : generations_) marked += (generation & k_free) != 0;
        std::vector<bool> seen(generations_.size());
        for (const std::uint32_t slot : free_) {
            if (slot >= generations_.size() || !(generations_[slot] & k_free) || seen[slot])
                return false;
            seen[slot] = true;
        }
        return marked == free_.size();
    }

  private:
    static constexpr std::uint32_t k_free = 0x80000000u; ///< mark of a slot that is not in use

    std::vector<std::uint32_t> generations_;
    std::vector<std::uint32_t> free_;
    std::uint32_t alive_ = 0;
};

} // namespace fovea
