#include "fovea/volume/sphere_tree.h"

#include <algorithm>
#include <string>

#include "fovea/geometry/number_text.h"

namespace fovea {

namespace {

Result<void> check_level(const SphereLevel& level, std::size_t index) {
    const std::string name = "level " + std::to_string(index);
    const std::size_t count = level.centres.size();
    if (level.radii.size() != count || (index > 0 && level.parents.size() != count)) {
        return failure(name + " has " + std::to_string(count) + " centres, but " +
                       std::to_string(level.radii.size()) + " radii and " +
                       std::to_string(level.parents.size()) + " parents");
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (is_finite(level.centres[i]) && level.radii[i] >= 0 && std::isfinite(level.radii[i])) {
            continue;
        }
        return failure(name + ", sphere " + std::to_string(i) + ": centre " +
                       vector_text(level.centres[i]) + ", radius " + number_text(level.radii[i]) +
                       " is no sphere");
    }
    return {};
}

} // namespace

Result<SphereTree> SphereTree::from_levels(std::span<const SphereLevel> levels) {
    if (levels.empty()) return failure("a sphere tree needs at least one level");
    SphereTree tree;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const SphereLevel& level = levels[i];
        if (auto checked = check_level(level, i); !checked) return tl::unexpected(checked.error());
        const std::vector<std::uint32_t> root(level.centres.size(), 0);
        if (auto added = tree.structure_.add_level(i > 0 ? level.parents : root); !added) {
            return tl::unexpected(added.error());
        }
        for (const Vec3& centre : level.centres) {
            tree.x_.push_back(centre.x);
            tree.y_.push_back(centre.y);
            tree.z_.push_back(centre.z);
        }
        tree.radius_.insert(tree.radius_.end(), level.radii.begin(), level.radii.end());
    }
    tree.content_.resize(tree.size());
    return tree;
}

std::size_t SphereTree::memory_bytes() const {
    return size() * (4 * sizeof(float) + sizeof(NodeContent)) + structure_.memory_bytes();
}

bool SphereTree::operator==(const SphereTree& other) const {
    return x_ == other.x_ && y_ == other.y_ && z_ == other.z_ && radius_ == other.radius_ &&
           structure_ == other.structure_ && content_ == other.content_;
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
