#include "fovea/volume/sphere_tree.h"

#include <algorithm>
#include <string>

#include "fovea/geometry/number_text.h"

namespace fovea {

namespace {

Result<void> check_level(const SphereLevel& level, std::size_t index, std::size_t parents) {
    const std::string name = "level " + std::to_string(index);
    const std::size_t count = level.centres.size();
    if (count == 0) return failure(name + " has no spheres");
    if (level.radii.size() != count || (index > 0 && level.parents.size() != count)) {
        return failure(name + " has " + std::to_string(count) + " centres, but " +
                       std::to_string(level.radii.size()) + " radii and " +
                       std::to_string(level.parents.size()) + " parents");
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (!is_finite(level.centres[i]) || !(level.radii[i] >= 0) ||
            !std::isfinite(level.radii[i])) {
            return failure(name + ", sphere " + std::to_string(i) + ": centre " +
                           vector_text(level.centres[i]) + ", radius " +
                           number_text(level.radii[i]) + " is no sphere");
        }
        if (index == 0) continue;
        const std::uint32_t before = i > 0 ? level.parents[i - 1] : 0;
        if (level.parents[i] >= parents || level.parents[i] < before) {
            return failure(name + ", sphere " + std::to_string(i) + ": parent " +
                           std::to_string(level.parents[i]) + " is missing or out of order");
        }
    }
    return {};
}

} // namespace

Result<SphereTree> SphereTree::from_levels(std::span<const SphereLevel> levels) {
    if (levels.empty()) return failure("a sphere tree needs at least one level");
    if (levels[0].centres.size() != 1) {
        return failure("level 0 has " + std::to_string(levels[0].centres.size()) +
                       " spheres; the root is one");
    }
    SphereTree tree;
    std::uint32_t parent_base = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const SphereLevel& level = levels[i];
        const std::size_t parents = i > 0 ? levels[i - 1].centres.size() : 0;
        if (auto checked = check_level(level, i, parents); !checked) {
            return tl::unexpected(checked.error());
        }
        const std::uint32_t base = tree.size();
        tree.level_first_.push_back(base);
        for (std::size_t k = 0; k < level.centres.size(); ++k) {
            const std::uint32_t parent = i > 0 ? parent_base + level.parents[k] : 0;
            tree.x_.push_back(level.centres[k].x);
            tree.y_.push_back(level.centres[k].y);
            tree.z_.push_back(level.centres[k].z);
            tree.radius_.push_back(level.radii[k]);
            tree.parent_.push_back(parent);
            // Nodes up to the parent whose children have not begun yet begin here.
            while (i > 0 && tree.child_first_.size() <= parent) {
                tree.child_first_.push_back(base + std::uint32_t(k));
            }
        }
        parent_base = base;
    }
    tree.level_first_.push_back(tree.size());
    tree.child_first_.resize(tree.size() + 1, tree.size());
    tree.content_.resize(tree.size());
    return tree;
}

std::uint32_t SphereTree::branching() const {
    std::uint32_t most = 0;
    for (std::uint32_t node = 0; node < size(); ++node) {
        most = std::max(most, children(node).count);
    }
    return most;
}

std::size_t SphereTree::memory_bytes() const {
    return size() * (4 * sizeof(float) + 2 * sizeof(std::uint32_t) + sizeof(NodeContent)) +
           level_first_.size() * sizeof(std::uint32_t);
}

bool SphereTree::operator==(const SphereTree& other) const {
    return x_ == other.x_ && y_ == other.y_ && z_ == other.z_ && radius_ == other.radius_ &&
           parent_ == other.parent_ && level_first_ == other.level_first_ &&
           content_ == other.content_;
}

std::vector<SphereLevel> to_levels(const SphereTree& tree) {
    std::vector<SphereLevel> levels(tree.levels());
    for (int l = 0; l < tree.levels(); ++l) {
        const SphereTree::Range range = tree.level(l);
        for (std::uint32_t node = range.first; node < range.first + range.count; ++node) {
            levels[l].centres.push_back(tree.centre(node));
            levels[l].radii.push_back(tree.radius(node));
            if (l > 0) levels[l].parents.push_back(tree.parent(node) - tree.level(l - 1).first);
        }
    }
    return levels;
}

} // namespace fovea
