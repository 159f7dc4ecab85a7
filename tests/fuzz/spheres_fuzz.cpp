// Feeds arbitrary text to the readers of sphere trees and robot descriptions; how it begins decides
// on the format. What a reader accepts must be a sound tree, and must survive being written.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fovea/geometry/procedural.h"
#include "fovea/scene/robot_spheres.h"
#include "fovea/scene/sphere_files.h"

using namespace fovea;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void check(const SphereTree& tree) {
    require(tree.level(0).count == 1);
    std::uint32_t seen = 0;
    for (int l = 0; l < tree.levels(); ++l) {
        require(tree.level(l).first == seen);
        seen += tree.level(l).count;
    }
    require(seen == tree.size());
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        require(is_finite(tree.centre(node)));
        require(tree.radius(node) >= 0 && std::isfinite(tree.radius(node)));
        const SphereTree::Range children = tree.children(node);
        for (std::uint32_t c = 0; c < children.count; ++c) {
            require(tree.parent(children.first + c) == node);
        }
    }
}

/// Spheres and structure.
bool same(const SphereTree& a, const SphereTree& b) {
    if (!(a.structure() == b.structure())) return false;
    for (std::uint32_t node = 0; node < a.size(); ++node) {
        if (!(a.centre(node) == b.centre(node)) || a.radius(node) != b.radius(node)) return false;
    }
    return true;
}

void fuzz_robot(std::string_view text) {
    // The mesh is not what is tested: a small one, enclosed the quickest way.
    const auto load = [](const std::string&) -> Result<TriangleMesh> {
        return make_icosphere(1, 0);
    };
    const auto robot =
        with_spheres(text, load, {.method = SphereMethod::octree, .levels = 1, .threads = 1});
    if (!robot) return require(!robot.error().message.empty());
    require(robot->spheres >= robot->meshes.size());
    // No mesh is left, and nothing else has changed: a second turn finds nothing to do.
    const auto again = with_spheres(robot->urdf, load,
                                    {.method = SphereMethod::octree, .levels = 1, .threads = 1});
    require(again.has_value() && again->meshes.empty() && again->urdf == robot->urdf);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (text.starts_with("<")) {
        fuzz_robot(text);
        return 0;
    }
    const bool json = text.starts_with("{");
    const auto tree = json ? sphere_tree_from_json(text) : from_sph(text);
    if (!tree) {
        require(!tree.error().message.empty());
        return 0;
    }
    check(*tree);
    const auto from_json = sphere_tree_from_json(to_json(*tree));
    require(from_json.has_value() && same(*from_json, *tree));
    if (const auto sph = to_sph(*tree)) {
        const auto read = from_sph(*sph);
        require(read.has_value() && same(*read, *tree));
    }
    return 0;
}
