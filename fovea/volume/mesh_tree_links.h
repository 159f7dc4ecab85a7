// From vertices up to the boxes that hold them; private to MeshTree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/volume/mesh_tree.h"

namespace fovea {

struct MeshTree::LocalLinks {
    explicit LocalLinks(const MeshHierarchy& hierarchy);

    std::span<const std::uint32_t> leaves_of(std::uint32_t vertex) const {
        return {leaves.data() + begin[vertex], begin[vertex + 1] - begin[vertex]};
    }

    std::vector<std::uint32_t> begin, leaves; ///< the leaves that use each tree vertex
    std::vector<std::uint32_t> leaf_slot;     ///< per leaf
    std::vector<std::uint32_t> tree_vertex;   ///< per mesh vertex; k_unused if no triangle has it
    std::vector<std::uint8_t> marked;         ///< per slot; all zero between calls
    std::vector<std::uint32_t> slots;         ///< the marked ones
    static constexpr std::uint32_t k_unused = 0xffffffffu;
};

} // namespace fovea
