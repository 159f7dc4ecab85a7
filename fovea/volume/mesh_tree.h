// A tree of boxes over a rigid, deforming or morphing mesh, brought up to date on demand.
//
// Every block of boxes carries a stamp. A new frame makes all stamps old at no cost; a block is
// refitted when it is first opened in the frame, so queries pay for what they visit:
//
//   deforming   new vertices: the upper nodes at once, the others when opened (hybrid, Larsson
//               2.5), or by any other of the update policies
//   morphing    new weights: nothing at once, each block blended when opened
//   rigid       never
//
// Opening is safe from several threads: one claims the block and publishes it, others wait the
// fraction of a microsecond that it takes. Boxes do not depend on who refitted them, or when.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/geometry/triangle_overlap.h"
#include "fovea/volume/mesh_hierarchy.h"
#include "fovea/volume/mesh_tree_costs.h"
#include "fovea/volume/morph_shapes.h"
#include "fovea/volume/wide_boxes.h"

namespace fovea {

enum class UpdatePolicy {
    rebuild,   ///< a new hierarchy in every frame
    bottom_up, ///< all boxes at once: leaves from triangles, parents by merging
    top_down,  ///< nothing at once
    hybrid,    ///< nodes down to the eager depth at once, the rest when opened
};

/// What is refitted when an old block is opened.
enum class LazyVariant {
    node,    ///< this block alone, from its vertices
    subtree, ///< everything below, bottom up
    levels,  ///< `lazy_levels` levels below, bottom up
};

struct RefitSettings {
    UpdatePolicy policy = UpdatePolicy::hybrid;
    /// Depth of the nodes that hybrid computes at once. -1 chooses, in every frame, the depth that
    /// would have cost the least in recent ones, counted in vertices read and boxes merged, and
    /// postpones the computation until the frame's first query opens the root.
    int eager_depth = -1;
    LazyVariant lazy = LazyVariant::node;
    int lazy_levels = 2; ///< of LazyVariant::levels
    /// Keep the previous frame's vertices, which the swept query needs: 12 bytes a vertex.
    bool keep_previous = false;
};

/// Work done on boxes; machine-independent.
struct RefitCounters {
    std::uint64_t nodes_updated = 0; ///< n_u: boxes computed, merged or blended
    std::uint64_t vertices_read = 0;
    std::uint64_t vertices_blended = 0; ///< of morphing meshes, for triangle tests

    RefitCounters& operator+=(const RefitCounters& b) {
        nodes_updated += b.nodes_updated;
        vertices_read += b.vertices_read;
        vertices_blended += b.vertices_blended;
        return *this;
    }
    bool operator==(const RefitCounters&) const = default;
};

class MeshTree {
  public:
    static Result<MeshTree> rigid(const TriangleMesh& mesh, const HierarchySettings& settings = {});
    static Result<MeshTree> deforming(const TriangleMesh& mesh,
                                      const HierarchySettings& settings = {},
                                      const RefitSettings& refit = {});
    /// The hierarchy is built over the first reference, which is also the first shape shown.
    static Result<MeshTree> morphing(std::span<const TriangleMesh> references,
                                     const HierarchySettings& settings = {},
                                     const MorphSettings& morph = {});

    /// Another body of the same mesh, in the same state: hierarchy and references are shared.
    MeshTree instance() const;

    MeshTree(MeshTree&&) noexcept;
    MeshTree& operator=(MeshTree&&) noexcept;
    ~MeshTree();

    const MeshHierarchy& hierarchy() const { return *hierarchy_; }
    bool is_deforming() const { return motion_ == Motion::deforming; }
    bool is_morphing() const { return motion_ == Motion::morphing; }
    const MorphShapes* morph_shapes() const { return morph_ ? &*morph_ : nullptr; }

    /// A new frame of a deforming mesh. Refuses another number of vertices than the mesh has, and
    /// vertices that are not finite; the tree then stays as it was.
    Result<void> set_vertices(std::span<const Vec3> vertices);

    /// Moves a few vertices within the frame and refits only the boxes above them (local bottom
    /// up): O(m + log T) for m vertices close together. Boxes that were old stay old.
    Result<void> move_vertices(std::span<const std::uint32_t> which, std::span<const Vec3> to);

    /// A new frame of a morphing mesh; see MorphShapes::set_weights.
    Result<void> set_weights(std::span<const float> weights);

    /// The block's boxes, up to date. Refits are added to `counters`.
    const WideBoxes& open(std::uint32_t block, RefitCounters& counters) {
        const std::uint32_t stamp = stamp_of(stamps_[block]).load(std::memory_order_acquire);
        if (stamp != opened_stamp()) [[unlikely]]
            open_slowly(block, counters);
        return blocks_[block];
    }

    /// Boxes of the volumes swept from the previous frame to this one by vertices moving straight;
    /// of a deforming mesh only with RefitSettings::keep_previous.
    /// prepare_swept must have been called since the vertices last changed.
    const WideBoxes& open_swept(std::uint32_t block, RefitCounters& counters);
    void prepare_swept();

    /// The corners of a leaf's triangle now, and in the previous frame.
    TriangleCorners corners(std::uint32_t leaf, RefitCounters& counters) const {
        const auto& [i, j, k] = hierarchy_->triangles[leaf];
        if (motion_ == Motion::morphing) return blended_corners(leaf, counters);
        return {vertices_[i], vertices_[j], vertices_[k]};
    }
    TriangleCorners previous_corners(std::uint32_t leaf, RefitCounters& counters) const;

    Aabb root_box(RefitCounters& counters) { return open(0, counters).lane(0); }
    bool is_up_to_date(std::uint32_t block) const;
    const WideBoxes& boxes_as_they_are(std::uint32_t block) const { return blocks_[block]; }
    /// All boxes for the present vertices, computed aside; of a deforming or rigid mesh.
    std::vector<WideBoxes> all_boxes() const;

    /// Work done by the last set_vertices, move_vertices or set_weights itself.
    const RefitCounters& eager_counters() const { return eager_counters_; }
    /// The depth down to which the last set_vertices computed boxes at once; -1 for none.
    int eager_depth() const { return eager_depth_; }
    std::uint32_t frame() const { return frame_; }

    const RefitSettings& refit_settings() const { return refit_; }

    /// The vertices of this frame in the mesh's order; of a deforming or rigid mesh.
    std::vector<Vec3> mesh_vertices() const;

    /// Replaces the structure by one over the same triangles (see rebuild_subtrees); all boxes
    /// become old.
    void replace_hierarchy(MeshHierarchy hierarchy);

  private:
    enum class Motion { rigid, deforming, morphing };
    struct LocalLinks;

    MeshTree(Motion motion, std::shared_ptr<const MeshHierarchy> hierarchy);

    // A stamp is frame * 4 + state.
    static constexpr std::uint32_t k_busy = 1, k_fitted = 2, k_opened = 3;
    static std::atomic_ref<std::uint32_t> stamp_of(std::uint32_t& stamp) {
        return std::atomic_ref<std::uint32_t>(stamp);
    }
    std::uint32_t opened_stamp() const { return frame_ * 4 + k_opened; }
    std::uint32_t fitted_stamp() const { return frame_ * 4 + k_fitted; }
    std::uint32_t busy_stamp() const { return frame_ * 4 + k_busy; }

    TriangleCorners blended_corners(std::uint32_t leaf, RefitCounters& counters) const;
    VertexView view() const {
        return {vertices_.data(), groups_.empty() ? nullptr : groups_.data()};
    }
    void new_frame();
    void open_slowly(std::uint32_t block, RefitCounters& counters);
    void refit(std::uint32_t block, RefitCounters& counters);
    void refit_below(std::uint32_t block, int levels, RefitCounters& counters);
    bool claim(std::uint32_t block);
    void wait_until_fitted(std::uint32_t block) const;
    void publish(std::uint32_t block, std::uint32_t state);
    void update_eagerly();
    void fit_down_to(int depth);
    int block_depth(std::uint32_t block) const {
        return block == 0 ? -1 : hierarchy_->depth[hierarchy_->block_node[block]];
    }
    std::uint32_t block_end(std::uint32_t block) const;
    void adopt(std::shared_ptr<const MeshHierarchy> hierarchy);
    void refit_lane(std::uint32_t slot);

    Motion motion_;
    RefitSettings refit_;
    std::shared_ptr<const MeshHierarchy> hierarchy_;
    std::vector<WideBoxes> blocks_;
    std::vector<std::uint32_t> stamps_;
    std::vector<Vec3> vertices_, previous_vertices_; ///< in the tree's order
    std::vector<GroupBox> groups_, spare_groups_;    ///< of `vertices_`, or empty
    std::optional<MorphShapes> morph_;
    std::optional<Aabb> known_root_; ///< found while the vertices were checked
    bool keeps_previous_ = false;
    bool copies_straight_ = false; ///< the mesh's vertex order is the tree's
    std::uint32_t frame_ = 1;
    int eager_depth_ = -1;
    RefitCounters eager_counters_;

    std::vector<std::uint32_t> by_depth_;    ///< blocks, shallowest first
    std::vector<std::uint32_t> depth_begin_; ///< into by_depth_, per block depth + 1
    std::unique_ptr<RefitCosts> costs_;
    std::unique_ptr<LocalLinks> links_; ///< made by the first move_vertices

    std::vector<WideBoxes> swept_; ///< made by the first prepare_swept
    std::vector<std::uint32_t> swept_stamps_;
    std::uint32_t swept_epoch_ = 1;
};

} // namespace fovea
