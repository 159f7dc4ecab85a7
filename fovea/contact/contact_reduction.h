// From many contacts of nodes to a few manifolds with the same effect (Dingliana 4.2).
//
//   hits     | | |/ / /   _ _ _         clusters: all hits, or those on the same pair of surface
//   normals  v v v v v    > > >         patches; where normals disagree, those that look alike
//
//   manifold     \|          ->         one normal, one mean point or up to four that span the area
//
// The reductions differ in what the clusters are and in how much each hit counts:
//   deepest      the hit with the greatest closeness alone, taken for the first point of contact
//   average      all hits count alike
//   grouped      like it, but only hits on the same two patches of surface are merged
//   gradient     each hit's normal is that of the density in its nodes, not the line of centres
//   probability  grouped, and a hit counts as much as it is likely: P = kappa rho_a rho_b
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/inplace_vector.h"
#include "fovea/contact/manifold.h"

namespace fovea {

enum class Reduction : std::uint8_t { deepest, average, grouped, gradient, probability };

/// A contact primitive, in the frame of A.
struct ContactHit {
    Vec3 point;
    Vec3 normal;           ///< unit, from A to B
    float separation;      ///< what a response may act on: 0 where the depth means nothing
    float closeness;       ///< 0 to 1
    float weight;          ///< of its normal and point in a mean, >= 0
    std::uint32_t patch;   ///< pair of patches of surface that the hit is on
    std::uint32_t feature; ///< steady from step to step
};

/// A pair touches in at most so many directions; the closest are kept.
constexpr int k_pair_manifolds = 4;
using PairManifolds = InplaceVector<Manifold, k_pair_manifolds>;

struct ReductionSettings {
    Reduction reduction = Reduction::grouped;
    /// Points of a manifold, 1 to 4. One is the weighted mean of the hits, the source's answer;
    /// four span the area of the hits and let bodies rest.
    int points = k_manifold_points;
    /// Manifolds of a pair, 1 to 4. Fewer cost less to respond to.
    int manifolds = k_pair_manifolds;
};

/// Reduces the hits of one pair after the other; keeps its memory.
class ContactReducer {
  public:
    /// Appends the manifolds of `hits`, which depend on their order only where values are equal.
    void reduce(std::span<const ContactHit> hits, const ReductionSettings& settings,
                PairManifolds& manifolds);

  private:
    struct Cluster;
    static constexpr std::size_t k_clusters = 16; ///< more than are kept: any may be the closest

    using Clusters = InplaceVector<Cluster, k_clusters>;
    void by_patch(std::span<const ContactHit> hits, bool patches, Clusters& clusters);
    void by_direction(std::span<const ContactHit> hits, Clusters& clusters);

    std::vector<std::uint8_t> member_; ///< cluster of each hit
};

} // namespace fovea
