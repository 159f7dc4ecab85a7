#include "fovea/volume/level_structure.h"

#include <algorithm>
#include <string>

namespace fovea {

Result<void> LevelStructure::add_level(std::span<const std::uint32_t> parents) {
    const std::string name = "level " + std::to_string(levels());
    const std::uint32_t base = size();
    if (parents.empty()) return failure(name + " has no nodes");
    if (levels() == 0) {
        if (parents.size() != 1) {
            return failure(name + " has " + std::to_string(parents.size()) +
                           " nodes; the root is one");
        }
        parent_ = {0};
        child_first_.clear();
    } else {
        const Range above = level(levels() - 1);
        for (std::size_t i = 0; i < parents.size(); ++i) {
            if (parents[i] >= above.count || (i > 0 && parents[i] < parents[i - 1])) {
                parent_.resize(base);
                return failure(name + ", node " + std::to_string(i) + ": parent " +
                               std::to_string(parents[i]) + " is missing or out of order");
            }
            parent_.push_back(above.first + parents[i]);
        }
        child_first_.resize(above.first);
        std::size_t next = 0;
        for (std::uint32_t p = 0; p < above.count; ++p) {
            child_first_.push_back(base + std::uint32_t(next));
            while (next < parents.size() && parents[next] == p) ++next;
        }
    }
    child_first_.resize(size() + 1, size());
    level_first_.push_back(size());
    return {};
}

std::uint32_t LevelStructure::branching() const {
    std::uint32_t most = 0;
    for (std::uint32_t node = 0; node < size(); ++node) {
        most = std::max(most, children(node).count);
    }
    return most;
}

} // namespace fovea
