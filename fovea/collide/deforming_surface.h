// The surface of a mesh that its host deforms or morphs, made ready for collision.
//
//   set_vertices, set_weights          checked and kept; boxes and spheres become old
//      |
//      +-> boxes (MeshTree)            brought up to date where a search opens them
//      '-> spheres (Ladder)            all at once, when a pair is going to climb them
//
// Both structures are those of the first vertices, whatever becomes of the mesh. What moved since
// the last step, and so how fast, is known until settle().
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/collide/ladder.h"
#include "fovea/collide/ladder_refit.h"
#include "fovea/geometry/surface_triangle.h"
#include "fovea/volume/mesh_tree.h"

namespace fovea {

/// All that does not follow from the shape: for snapshots.
struct SurfaceState {
    std::vector<Vec3> vertices, vertices_before; ///< of a mesh that does not morph
    std::vector<float> weights, weights_before;  ///< of one that does
    bool ladder_is_old = false;
};

class DeformingSurface {
  public:
    /// The shape must be one that check_shape() accepts.
    static Result<std::shared_ptr<DeformingSurface>> make(const DeformingMesh& shape);

    bool morphs() const { return before_morph_.has_value(); }
    std::uint32_t triangles() const { return std::uint32_t(triangles_.size()); }
    /// Around all vertices, in the shape's frame.
    const Aabb& extent() const { return extent_; }

    /// Refuses another number of vertices, vertices that are not finite or not below 2^50, and
    /// meshes that morph. A refused call changes nothing.
    Result<void> set_vertices(std::span<const Vec3> vertices);
    /// Refuses what MorphShapes::set_weights() refuses, and meshes that do not morph.
    Result<void> set_weights(std::span<const float> weights);

    Vec3 vertex(std::uint32_t i) const {
        return morphs() ? tree_->morph_shapes()->blend_vertex(tree_vertex_[i]) : vertices_[i];
    }
    /// As it is now, in the mesh's order. Vertices of no triangle stay where they were at first.
    std::vector<Vec3> all_vertices() const;

    /// How far any vertex has gone since settle(), or a little more; 0 if none has.
    float farthest_way() const { return farthest_way_; }
    /// How far the point of the surface nearest to `point` has. It is looked for within `distance`
    /// first, then farther.
    Vec3 way_near(const Vec3& point, float distance) const;
    /// The corners of a triangle at settle().
    std::array<Vec3, 3> corners_before(std::uint32_t triangle) const {
        const auto& [i, j, k] = triangles_[triangle];
        return {vertex_before(i), vertex_before(j), vertex_before(k)};
    }
    /// What moved is at rest now.
    void settle();
    /// As it was at first, at rest.
    void reset(const TriangleMesh& first);

    /// Calls `visit(number, corners)` for triangles whose box `meets` accepts; a box around several
    /// that it refuses is passed over. Safe from several threads.
    template <class Meets, class Visit>
    void search(Meets&& meets, Visit&& visit) const {
        RefitCounters counters;
        search_block(0, meets, visit, counters);
        if (counters.nodes_updated > 0)
            refits_.fetch_add(counters.nodes_updated, std::memory_order_relaxed);
    }
    /// Appends the triangles whose boxes overlap `box`, with their neighbours, in the order of
    /// their numbers: the contacts they make do not depend on the tree.
    void gather(const Aabb& box, std::vector<SurfaceTriangle>& triangles) const;

    /// Boxes brought up to date since this was last asked.
    std::uint64_t take_refits() { return refits_.exchange(0, std::memory_order_relaxed); }

    const Ladder& ladder() const { return ladder_; }
    bool ladder_is_old() const { return ladder_is_old_; }
    void refit_ladder();

    SurfaceState state() const;
    /// Refuses what does not fit the mesh.
    Result<void> restore(const SurfaceState& state);

  private:
    DeformingSurface() = default;
    Vec3 vertex_before(std::uint32_t i) const {
        return morphs() ? before_morph_->blend_vertex(tree_vertex_[i]) : vertices_before_[i];
    }
    std::array<Vec3, 3> corners(std::uint32_t triangle) const {
        const auto& [i, j, k] = triangles_[triangle];
        return {vertex(i), vertex(j), vertex(k)};
    }
    SurfaceTriangle surface_triangle(std::uint32_t number) const;

    template <class Meets, class Visit>
    void search_block(std::uint32_t block, Meets& meets, Visit& visit,
                      RefitCounters& counters) const {
        const MeshHierarchy& hierarchy = tree_->hierarchy();
        const WideBoxes& boxes = tree_->open(block, counters);
        for (std::uint32_t lane = 0; lane < hierarchy.child_count[block]; ++lane) {
            if (!meets(boxes.lane(lane))) continue;
            const std::uint32_t child =
                hierarchy.child[block * MeshHierarchy::k_block_width + lane];
            if (!MeshHierarchy::is_leaf_child(child)) {
                search_block(child, meets, visit, counters);
                continue;
            }
            const std::uint32_t number = hierarchy.triangle_order[MeshHierarchy::leaf_of(child)];
            visit(number, corners(number));
        }
    }

    std::vector<TriangleMesh::Triangle> triangles_;
    MeshNeighbours neighbours_;
    std::unique_ptr<MeshTree> tree_; ///< opening it changes boxes, not what they mean
    std::vector<Vec3> vertices_, vertices_before_;
    std::optional<MorphShapes> before_morph_;
    std::vector<std::uint32_t> tree_vertex_; ///< of a mesh that morphs, by the mesh's numbers
    /// Of a mesh that morphs: how far any vertex of each reference is from the first, at most, and
    /// how far the first's are from the origin.
    std::vector<float> reference_reach_;
    Aabb extent_;
    float farthest_way_ = 0;
    mutable std::atomic<std::uint64_t> refits_ = 0;
    Ladder ladder_;
    LadderRefit refit_;
    bool ladder_is_old_ = false;
};

} // namespace fovea
