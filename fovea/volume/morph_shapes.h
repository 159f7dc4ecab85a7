// Reference shapes of a morphing mesh and bounds blended from theirs.
//
// A morphed vertex is p = sum of w_i p_i over R reference shapes with equal connectivity. A box
// of the same triangles in every reference, blended with the same weights, contains the morphed
// triangles (Larsson 6.3 to 6.6): s_i <= p_i.n <= e_i, times w_i >= 0, summed over i. So a node is
// refitted in constant time without looking at a vertex.
//
// Rounding: the blended bound and the blended vertex round differently, so bounds are moved outward
// by a few units in the last place of sum |w_i| max |bound_i|, which exceeds both errors. Blended
// bounds are loose between references; a box of the shape half way between two neighbouring ones
// (an in-between box) halves the chord on either side.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "fovea/base/result.h"
#include "fovea/volume/wide_boxes.h"

namespace fovea {

/// What to do with a weight below 0 or above 1.
enum class Overshoot {
    refuse, ///< an error
    widen,  ///< accepted: a negative weight takes the opposite bound, s for e; boxes grow looser
};

struct MorphSettings {
    Overshoot overshoot = Overshoot::refuse;
    /// Keep boxes of the shapes half way between neighbouring references: 192 bytes more per node
    /// block and gap, tighter boxes when exactly two neighbours are active.
    bool in_between = true;
};

/// Weights must sum to 1 within this; they are used as given, not normalised.
inline constexpr float k_weight_sum_tolerance = 1e-4f;

/// The references' vertices and boxes, in the order of one hierarchy, and the weights of one body.
/// Copies share the references.
class MorphShapes {
  public:
    /// Refuses references whose vertex counts or triangles differ from those of the first, and
    /// vertices that are not finite.
    static Result<MorphShapes> make(const MeshHierarchy& hierarchy,
                                    std::span<const TriangleMesh> references,
                                    const MorphSettings& settings);

    std::size_t count() const { return references_->vertices.size(); }

    /// Refuses a wrong number of weights, weights that are not finite, that do not sum to 1, or
    /// that overshoot where the settings forbid it. A refused set changes nothing.
    Result<void> set_weights(std::span<const float> weights);
    std::span<const float> weights() const { return weights_; }

    void blend_block(std::uint32_t block, WideBoxes& out) const { blend(now_, block, out); }
    Vec3 blend_vertex(std::uint32_t vertex) const { return blend(now_, vertex); }
    /// The same with the weights before the last that were set.
    void blend_previous_block(std::uint32_t block, WideBoxes& out) const {
        blend(previous_, block, out);
    }
    Vec3 blend_previous_vertex(std::uint32_t vertex) const { return blend(previous_, vertex); }
    /// Of the references.
    std::size_t bytes() const;

  private:
    struct References {
        std::vector<std::vector<Vec3>> vertices;   ///< per reference
        std::vector<std::vector<WideBoxes>> boxes; ///< R references, then R - 1 in-betweens
    };
    struct Term {
        std::uint32_t set; ///< index into References::boxes
        float weight;
    };
    struct Plan {
        std::vector<Term> bounds; ///< whose weighted sum bounds the shape
        std::vector<Term> active; ///< the references with weight, for vertices and error bounds
        float outward = 0;        ///< relative widening; 0 at a reference, where nothing rounds
    };
    void make_plan(Plan& plan) const;
    void blend(const Plan& plan, std::uint32_t block, WideBoxes& out) const;
    Vec3 blend(const Plan& plan, std::uint32_t vertex) const;

    MorphSettings settings_;
    std::shared_ptr<const References> references_;
    std::vector<float> weights_;
    Plan now_, previous_;
};

} // namespace fovea
