// Trees of node volumes: cubes, swept spheres, or a mixture. Structure and levels are those of
// sphere trees, every level is a complete cover, and every node bounds all geometry beneath it, so
// a descent by pair_model() misses nothing.
#pragma once

#include <span>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/volume/level_structure.h"
#include "fovea/volume/node_volume.h"
#include "fovea/volume/sphere_tree.h"

namespace fovea {

struct CubeTreeSettings {
    int levels = 4;    ///< 1 to 8, the root's among them
    int divisions = 2; ///< of a cube's edge, 2 to 4: up to 8, 27 or 64 children
    Enclosure enclosure = Enclosure::solid;
    int threads = 0; ///< 0: one per core; the tree is the same for any number
};

struct SweptTreeSettings {
    int levels = 4;    ///< 1 to 8, the root's among them
    int branching = 8; ///< 2 to 64, children of a node at most
    /// Types that nodes may have; with one alone the tree is homogeneous.
    bool points = true, segments = true, rectangles = true;
    /// A type that costs more to test is taken if it has at most this part of the size of a cheaper
    /// one, 0 to 1. Lower: more spheres, quicker tests; higher: a tighter tree.
    double worth = 0.85;
    int threads = 0; ///< 0: one per core; the tree is the same for any number
};

class VolumeTree {
  public:
    using Range = LevelStructure::Range;

    /// Cubes of one orientation (Dingliana 4.1.2), around the surface or also the solid inside it.
    /// Refuses settings out of range and meshes that SphereTree::build refuses.
    static Result<VolumeTree> build_cubes(const TriangleMesh& mesh,
                                          const CubeTreeSettings& settings = {});

    /// Of every node the type of the best fit: sphere, capsule or rounded rectangle (Larsen et al.,
    /// "Fast Proximity Queries with Swept Sphere Volumes", 1999). Encloses the surface; the inside
    /// of a solid may stay empty. Refuses as build_cubes() does.
    static Result<VolumeTree> build_swept(const TriangleMesh& mesh,
                                          const SweptTreeSettings& settings = {});

    /// The spheres of a sphere tree.
    explicit VolumeTree(const SphereTree& spheres);
    VolumeTree(LevelStructure structure, std::vector<NodeVolume> nodes);

    const LevelStructure& structure() const { return structure_; }
    std::uint32_t size() const { return structure_.size(); }
    int levels() const { return structure_.levels(); }
    Range level(int i) const { return structure_.level(i); }
    Range children(std::uint32_t node) const { return structure_.children(node); }
    std::uint32_t parent(std::uint32_t node) const { return structure_.parent(node); }
    bool is_leaf(std::uint32_t node) const { return structure_.is_leaf(node); }

    const NodeVolume& node(std::uint32_t i) const { return nodes_[i]; }
    std::span<const NodeVolume> nodes() const { return nodes_; }

    bool operator==(const VolumeTree&) const = default;

  private:
    LevelStructure structure_;
    std::vector<NodeVolume> nodes_;
};

/// Cubic metres of all volumes of a level together, overlaps counted again: the smaller, the
/// tighter.
double cubic_size(const VolumeTree& tree, int level);

} // namespace fovea
