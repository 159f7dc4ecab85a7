// Queries of the world as it is now.
//
//   const Queries queries = world.queries();
//   auto hit = queries.find(RayCast{.origin = eye, .direction = forward, .length = 50});
//   if (hit && *hit) use((*hit)->body, (*hit)->point);
//
// Every request can be made alone or in a batch; both give the same bits, whatever the number of
// threads and the instruction set. Half-spaces are tested one by one, all other bodies by a tree.
#pragma once

#include <concepts>
#include <optional>
#include <span>

#include "fovea/base/result.h"
#include "fovea/world/query.h"
#include "fovea/world/query_index.h"

namespace fovea {

template <class T>
concept QueryRequest = std::same_as<T, RayCast> || std::same_as<T, SphereCast> ||
    std::same_as<T, ShapeCast> || std::same_as<T, ShapeOverlap> || std::same_as<T, ClosestPoint>;

/// A view of the world, valid until the world is changed or stepped. Any number of threads may use
/// it at the same time.
class Queries {
  public:
    /// What comes first, if anything does; with Find::all, the closest. Refuses numbers that are
    /// not finite, directions of no length and ids that are not alive.
    template <QueryRequest Request>
    Result<std::optional<QueryHit>> find(const Request& request) const;

    /// Replaces `hits` by what was found.
    template <QueryRequest Request>
    Result<void> find(const Request& request, std::vector<QueryHit>& hits) const;

    /// Answers many requests side by side on the world's threads. If one is refused, the error says
    /// which and nothing is done.
    template <QueryRequest Request>
    Result<void> find(std::span<const Request> requests, QueryResults& results) const;

  private:
    friend class World;

    Queries(const QueryIndex& index, const QueryIndex::Bodies& bodies,
            const IdPool<struct ShapeTag>& shape_ids, const Jobs& jobs)
        : index_(index)
        , bodies_(bodies)
        , shape_ids_(shape_ids)
        , jobs_(jobs) {}

    template <class Probe>
    std::optional<QueryHit> search(const Probe& probe, const QueryFilter& filter, Find find,
                                   std::vector<QueryHit>* all) const;
    template <class Request>
    std::optional<QueryHit> answer(const Request& request, Find find,
                                   std::vector<QueryHit>* all) const;
    template <class Request>
    Result<void> check(const Request& request) const;
    bool passes(std::uint32_t slot, const QueryFilter& filter) const;

    const QueryIndex& index_;
    QueryIndex::Bodies bodies_;
    const IdPool<struct ShapeTag>& shape_ids_;
    const Jobs& jobs_;
};

} // namespace fovea
