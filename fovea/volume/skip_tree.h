// Trees of any bound over a deforming or morphing mesh, in the plain skip-array layout.
//
// The reference engine of the source system: one bound and one stamp per node, depth first, walked
// without a stack. It carries boxes, k-DOPs and spheres and all update policies, and is the
// yardstick for the wide trees (mesh_tree.h), which hold boxes alone.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/volume/bounds.h"
#include "fovea/volume/mesh_tree.h"

namespace fovea {

template <class Bound>
class SkipTree {
  public:
    /// Starts with every bound old; set_vertices comes first.
    explicit SkipTree(std::shared_ptr<const MeshHierarchy> hierarchy, const RefitSettings& settings)
        : hierarchy_(std::move(hierarchy))
        , settings_(settings)
        , bounds_(hierarchy_->nodes.size())
        , stamps_(hierarchy_->nodes.size(), 0)
        , vertices_(hierarchy_->vertex_order.size()) {}

    const MeshHierarchy& hierarchy() const { return *hierarchy_; }

    /// Refuses another number of vertices than the mesh has and vertices that are not finite.
    Result<void> set_vertices(std::span<const Vec3> vertices) {
        if (vertices.size() != hierarchy_->mesh_vertices) {
            return failure(std::to_string(vertices.size()) + " vertices given for a mesh of " +
                           std::to_string(hierarchy_->mesh_vertices));
        }
        for (const std::uint32_t v : hierarchy_->vertex_order) {
            if (!is_finite(vertices[v]))
                return failure("vertex " + std::to_string(v) + " is not finite");
        }
        for (std::size_t i = 0; i < vertices_.size(); ++i)
            vertices_[i] = vertices[hierarchy_->vertex_order[i]];
        ++frame_;
        eager_ = {};
        const int height = hierarchy_->height;
        switch (settings_.policy) {
        case UpdatePolicy::rebuild: // the caller makes a new tree
        case UpdatePolicy::bottom_up:
            fit_down_to(height);
            break;
        case UpdatePolicy::top_down:
            break;
        case UpdatePolicy::hybrid:
            fit_down_to(settings_.eager_depth >= 0 ? settings_.eager_depth : height / 2);
            break;
        }
        return {};
    }

    /// The node's bound, fitted to its vertices first if it is old.
    const Bound& bound(std::uint32_t node, RefitCounters& counters) {
        if (stamps_[node] != frame_) fit(node, counters);
        return bounds_[node];
    }

    TriangleCorners corners(std::uint32_t leaf, RefitCounters&) const {
        const auto& [i, j, k] = hierarchy_->triangles[leaf];
        return {vertices_[i], vertices_[j], vertices_[k]};
    }

    const RefitCounters& eager_counters() const { return eager_; }

    /// Calls `visit(leaf)` for the leaves whose bounds overlap `query`, without a stack: on to the
    /// next node where they do, past the subtree where they do not.
    template <class Visit>
    RefitCounters for_overlapping(const Bound& query, Visit&& visit) {
        RefitCounters counters;
        for (std::uint32_t node = 0; node < hierarchy_->nodes.size();) {
            if (overlap(bound(node, counters), query)) {
                if (hierarchy_->is_leaf(node)) visit(hierarchy_->nodes[node].first_leaf);
                ++node;
            } else {
                node = hierarchy_->nodes[node].skip;
            }
        }
        return counters;
    }

  private:
    void fit(std::uint32_t node, RefitCounters& counters) {
        const auto visit_vertices = [&](auto&& point) {
            const MeshHierarchy::VertexList& list = hierarchy_->vertices[node];
            for (std::uint32_t v = list.begin; v < list.end; ++v) point(vertices_[v]);
            for (const std::uint32_t v : hierarchy_->border_of(node)) point(vertices_[v]);
        };
        bounds_[node] = Fitting<Bound>::fitted(visit_vertices);
        stamps_[node] = frame_;
        ++counters.nodes_updated;
        counters.vertices_read += hierarchy_->vertices[node].count();
    }

    void merge(std::uint32_t node) {
        const MeshHierarchy::Node& n = hierarchy_->nodes[node];
        Bound sum = bounds_[node + 1];
        for (std::uint32_t c = hierarchy_->nodes[node + 1].skip; c < n.skip;
             c = hierarchy_->nodes[c].skip)
            sum = merged(sum, bounds_[c]);
        bounds_[node] = sum;
        stamps_[node] = frame_;
        ++eager_.nodes_updated;
    }

    /// Nodes at `depth` and leaves above it from vertices, the others by merging: one reverse
    /// sweep, in which children come before parents.
    void fit_down_to(int depth) {
        for (auto node = std::uint32_t(bounds_.size()); node-- > 0;) {
            if (hierarchy_->depth[node] > depth) continue;
            if (hierarchy_->is_leaf(node) || hierarchy_->depth[node] == depth)
                fit(node, eager_);
            else
                merge(node);
        }
    }

    std::shared_ptr<const MeshHierarchy> hierarchy_;
    RefitSettings settings_;
    std::vector<Bound> bounds_;
    std::vector<std::uint32_t> stamps_;
    std::vector<Vec3> vertices_;
    std::uint32_t frame_ = 0;
    RefitCounters eager_;
};

/// The same for a morphing mesh: R bounds per node, blended when a query reaches it.
template <class Bound>
class MorphSkipTree {
  public:
    /// Every reference has the hierarchy's connectivity (MorphShapes::make checks that).
    MorphSkipTree(std::shared_ptr<const MeshHierarchy> hierarchy,
                  std::span<const TriangleMesh> references)
        : hierarchy_(std::move(hierarchy))
        , count_(references.size())
        , references_(hierarchy_->nodes.size() * count_)
        , bounds_(hierarchy_->nodes.size())
        , stamps_(hierarchy_->nodes.size(), 0) {
        for (std::size_t r = 0; r < count_; ++r) {
            SkipTree<Bound> tree(hierarchy_, {UpdatePolicy::top_down});
            // Checked meshes have as many finite vertices as the hierarchy wants.
            (void)tree.set_vertices(references[r].vertices);
            RefitCounters unused;
            for (std::uint32_t node = 0; node < bounds_.size(); ++node)
                references_[node * count_ + r] = tree.bound(node, unused);
            auto& positions = vertices_.emplace_back();
            for (const std::uint32_t v : hierarchy_->vertex_order)
                positions.push_back(references[r].vertices[v]);
        }
    }

    const MeshHierarchy& hierarchy() const { return *hierarchy_; }

    /// One weight per reference; they must sum to 1. Negative ones are allowed.
    void set_weights(std::span<const float> weights) {
        weights_.assign(weights.begin(), weights.end());
        ++frame_;
    }

    const Bound& bound(std::uint32_t node, RefitCounters& counters) {
        if (stamps_[node] != frame_) {
            bounds_[node] = blended(
                std::span<const Bound>(references_.data() + node * count_, count_), weights_);
            stamps_[node] = frame_;
            ++counters.nodes_updated;
        }
        return bounds_[node];
    }

    TriangleCorners corners(std::uint32_t leaf, RefitCounters& counters) const {
        counters.vertices_blended += 3;
        TriangleCorners result;
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t v = hierarchy_->triangles[leaf][i];
            for (std::size_t r = 0; r < count_; ++r) {
                if (weights_[r] != 0) result[i] += vertices_[r][v] * weights_[r];
            }
        }
        return result;
    }

  private:
    std::shared_ptr<const MeshHierarchy> hierarchy_;
    std::size_t count_;
    std::vector<Bound> references_; ///< R per node
    std::vector<Bound> bounds_;
    std::vector<std::uint32_t> stamps_;
    std::vector<std::vector<Vec3>> vertices_; ///< per reference
    std::vector<float> weights_;
    std::uint32_t frame_ = 0;
};

} // namespace fovea
