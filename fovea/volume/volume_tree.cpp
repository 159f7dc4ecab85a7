#include "fovea/volume/volume_tree.h"

#include "fovea/base/assert.h"

namespace fovea {

VolumeTree::VolumeTree(LevelStructure structure, std::vector<NodeVolume> nodes)
    : structure_(std::move(structure))
    , nodes_(std::move(nodes)) {
    FOVEA_ASSERT(structure_.size() == nodes_.size());
}

VolumeTree::VolumeTree(const SphereTree& spheres)
    : structure_(spheres.structure()) {
    for (std::uint32_t node = 0; node < spheres.size(); ++node) {
        nodes_.push_back({VolumeType::point, spheres.centre(node), {}, {}, spheres.radius(node)});
    }
}

double cubic_size(const VolumeTree& tree, int level) {
    double sum = 0;
    const VolumeTree::Range range = tree.level(level);
    for (std::uint32_t i = range.first; i < range.first + range.count; ++i) {
        sum += cubic_size(placed(tree.node(i), {}));
    }
    return sum;
}

} // namespace fovea
