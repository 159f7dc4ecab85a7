// Who is whose child in a tree of levels: nodes numbered level by level, the children of a node
// side by side.
//
//   level     0   1       2
//   node      0 | 1 2 3 | 4 5 6 7 8 9 ...
//   children      of 0     of 1  of 2 ...
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/result.h"

namespace fovea {

class LevelStructure {
  public:
    struct Range {
        std::uint32_t first, count;
    };

    /// Adds the next level: of each node its parent, counted within the level before, ascending.
    /// The first level is one node, whose entry is not looked at. Refuses anything else.
    Result<void> add_level(std::span<const std::uint32_t> parents);

    std::uint32_t size() const { return std::uint32_t(parent_.size()); }
    int levels() const { return int(level_first_.size()) - 1; }
    /// Most children that a node has.
    std::uint32_t branching() const;

    Range level(int i) const { return {level_first_[i], level_first_[i + 1] - level_first_[i]}; }
    /// Empty for leaves.
    Range children(std::uint32_t node) const {
        return {child_first_[node], child_first_[node + 1] - child_first_[node]};
    }
    /// The root is its own.
    std::uint32_t parent(std::uint32_t node) const { return parent_[node]; }
    bool is_leaf(std::uint32_t node) const { return children(node).count == 0; }

    std::size_t memory_bytes() const {
        return (child_first_.size() + parent_.size() + level_first_.size()) * sizeof(std::uint32_t);
    }
    bool operator==(const LevelStructure&) const = default;

  private:
    std::vector<std::uint32_t> child_first_ = {0}; ///< size() + 1 entries
    std::vector<std::uint32_t> parent_;
    std::vector<std::uint32_t> level_first_ = {0}; ///< levels() + 1 entries
};

} // namespace fovea
