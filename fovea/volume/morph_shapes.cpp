#include "fovea/volume/morph_shapes.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace fovea {

namespace {

Result<void> check_reference(const TriangleMesh& first, const TriangleMesh& other, std::size_t i) {
    const std::string name = "reference shape " + std::to_string(i);
    if (other.vertices.size() != first.vertices.size()) {
        return failure(name + " has " + std::to_string(other.vertices.size()) +
                       " vertices, but the first has " + std::to_string(first.vertices.size()));
    }
    if (other.triangles.size() != first.triangles.size()) {
        return failure(name + " has " + std::to_string(other.triangles.size()) +
                       " triangles, but the first has " + std::to_string(first.triangles.size()));
    }
    for (std::size_t t = 0; t < first.triangles.size(); ++t) {
        if (other.triangles[t] == first.triangles[t]) continue;
        return failure(name + " joins other vertices than the first in triangle " +
                       std::to_string(t));
    }
    if (const Result<void> checked = check_mesh(other); !checked)
        return failure(name + ": " + checked.error().message);
    return {};
}

/// Boxes of the shape half way between two references, rounded outward.
std::vector<WideBoxes> half_way_boxes(const MeshHierarchy& hierarchy, const std::vector<Vec3>& a,
                                      const std::vector<Vec3>& b) {
    // Halving floats is exact short of underflow, so the float sum is within one rounding of the
    // true middle; the next float in either direction is beyond it.
    std::vector<Vec3> low(a.size()), high(a.size());
    const auto below = [](float v) { return std::nextafter(v, -Aabb::k_infinity); };
    const auto above = [](float v) { return std::nextafter(v, Aabb::k_infinity); };
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec3 middle = a[i] * 0.5f + b[i] * 0.5f;
        low[i] = {below(middle.x), below(middle.y), below(middle.z)};
        high[i] = {above(middle.x), above(middle.y), above(middle.z)};
    }
    std::vector<WideBoxes> lower(hierarchy.block_count()), upper(hierarchy.block_count());
    sweep_bottom_up(hierarchy, {low.data()}, lower);
    sweep_bottom_up(hierarchy, {high.data()}, upper);
    for (std::size_t i = 0; i < lower.size(); ++i) lower[i] = merged(lower[i], upper[i]);
    return lower;
}

} // namespace

Result<MorphShapes> MorphShapes::make(const MeshHierarchy& hierarchy,
                                      std::span<const TriangleMesh> references,
                                      const MorphSettings& settings) {
    if (references.empty()) return failure("a morphing mesh needs a reference shape");
    auto shared = std::make_shared<References>();
    for (std::size_t i = 0; i < references.size(); ++i) {
        if (const auto checked = check_reference(references[0], references[i], i); !checked)
            return tl::unexpected(checked.error());
        std::vector<Vec3> vertices;
        copy_vertices(references[i].vertices, hierarchy.vertex_order, vertices);
        shared->boxes.emplace_back(hierarchy.block_count());
        sweep_bottom_up(hierarchy, {vertices.data()}, shared->boxes.back());
        shared->vertices.push_back(std::move(vertices));
    }
    for (std::size_t i = 0; settings.in_between && i + 1 < references.size(); ++i) {
        shared->boxes.push_back(
            half_way_boxes(hierarchy, shared->vertices[i], shared->vertices[i + 1]));
    }
    MorphShapes shapes;
    shapes.settings_ = settings;
    shapes.references_ = std::move(shared);
    shapes.weights_.assign(references.size(), 0);
    shapes.weights_[0] = 1;
    shapes.make_plan(shapes.now_);
    shapes.previous_ = shapes.now_;
    return shapes;
}

Result<void> MorphShapes::set_weights(std::span<const float> weights) {
    if (weights.size() != count()) {
        return failure(std::to_string(weights.size()) + " weights given for " +
                       std::to_string(count()) + " reference shapes");
    }
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const bool inside = weights[i] >= 0 && weights[i] <= 1;
        const bool allowed = settings_.overshoot == Overshoot::widen && std::isfinite(weights[i]);
        if (!inside && !allowed) {
            return failure("morph weight " + std::to_string(i) + " is " +
                           std::to_string(weights[i]) + ", which is not between 0 and 1");
        }
        sum += weights[i];
    }
    if (!(std::abs(sum - 1) <= k_weight_sum_tolerance))
        return failure("morph weights sum to " + std::to_string(sum) + ", not to 1");
    weights_.assign(weights.begin(), weights.end());
    std::swap(previous_, now_);
    make_plan(now_);
    return {};
}

void MorphShapes::make_plan(Plan& plan) const {
    auto& [bounds, active, outward] = plan;
    active.clear();
    for (std::uint32_t i = 0; i < weights_.size(); ++i) {
        if (weights_[i] != 0) active.push_back({i, weights_[i]});
    }
    bounds = active;
    const bool at_reference = active.size() == 1 && active[0].weight == 1;
    // Each of n products and sums of bound and vertex rounds by at most 2^-24 of the sum of
    // magnitudes; the last terms cover the weights' difference and this bound's own rounding.
    outward = at_reference ? 0 : float(2 * active.size() + 6) * 0x1p-24f;

    const bool neighbours = active.size() == 2 && active[1].set == active[0].set + 1 &&
                            active[0].weight > 0 && active[1].weight > 0;
    if (!settings_.in_between || !neighbours) return;
    // w_i p_i + w_j p_j = (w_i - w_j) p_i + 2 w_j (p_i + p_j) / 2, for w_i >= w_j; else mirrored.
    const Term first = active[0], second = active[1];
    const Term& larger = first.weight >= second.weight ? first : second;
    const float smaller_weight = std::min(first.weight, second.weight);
    const auto middle = std::uint32_t(count()) + first.set;
    bounds = {{larger.set, larger.weight - smaller_weight}, {middle, 2 * smaller_weight}};
}

void MorphShapes::blend(const Plan& plan, std::uint32_t block, WideBoxes& out) const {
    const auto& [bounds, active, outward] = plan;
    constexpr std::uint32_t width = MeshHierarchy::k_block_width;
    if (outward == 0) {
        out = references_->boxes[active[0].set][block];
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        float low[width] = {}, high[width] = {}, size[width] = {};
        for (const Term& term : bounds) {
            const WideBoxes& boxes = references_->boxes[term.set][block];
            const float* lower = term.weight >= 0 ? boxes.low[axis] : boxes.high[axis];
            const float* upper = term.weight >= 0 ? boxes.high[axis] : boxes.low[axis];
            for (std::uint32_t i = 0; i < width; ++i) {
                low[i] += term.weight * lower[i];
                high[i] += term.weight * upper[i];
            }
        }
        for (const Term& term : active) {
            const WideBoxes& boxes = references_->boxes[term.set][block];
            const float weight = std::abs(term.weight);
            for (std::uint32_t i = 0; i < width; ++i) {
                const float a = std::abs(boxes.low[axis][i]), b = std::abs(boxes.high[axis][i]);
                size[i] += weight * (a > b ? a : b);
            }
        }
        for (std::uint32_t i = 0; i < width; ++i) {
            // Empty lanes are infinite; 2^-140 covers products that underflow.
            const bool empty =
                references_->boxes[0][block].low[0][i] > references_->boxes[0][block].high[0][i];
            const float pad = size[i] * outward + 0x1p-140f;
            out.low[axis][i] = empty ? Aabb::k_infinity : low[i] - pad;
            out.high[axis][i] = empty ? -Aabb::k_infinity : high[i] + pad;
        }
    }
}

Vec3 MorphShapes::blend(const Plan& plan, std::uint32_t vertex) const {
    const auto& [bounds, active, outward] = plan;
    if (outward == 0) return references_->vertices[active[0].set][vertex];
    Vec3 sum;
    for (const Term& term : active) sum += references_->vertices[term.set][vertex] * term.weight;
    return sum;
}

std::size_t MorphShapes::bytes() const {
    std::size_t total = 0;
    for (const auto& boxes : references_->boxes) total += boxes.size() * sizeof(WideBoxes);
    for (const auto& vertices : references_->vertices) total += vertices.size() * sizeof(Vec3);
    return total;
}

} // namespace fovea
