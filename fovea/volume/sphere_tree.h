// Sphere trees: several levels of spheres around a mesh, each level enclosing it, each tighter
// than the one before.
//
// Nodes lie level by level in flat arrays, the children of a node side by side, so that a sphere
// is tested against all children of a node in one sweep of SIMD:
//
//   level     0   1       2
//   node      0 | 1 2 3 | 4 5 6 7 8 9 ...         x_[], y_[], z_[], radius_[]
//   children      of 0     of 1  of 2 ...
//
// Every level is a complete cover. A node that needs no refinement has one child, equal to it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/base/vec3.h"
#include "fovea/geometry/triangle_mesh.h"
#include "fovea/volume/level_structure.h"
#include "fovea/volume/sphere_tree_settings.h"

namespace fovea {

/// What a node's sphere holds, for contact modelling (Dingliana 4.2, O'Sullivan 4.4).
struct NodeContent {
    static constexpr std::uint32_t k_no_group = 0xffffffffu;

    /// Part of the ball that the solid fills, 0 to 1; 0 for meshes that enclose nothing.
    float occupancy = 0;
    /// Smooth patch of surface that the node bounds; none if it spans several.
    std::uint32_t group = k_no_group;
    /// Unit gradient of the density in the ball, pointing into the body; zero where there is none.
    Vec3 normal;
    /// From the sphere's centre to the nearest content; 0 if the centre lies in the solid.
    float distance = 0;

    bool operator==(const NodeContent&) const = default;
};

/// One level as builders and readers hand it over. Children of one parent lie side by side, in
/// the order of their parents.
struct SphereLevel {
    std::vector<Vec3> centres;
    std::vector<float> radii;
    std::vector<std::uint32_t> parents; ///< indices into the level before; empty for the root
};

/// Facts about how a tree came to be and what was proved of it.
struct SphereTreeProof {
    bool surface_enclosed = false; ///< every triangle, on every level, with a path (cover_share)
    bool solid_enclosed = false;   ///< the mesh is closed and no level leaves a hole inside it
    bool children_inside = false;  ///< every child lies inside its parent
    std::uint64_t pieces = 0;      ///< pieces of triangles that the proof went through
    std::uint32_t grown = 0;       ///< spheres enlarged so that the proof holds
    double seconds = 0;            ///< wall-clock time of the build
    std::size_t peak_bytes = 0;    ///< memory of the largest structures of the build, summed
};

class SphereTree {
  public:
    using Range = LevelStructure::Range;

    /// Builds a tree around `mesh`. The guarantees asked for are proved before it is returned.
    /// Refuses settings out of range, broken indices, vertices that are not finite, meshes that
    /// are a single point, targets that cannot be met, and cancelled builds.
    static Result<SphereTree> build(const TriangleMesh& mesh,
                                    const SphereTreeSettings& settings = {});

    /// A tree of given spheres. Refuses levels that do not fit together. Proves nothing.
    static Result<SphereTree> from_levels(std::span<const SphereLevel> levels);

    const LevelStructure& structure() const { return structure_; }
    std::uint32_t size() const { return structure_.size(); }
    int levels() const { return structure_.levels(); }
    std::uint32_t branching() const { return structure_.branching(); }
    Range level(int i) const { return structure_.level(i); }
    Range children(std::uint32_t node) const { return structure_.children(node); }
    std::uint32_t parent(std::uint32_t node) const { return structure_.parent(node); }
    bool is_leaf(std::uint32_t node) const { return structure_.is_leaf(node); }

    Vec3 centre(std::uint32_t node) const { return {x_[node], y_[node], z_[node]}; }
    float radius(std::uint32_t node) const { return radius_[node]; }
    const NodeContent& content(std::uint32_t node) const { return content_[node]; }
    void set_content(std::uint32_t node, const NodeContent& content) { content_[node] = content; }

    std::span<const float> x() const { return x_; }
    std::span<const float> y() const { return y_; }
    std::span<const float> z() const { return z_; }
    std::span<const float> radii() const { return radius_; }

    const SphereTreeProof& proof() const { return proof_; }
    void set_proof(const SphereTreeProof& proof) { proof_ = proof; }

    std::size_t memory_bytes() const;

    /// Equal spheres, structure and content; the proof is not looked at.
    bool operator==(const SphereTree& other) const;

  private:
    std::vector<float> x_, y_, z_, radius_;
    LevelStructure structure_;
    std::vector<NodeContent> content_;
    SphereTreeProof proof_;
};

/// The levels of a tree, as from_levels() takes them.
std::vector<SphereLevel> to_levels(const SphereTree& tree);

/// Bit i is set if child i of `node` touches the sphere given in the tree's frame.
std::uint64_t children_touching(const SphereTree& tree, std::uint32_t node, const Vec3& centre,
                                float radius);

} // namespace fovea
