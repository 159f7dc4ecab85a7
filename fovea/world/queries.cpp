// A probe knows how to walk the tree and how to test one body; what is done with the hits is the
// same for all of them.
#include "fovea/world/queries.h"

#include <algorithm>

#include "fovea/collide/search_rim.h"
#include "fovea/collide/shape_query.h"
#include "fovea/world/query_check.h"
#include "fovea/world/world.h"

namespace fovea {

namespace {

constexpr std::size_t k_block = 32; ///< requests per job

/// The way, as the floats that all tests start from.
Vec3 translation_of(const Vec3& direction, float length) {
    return Vec3(normalized_or(Vec3d(direction), Vec3d()) * double(length));
}

struct RayProbe {
    Ray ray;
    float length;

    float scale() const { return length; }
    float limit() const { return 1; }
    float limit_after(float fraction) const { return fraction; }
    auto test(const CollisionShape& shape, const Transform& at, float limit) const {
        return cast_ray(ray, limit, shape, at);
    }
    template <class Visit>
    void walk(const QueryTree& tree, float limit, Visit&& visit) const {
        tree.along(SweptBox(ray.origin, ray.translation), limit, visit);
    }
};

struct SweepProbe {
    const CollisionShape& mover;
    Transform start;
    Vec3 translation;
    float length;

    float scale() const { return length; }
    float limit() const { return 1; }
    float limit_after(float fraction) const { return fraction; }
    auto test(const CollisionShape& shape, const Transform& at, float limit) const {
        return cast_shape(mover, start, translation, limit, shape, at);
    }
    template <class Visit>
    void walk(const QueryTree& tree, float limit, Visit&& visit) const {
        tree.along(SweptBox(with_search_rim(bounds(mover.shape, start)), translation), limit,
                   visit);
    }
};

struct OverlapProbe {
    const CollisionShape& shape;
    Transform at;

    float scale() const { return 1; }
    float limit() const { return 0; }
    float limit_after(float) const { return 0; }
    auto test(const CollisionShape& other, const Transform& at_other, float) const {
        return deepest_overlap(shape, at, other, at_other);
    }
    template <class Visit>
    void walk(const QueryTree& tree, float limit, Visit&& visit) const {
        tree.near(with_search_rim(bounds(shape.shape, at)), limit, visit);
    }
};

struct PointProbe {
    Vec3 point;
    float distance;

    float scale() const { return 1; }
    float limit() const { return distance; }
    float limit_after(float found) const { return std::max(found, 0.0f); }
    auto test(const CollisionShape& shape, const Transform& at, float limit) const {
        return closest_point(point, limit, shape, at);
    }
    template <class Visit>
    void walk(const QueryTree& tree, float limit, Visit&& visit) const {
        tree.near(with_search_rim({point, point}), limit, visit);
    }
};

Transform unit(const Transform& t) {
    return {t.position, normalized(t.orientation)};
}

} // namespace

bool Queries::passes(std::uint32_t slot, const QueryFilter& filter) const {
    if (!collide(filter.collision, bodies_.filters[slot])) return false;
    if (bodies_.sensors[slot] && !filter.sensors) return false;
    if (filter.ignore && filter.ignore.slot == slot) return false;
    return !filter.accept || filter.accept(bodies_.ids.at(slot));
}

template <class Probe>
std::optional<QueryHit> Queries::search(const Probe& probe, const QueryFilter& filter, Find find,
                                        std::vector<QueryHit>* all) const {
    std::optional<QueryHit> best;
    const std::size_t first = all ? all->size() : 0;
    const auto closer = [](const QueryHit& a, const QueryHit& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.body.slot < b.body.slot;
    };
    float limit = probe.limit();
    const auto test = [&](std::uint32_t slot) {
        if (!passes(slot, filter)) return limit;
        const auto found =
            probe.test(bodies_.shapes[bodies_.shape_of[slot]], index_.placement(slot), limit);
        if (!found) return limit;
        // Until the end `distance` is the measure by which hits are compared.
        const QueryHit hit{bodies_.ids.at(slot), found->part,   found->measure,
                           found->point,         found->normal, found->inside};
        if (find == Find::all) {
            all->push_back(hit);
            return limit;
        }
        if (!best || closer(hit, *best)) best = hit;
        return find == Find::any ? -1.0f : probe.limit_after(best->distance);
    };

    const auto visit = [&](std::uint32_t slot, float) { return limit = test(slot); };
    for (const std::uint32_t slot : index_.half_spaces())
        if (limit >= 0) visit(slot, limit);
    for (const QueryTree* tree : {&index_.immovable(), &index_.movable()})
        if (limit >= 0) probe.walk(*tree, limit, visit);

    if (best) best->distance *= probe.scale();
    if (find == Find::all) {
        std::sort(all->begin() + std::ptrdiff_t(first), all->end(), closer);
        for (std::size_t i = first; i < all->size(); ++i) (*all)[i].distance *= probe.scale();
    }
    return best;
}

template <class Request>
Result<void> Queries::check(const Request& request) const {
    return check_query(request, {bodies_.ids, shape_ids_, bodies_.shapes});
}

template <class Request>
std::optional<QueryHit> Queries::answer(const Request& r, Find find,
                                        std::vector<QueryHit>* all) const {
    if constexpr (std::same_as<Request, RayCast>) {
        const RayProbe probe{{r.origin, translation_of(r.direction, r.length)}, r.length};
        return search(probe, r.filter, find, all);
    } else if constexpr (std::same_as<Request, SphereCast>) {
        const CollisionShape ball{Sphere{r.radius}, nullptr, nullptr};
        const SweepProbe probe{ball, Transform(r.centre), translation_of(r.direction, r.length),
                               r.length};
        return search(probe, r.filter, find, all);
    } else if constexpr (std::same_as<Request, ShapeCast>) {
        const SweepProbe probe{bodies_.shapes[r.shape.slot], unit(r.start),
                               translation_of(r.direction, r.length), r.length};
        return search(probe, r.filter, find, all);
    } else if constexpr (std::same_as<Request, ShapeOverlap>) {
        return search(OverlapProbe{bodies_.shapes[r.shape.slot], unit(r.at)}, r.filter, find, all);
    } else {
        return search(PointProbe{r.point, r.distance}, r.filter, find, all);
    }
}

template <QueryRequest Request>
Result<std::optional<QueryHit>> Queries::find(const Request& request) const {
    if (const auto valid = check(request); !valid) return tl::unexpected(valid.error());
    return answer(request, request.find == Find::any ? Find::any : Find::closest, nullptr);
}

template <QueryRequest Request>
Result<void> Queries::find(const Request& request, std::vector<QueryHit>& hits) const {
    if (auto valid = check(request); !valid) return valid;
    hits.clear();
    if (const auto hit = answer(request, request.find, &hits)) hits.push_back(*hit);
    return {};
}

template <QueryRequest Request>
Result<void> Queries::find(std::span<const Request> requests, QueryResults& results) const {
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (const auto valid = check(requests[i]); !valid)
            return failure("request " + std::to_string(i) + ": " + valid.error().message);
    }
    const std::size_t blocks = (requests.size() + k_block - 1) / k_block;
    if (results.blocks.size() < blocks) results.blocks.resize(blocks);
    results.first.resize(requests.size() + 1);
    jobs_.for_blocks(requests.size(), k_block, [&](std::size_t begin, std::size_t end) {
        std::vector<QueryHit>& hits = results.blocks[begin / k_block];
        hits.clear();
        for (std::size_t i = begin; i < end; ++i) {
            results.first[i] = std::uint32_t(hits.size()); // in the block, for now
            if (const auto hit = answer(requests[i], requests[i].find, &hits)) hits.push_back(*hit);
        }
    });
    results.hits.clear();
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const std::vector<QueryHit>& block = results.blocks[i / k_block];
        // The block's hits start where those before it end.
        if (i % k_block == 0) results.hits.insert(results.hits.end(), block.begin(), block.end());
        results.first[i] += std::uint32_t(results.hits.size() - block.size());
    }
    results.first.back() = std::uint32_t(results.hits.size());
    return {};
}

template Result<std::optional<QueryHit>> Queries::find(const RayCast&) const;
template Result<void> Queries::find(const RayCast&, std::vector<QueryHit>&) const;
template Result<void> Queries::find(std::span<const RayCast>, QueryResults&) const;
template Result<std::optional<QueryHit>> Queries::find(const SphereCast&) const;
template Result<void> Queries::find(const SphereCast&, std::vector<QueryHit>&) const;
template Result<void> Queries::find(std::span<const SphereCast>, QueryResults&) const;
template Result<std::optional<QueryHit>> Queries::find(const ShapeCast&) const;
template Result<void> Queries::find(const ShapeCast&, std::vector<QueryHit>&) const;
template Result<void> Queries::find(std::span<const ShapeCast>, QueryResults&) const;
template Result<std::optional<QueryHit>> Queries::find(const ShapeOverlap&) const;
template Result<void> Queries::find(const ShapeOverlap&, std::vector<QueryHit>&) const;
template Result<void> Queries::find(std::span<const ShapeOverlap>, QueryResults&) const;
template Result<std::optional<QueryHit>> Queries::find(const ClosestPoint&) const;
template Result<void> Queries::find(const ClosestPoint&, std::vector<QueryHit>&) const;
template Result<void> Queries::find(std::span<const ClosestPoint>, QueryResults&) const;

QueryIndex::Bodies World::indexed_bodies() const {
    return {body_ids_, shapes_, body_shape_, filters_, sensors_};
}

const QueryIndex& World::query_index(QueryIndex::Layers layers) const {
    query_index_->refresh(
        indexed_bodies(), [this](std::uint32_t slot) { return shape_placement(slot); }, layers,
        jobs_);
    return *query_index_;
}

Queries World::queries() const {
    return {query_index(QueryIndex::Layers::all), indexed_bodies(), shape_ids_, jobs_};
}

} // namespace fovea
