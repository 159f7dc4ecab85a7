#include "fovea/volume/mesh_tree.h"

#include <algorithm>
#include <string>

#include "fovea/base/assert.h"
#include "fovea/geometry/number_text.h"
#include "fovea/volume/mesh_tree_links.h"

namespace fovea {

namespace {

std::shared_ptr<const MeshHierarchy> shared(MeshHierarchy&& hierarchy) {
    return std::make_shared<const MeshHierarchy>(std::move(hierarchy));
}

} // namespace

MeshTree::MeshTree(Motion motion, std::shared_ptr<const MeshHierarchy> hierarchy)
    : motion_(motion) {
    adopt(std::move(hierarchy));
}

MeshTree::MeshTree(MeshTree&&) noexcept = default;
MeshTree& MeshTree::operator=(MeshTree&&) noexcept = default;
MeshTree::~MeshTree() = default;

void MeshTree::adopt(std::shared_ptr<const MeshHierarchy> hierarchy) {
    hierarchy_ = std::move(hierarchy);
    copies_straight_ = hierarchy_->keeps_vertex_order();
    blocks_.assign(hierarchy_->block_count(), WideBoxes::empty());
    stamps_.assign(hierarchy_->block_count(), 0);
    costs_ = std::make_unique<RefitCosts>(*hierarchy_);
    links_.reset();
    swept_.clear(), swept_stamps_.clear();

    depth_begin_.assign(hierarchy_->height + 2, 0);
    by_depth_.resize(blocks_.size());
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) by_depth_[block] = block;
    std::stable_sort(by_depth_.begin(), by_depth_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return block_depth(a) < block_depth(b);
    });
    for (const std::uint32_t block : by_depth_) ++depth_begin_[block_depth(block) + 1];
    std::uint32_t begin = 0;
    for (std::uint32_t& entry : depth_begin_) begin += entry, entry = begin - entry;
}

Result<MeshTree> MeshTree::rigid(const TriangleMesh& mesh, const HierarchySettings& settings) {
    auto hierarchy = build_hierarchy(mesh, settings);
    if (!hierarchy) return tl::unexpected(hierarchy.error());
    MeshTree tree(Motion::rigid, shared(std::move(*hierarchy)));
    copy_vertices(mesh.vertices, tree.hierarchy_->vertex_order, tree.vertices_);
    tree.previous_vertices_ = tree.vertices_;
    sweep_bottom_up(*tree.hierarchy_, tree.view(), tree.blocks_);
    std::fill(tree.stamps_.begin(), tree.stamps_.end(), tree.opened_stamp());
    return tree;
}

Result<MeshTree> MeshTree::deforming(const TriangleMesh& mesh, const HierarchySettings& settings,
                                     const RefitSettings& refit) {
    auto hierarchy = build_hierarchy(mesh, settings);
    if (!hierarchy) return tl::unexpected(hierarchy.error());
    MeshTree tree(Motion::deforming, shared(std::move(*hierarchy)));
    tree.refit_ = refit;
    copy_vertices(mesh.vertices, tree.hierarchy_->vertex_order, tree.vertices_);
    (void)finite_bounds(tree.vertices_, &tree.groups_); // build_hierarchy checked the mesh
    tree.keeps_previous_ = refit.keep_previous;
    tree.previous_vertices_ = tree.vertices_;
    tree.update_eagerly();
    return tree;
}

Result<MeshTree> MeshTree::morphing(std::span<const TriangleMesh> references,
                                    const HierarchySettings& settings, const MorphSettings& morph) {
    if (references.empty()) return failure("a morphing mesh needs a reference shape");
    auto hierarchy = build_hierarchy(references[0], settings);
    if (!hierarchy) return tl::unexpected(hierarchy.error());
    auto shapes = MorphShapes::make(*hierarchy, references, morph);
    if (!shapes) return tl::unexpected(shapes.error());
    MeshTree tree(Motion::morphing, shared(std::move(*hierarchy)));
    tree.morph_ = std::move(*shapes);
    return tree;
}

MeshTree MeshTree::instance() const {
    MeshTree copy(motion_, hierarchy_);
    copy.refit_ = refit_;
    copy.keeps_previous_ = keeps_previous_;
    copy.vertices_ = vertices_;
    copy.groups_ = groups_;
    copy.previous_vertices_ = previous_vertices_;
    copy.morph_ = morph_;
    if (motion_ == Motion::rigid) {
        copy.blocks_ = blocks_;
        std::fill(copy.stamps_.begin(), copy.stamps_.end(), copy.opened_stamp());
    }
    return copy;
}

void MeshTree::new_frame() {
    ++frame_, ++swept_epoch_;
    eager_counters_ = {};
    // Stamps have room for 2^30 frames; then all are made old by hand.
    if (frame_ == (1u << 30) - 1) {
        frame_ = 1;
        std::fill(stamps_.begin(), stamps_.end(), 0u);
    }
}

Result<void> MeshTree::set_vertices(std::span<const Vec3> vertices) {
    if (motion_ != Motion::deforming) return failure("only a deforming mesh takes vertices");
    if (vertices.size() != hierarchy_->mesh_vertices) {
        return failure(std::to_string(vertices.size()) + " vertices given for a mesh of " +
                       std::to_string(hierarchy_->mesh_vertices));
    }
    const std::optional<Aabb> bounds =
        finite_bounds(vertices, copies_straight_ ? &spare_groups_ : nullptr);
    for (const std::uint32_t i : hierarchy_->vertex_order) {
        if (bounds) break;
        if (is_finite(vertices[i])) continue;
        return failure("vertex " + std::to_string(i) + " is " + vector_text(vertices[i]) +
                       ", which is not finite");
    }
    if (keeps_previous_) std::swap(previous_vertices_, vertices_);
    if (copies_straight_) {
        vertices_.assign(vertices.begin(), vertices.end());
        std::swap(groups_, spare_groups_);
    } else {
        copy_vertices(vertices, hierarchy_->vertex_order, vertices_);
        (void)finite_bounds(vertices_, &groups_);
    }
    // Vertices that no triangle uses may be anything and lie anywhere.
    const bool all_used = hierarchy_->vertex_order.size() == vertices.size();
    known_root_ = all_used ? bounds : std::nullopt;
    new_frame();
    costs_->end_frame();
    if (refit_.policy == UpdatePolicy::rebuild) {
        const std::uint32_t root = 0;
        replace_hierarchy(rebuild_subtrees(*hierarchy_, vertices, {&root, 1}));
    }
    update_eagerly();
    return {};
}

Result<void> MeshTree::set_weights(std::span<const float> weights) {
    if (motion_ != Motion::morphing) return failure("only a morphing mesh takes weights");
    if (const Result<void> accepted = morph_->set_weights(weights); !accepted) return accepted;
    new_frame();
    return {};
}

void MeshTree::replace_hierarchy(MeshHierarchy hierarchy) {
    FOVEA_ASSERT(motion_ == Motion::deforming);
    const std::vector<Vec3> now = mesh_vertices();
    known_root_.reset();
    std::vector<Vec3> before(hierarchy_->mesh_vertices);
    for (std::size_t i = 0; i < previous_vertices_.size(); ++i)
        before[hierarchy_->vertex_order[i]] = previous_vertices_[i];
    adopt(shared(std::move(hierarchy)));
    copy_vertices(now, hierarchy_->vertex_order, vertices_);
    (void)finite_bounds(vertices_, &groups_);
    copy_vertices(before, hierarchy_->vertex_order, previous_vertices_);
}

std::vector<Vec3> MeshTree::mesh_vertices() const {
    std::vector<Vec3> result(hierarchy_->mesh_vertices);
    for (std::size_t i = 0; i < hierarchy_->vertex_order.size(); ++i)
        result[hierarchy_->vertex_order[i]] = vertices_[i];
    return result;
}

std::vector<WideBoxes> MeshTree::all_boxes() const {
    FOVEA_ASSERT(motion_ != Motion::morphing);
    std::vector<WideBoxes> boxes(blocks_.size());
    sweep_bottom_up(*hierarchy_, view(), boxes);
    return boxes;
}

TriangleCorners MeshTree::blended_corners(std::uint32_t leaf, RefitCounters& counters) const {
    const auto& [i, j, k] = hierarchy_->triangles[leaf];
    counters.vertices_blended += 3;
    return {morph_->blend_vertex(i), morph_->blend_vertex(j), morph_->blend_vertex(k)};
}

TriangleCorners MeshTree::previous_corners(std::uint32_t leaf, RefitCounters& counters) const {
    FOVEA_ASSERT(motion_ == Motion::morphing || !previous_vertices_.empty());
    const auto& [i, j, k] = hierarchy_->triangles[leaf];
    if (motion_ == Motion::morphing) {
        counters.vertices_blended += 3;
        return {morph_->blend_previous_vertex(i), morph_->blend_previous_vertex(j),
                morph_->blend_previous_vertex(k)};
    }
    const auto& from = previous_vertices_;
    return {from[i], from[j], from[k]};
}

bool MeshTree::is_up_to_date(std::uint32_t block) const {
    return stamps_[block] == fitted_stamp() || stamps_[block] == opened_stamp();
}

} // namespace fovea
