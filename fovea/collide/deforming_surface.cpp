#include "fovea/collide/deforming_surface.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "fovea/base/assert.h"
#include "fovea/geometry/number_text.h"
#include "fovea/geometry/rounding.h"
#include "fovea/geometry/within_limit.h"
#include "fovea/volume/triangle_tree.h"

namespace fovea {

namespace {

float farthest_apart(std::span<const Vec3> a, std::span<const Vec3> b) {
    double squared = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        squared = std::max(squared, length_squared(Vec3d(a[i]) - Vec3d(b[i])));
    return rounded_up(std::sqrt(squared));
}

} // namespace

Result<std::shared_ptr<DeformingSurface>> DeformingSurface::make(const DeformingMesh& shape) {
    const TriangleMesh& mesh = *shape.data;
    std::shared_ptr<DeformingSurface> made(new DeformingSurface);
    made->triangles_ = mesh.triangles;
    made->neighbours_ = find_neighbours(mesh);
    if (shape.targets) {
        std::vector<TriangleMesh> references = {mesh};
        for (const std::vector<Vec3>& vertices : shape.targets->vertices)
            references.push_back({vertices, mesh.triangles});
        auto tree = MeshTree::morphing(references);
        if (!tree) return tl::unexpected(tree.error());
        made->tree_ = std::make_unique<MeshTree>(std::move(*tree));
        made->before_morph_ = *made->tree_->morph_shapes();
        const auto& order = made->tree_->hierarchy().vertex_order;
        made->tree_vertex_.resize(mesh.vertices.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) made->tree_vertex_[order[i]] = i;
        const std::vector<Vec3> nowhere(mesh.vertices.size());
        made->reference_reach_.push_back(farthest_apart(mesh.vertices, nowhere));
        for (const std::vector<Vec3>& vertices : shape.targets->vertices)
            made->reference_reach_.push_back(farthest_apart(vertices, mesh.vertices));
    } else {
        auto tree = MeshTree::deforming(mesh);
        if (!tree) return tl::unexpected(tree.error());
        made->tree_ = std::make_unique<MeshTree>(std::move(*tree));
    }
    made->vertices_ = made->vertices_before_ = mesh.vertices;
    made->extent_ = bounds(mesh);
    auto ladder = make_surface_ladder(mesh);
    if (!ladder) return tl::unexpected(ladder.error());
    made->ladder_ = std::move(*ladder);
    // As if it had been refitted, so that it depends on the vertices alone, not on their past.
    made->ladder_is_old_ = true;
    made->refit_ladder();
    return made;
}

Result<void> DeformingSurface::set_vertices(std::span<const Vec3> vertices) {
    if (morphs()) return failure("the mesh morphs: it takes weights, not vertices");
    // The tree refuses a wrong number.
    for (std::size_t i = 0; i < std::min(vertices.size(), vertices_.size()); ++i)
        if (!within_limit(vertices[i]))
            return failure("vertex " + std::to_string(i) + " is " + vector_text(vertices[i]) +
                           ", which is not finite or not below 2^50");
    if (auto set = tree_->set_vertices(vertices); !set) return set;
    vertices_.assign(vertices.begin(), vertices.end());
    extent_ = Aabb();
    for (const Vec3& vertex : vertices_) extent_ = merged(extent_, vertex);
    farthest_way_ = farthest_apart(vertices_, vertices_before_);
    ladder_is_old_ = true;
    return {};
}

Result<void> DeformingSurface::set_weights(std::span<const float> weights) {
    if (!morphs()) return failure("the mesh does not morph: it takes vertices, not weights");
    if (auto set = tree_->set_weights(weights); !set) return set;
    RefitCounters counters;
    extent_ = tree_->root_box(counters);
    // sum dw_i p_i = sum dw_i (p_i - p_0) + p_0 sum dw_i
    double way = 0, sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double change = double(weights[i]) - double(before_morph_->weights()[i]);
        sum += change;
        if (i > 0) way += std::abs(change) * double(reference_reach_[i]);
    }
    farthest_way_ = rounded_up(way + std::abs(sum) * double(reference_reach_[0]));
    ladder_is_old_ = true;
    return {};
}

std::vector<Vec3> DeformingSurface::all_vertices() const {
    std::vector<Vec3> all = vertices_;
    if (morphs())
        for (const std::uint32_t i : tree_->hierarchy().vertex_order) all[i] = vertex(i);
    return all;
}

void DeformingSurface::settle() {
    if (farthest_way_ == 0) return;
    farthest_way_ = 0;
    if (!morphs()) {
        vertices_before_ = vertices_;
        return;
    }
    [[maybe_unused]] const auto set = before_morph_->set_weights(tree_->morph_shapes()->weights());
    FOVEA_ASSERT(set.has_value()); // these were accepted before
}

void DeformingSurface::reset(const TriangleMesh& first) {
    std::vector<float> weights(reference_reach_.size());
    if (morphs()) weights[0] = 1;
    [[maybe_unused]] const auto set =
        morphs() ? set_weights(weights) : set_vertices(first.vertices);
    FOVEA_ASSERT(set.has_value());
    settle();
    refit_ladder();
}

SurfaceTriangle DeformingSurface::surface_triangle(std::uint32_t number) const {
    SurfaceTriangle result{corners(number), {}, {}, number};
    for (std::size_t e = 0; e < 3; ++e) {
        const std::uint32_t far_corner = neighbours_.across[number][e];
        result.open[e] = far_corner == MeshNeighbours::k_none;
        if (!result.open[e]) result.across[e] = vertex(far_corner);
    }
    return result;
}

void DeformingSurface::gather(const Aabb& box, std::vector<SurfaceTriangle>& triangles) const {
    const auto first = std::ptrdiff_t(triangles.size());
    search([&](const Aabb& other) { return overlap(other, box); },
           [&](std::uint32_t number, const std::array<Vec3, 3>&) {
               triangles.push_back(surface_triangle(number));
           });
    std::sort(
        triangles.begin() + first, triangles.end(),
        [](const SurfaceTriangle& a, const SurfaceTriangle& b) { return a.number < b.number; });
}

Vec3 DeformingSurface::way_near(const Vec3& point, float distance) const {
    struct Nearest {
        double squared;
        std::uint32_t triangle = 0xffffffffu;
        Vec3d weights;
    };
    const Vec3d p(point);
    const double farthest = length(Vec3d(max(abs(extent_.low - point), abs(extent_.high - point))));
    for (double reach = double(distance);; reach *= 4) {
        Nearest nearest{reach * reach, 0xffffffffu, {}};
        search(
            [&](const Aabb& box) {
                const Vec3 beyond = max(max(box.low - point, point - box.high), Vec3());
                return length_squared(Vec3d(beyond)) <= nearest.squared;
            },
            [&](std::uint32_t number, const std::array<Vec3, 3>& c) {
                const Triangle3d triangle{Vec3d(c[0]), Vec3d(c[1]), Vec3d(c[2])};
                const Vec3d on = closest_point(triangle, p);
                const double squared = length_squared(on - p);
                if (squared > nearest.squared) return;
                if (squared == nearest.squared && number > nearest.triangle) return;
                nearest = {squared, number, corner_weights(triangle, on)};
            });
        if (nearest.triangle == 0xffffffffu) {
            if (reach > farthest) return {};
            continue;
        }
        const TriangleMesh::Triangle& t = triangles_[nearest.triangle];
        const double weight[3] = {nearest.weights.x, nearest.weights.y, nearest.weights.z};
        Vec3d way;
        for (std::size_t i = 0; i < 3; ++i)
            way += (Vec3d(vertex(t[i])) - Vec3d(vertex_before(t[i]))) * weight[i];
        return Vec3(way);
    }
}

void DeformingSurface::refit_ladder() {
    if (!ladder_is_old_) return;
    for (std::uint32_t i = 0; i < triangles(); ++i) ladder_.triangles[i] = surface_triangle(i);
    refit_.run(ladder_);
    ladder_is_old_ = false;
}

SurfaceState DeformingSurface::state() const {
    SurfaceState state;
    state.ladder_is_old = ladder_is_old_;
    if (morphs()) {
        const auto now = tree_->morph_shapes()->weights(), before = before_morph_->weights();
        state.weights.assign(now.begin(), now.end());
        state.weights_before.assign(before.begin(), before.end());
    } else {
        state.vertices = vertices_;
        state.vertices_before = vertices_before_;
    }
    return state;
}

Result<void> DeformingSurface::restore(const SurfaceState& state) {
    const auto set = [&](const std::vector<Vec3>& vertices, const std::vector<float>& weights) {
        return morphs() ? set_weights(weights) : set_vertices(vertices);
    };
    if (auto before = set(state.vertices_before, state.weights_before); !before) return before;
    settle();
    if (auto now = set(state.vertices, state.weights); !now) return now;
    if (!state.ladder_is_old) refit_ladder();
    return {};
}

} // namespace fovea
