#include "fovea/contact/contact_reduction.h"

#include <algorithm>
#include <array>

#include "fovea/base/assert.h"
#include "fovea/contact/candidates.h"

namespace fovea {

namespace {

/// Normals whose weighted mean is shorter than this do not agree and are not merged (Dingliana
/// 4.2.2 merges them all the same, which is wrong for concave contacts); also the cosine of the
/// angle to the closest hit within which they are merged then.
constexpr float k_agree = 0.5f;

constexpr std::uint8_t k_loose = 0xff;

const ContactHit& closest(std::span<const ContactHit> hits) {
    return *std::max_element(hits.begin(), hits.end(),
                             [](const ContactHit& x, const ContactHit& y) {
                                 // Of nodes that hold each other wholly, the closest is the
                                 // deepest.
                                 return x.closeness != y.closeness ? x.closeness < y.closeness
                                                                   : x.separation > y.separation;
                             });
}

} // namespace

struct ContactReducer::Cluster {
    std::uint32_t patch;
    Vec3 normals, points;  ///< weighted sums
    float weight;          ///< sum
    Vec3 leader;           ///< normal of the closest hit
    float closeness;       ///< of that hit
    float deepest;         ///< least separation
    std::uint32_t feature; ///< of the closest hit

    explicit Cluster(const ContactHit& hit)
        : patch(hit.patch)
        , weight(0)
        , leader(hit.normal)
        , closeness(hit.closeness)
        , deepest(hit.separation)
        , feature(hit.feature) {}

    bool agrees() const { return length(normals) >= k_agree * weight; }

    void join(const ContactHit& hit) {
        normals += hit.normal * hit.weight;
        points += hit.point * hit.weight;
        weight += hit.weight;
        deepest = std::min(deepest, hit.separation);
        if (hit.closeness > closeness) {
            closeness = hit.closeness;
            leader = hit.normal;
            feature = hit.feature;
        }
    }
};

/// A cluster for each patch, or one for all; those whose normals disagree are dissolved. With more
/// patches than clusters, there is none.
void ContactReducer::by_patch(std::span<const ContactHit> hits, bool patches, Clusters& clusters) {
    std::size_t at = 0; // hits of one patch mostly follow each other
    for (std::size_t i = 0; i < hits.size(); ++i) {
        if (patches && at < clusters.size() && clusters[at].patch != hits[i].patch) {
            at = 0;
            while (at < clusters.size() && clusters[at].patch != hits[i].patch) ++at;
        }
        if (at == k_clusters) {
            clusters.clear();
            std::fill(member_.begin(), member_.end(), k_loose);
            return;
        }
        if (at == clusters.size()) clusters.push_back(Cluster(hits[i]));
        clusters[at].join(hits[i]);
        member_[i] = std::uint8_t(at);
    }
    // Those that agree close ranks, to leave room for clusters of the others' hits.
    std::array<std::uint8_t, k_clusters> place;
    std::uint8_t kept = 0;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
        place[i] = clusters[i].agrees() ? kept : k_loose;
        if (clusters[i].agrees()) clusters[kept++] = clusters[i];
    }
    while (clusters.size() > kept) clusters.pop_back();
    for (std::uint8_t& member : member_)
        if (member != k_loose) member = place[member];
}

/// Clusters of hits that have none yet: the closest leads, those that look alike follow.
void ContactReducer::by_direction(std::span<const ContactHit> hits, Clusters& clusters) {
    while (!clusters.full()) {
        const ContactHit* leader = nullptr;
        for (std::size_t i = 0; i < hits.size(); ++i)
            if (member_[i] == k_loose && (!leader || hits[i].closeness > leader->closeness))
                leader = &hits[i];
        if (!leader) return;
        const auto number = std::uint8_t(clusters.size());
        clusters.push_back(Cluster(*leader));
        const Vec3 direction = leader->normal;
        for (std::size_t i = 0; i < hits.size(); ++i) {
            if (member_[i] != k_loose) continue;
            if (&hits[i] != leader && dot(hits[i].normal, direction) < k_agree) continue;
            clusters[number].join(hits[i]);
            member_[i] = number;
        }
    }
}

void ContactReducer::reduce(std::span<const ContactHit> hits, const ReductionSettings& settings,
                            PairManifolds& manifolds) {
    FOVEA_ASSERT(settings.points >= 1 && settings.points <= k_manifold_points);
    FOVEA_ASSERT(settings.manifolds >= 1 && settings.manifolds <= k_pair_manifolds);
    if (hits.empty()) return;
    if (settings.reduction == Reduction::deepest) {
        const ContactHit& first = closest(hits);
        Manifold manifold;
        manifold.normal = first.normal;
        manifold.count = 1;
        manifold.points[0] = {first.point, first.separation, first.feature};
        manifolds.push_back(manifold);
        return;
    }
    member_.assign(hits.size(), k_loose);
    Clusters clusters;
    by_patch(hits,
             settings.reduction == Reduction::grouped ||
                 settings.reduction == Reduction::probability,
             clusters);
    by_direction(hits, clusters);

    InplaceVector<std::uint8_t, k_clusters> order;
    for (std::size_t i = 0; i < clusters.size(); ++i) order.push_back(std::uint8_t(i));
    // Insertion: it is stable, and there are a handful.
    for (std::size_t i = 1; i < order.size(); ++i)
        for (std::size_t k = i;
             k > 0 && clusters[order[k]].closeness > clusters[order[k - 1]].closeness; --k)
            std::swap(order[k], order[k - 1]);

    for (std::size_t k = 0; k < order.size() && k < std::size_t(settings.manifolds); ++k) {
        if (manifolds.full()) return;
        const Cluster& cluster = clusters[order[k]];
        Manifold manifold;
        manifold.normal = normalized_or(cluster.normals, cluster.leader);
        if (settings.points == 1 && cluster.weight > 0) {
            manifold.count = 1;
            manifold.points[0] = {cluster.points * (1 / cluster.weight), cluster.deepest,
                                  cluster.feature};
            manifolds.push_back(manifold);
            continue;
        }
        Candidates candidates;
        for (std::size_t i = 0; i < hits.size(); ++i) {
            if (member_[i] != order[k]) continue;
            if (candidates.full()) make_room(manifold.normal, candidates);
            // A hit that leans away from the common normal is parted by less along it.
            const float lean = std::max(0.0f, dot(hits[i].normal, manifold.normal));
            candidates.push_back({hits[i].point, hits[i].separation * lean, hits[i].feature});
        }
        choose_points(candidates, manifold.normal, 0, manifold);
        // With fewer than four, the deepest is the last to go.
        const auto end = manifold.points.begin() + manifold.count;
        std::iter_swap(manifold.points.begin(),
                       std::min_element(manifold.points.begin(), end,
                                        [](const ManifoldPoint& x, const ManifoldPoint& y) {
                                            return x.separation < y.separation;
                                        }));
        manifold.count = std::min(manifold.count, settings.points);
        manifolds.push_back(manifold);
    }
}

} // namespace fovea
