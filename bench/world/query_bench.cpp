// Queries per second against a pile of 5,000 bodies: alone, in batches, and what it costs to bring
// the tree up to date after a step.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/world/pile.h"
#include "fovea/world/world.h"

using namespace fovea;
using namespace fovea::bench;

namespace {

constexpr std::size_t k_requests = 4096;

World& pile_world(int threads) {
    static std::unique_ptr<World> worlds[3];
    std::unique_ptr<World>& world = worlds[threads];
    if (!world) {
        world = std::make_unique<World>(WorldSettings{.threads = threads});
        const Pile pile;
        std::vector<ShapeId> ids;
        for (const Shape& shape : pile.shapes) ids.push_back(*world->add_shape(shape));
        for (const PiledBody& body : pile.bodies)
            (void)*world->add_body({.shape = ids[body.shape],
                                    .position = body.at.position,
                                    .orientation = body.at.orientation,
                                    .mass = 1});
        (void)*world->add_body({.shape = *world->add_shape(HalfSpace{{0, 1, 0}, -1})});
    }
    return *world;
}

template <class Request>
std::vector<Request> make_requests(Find find) {
    std::vector<Request> requests;
    for (const BenchRay& ray : make_rays(k_requests)) {
        Request r;
        r.find = find;
        if constexpr (requires { r.direction; }) r.direction = ray.direction, r.length = ray.length;
        if constexpr (std::same_as<Request, RayCast>) r.origin = ray.origin;
        if constexpr (std::same_as<Request, SphereCast>) r.centre = ray.origin, r.radius = 0.1f;
        if constexpr (std::same_as<Request, ShapeCast>)
            r.shape = {1, 0}, r.start = Transform(ray.origin);
        if constexpr (std::same_as<Request, ShapeOverlap>)
            r.shape = {1, 0}, r.at = Transform(ray.origin);
        if constexpr (std::same_as<Request, ClosestPoint>) r.point = ray.origin, r.distance = 2;
        requests.push_back(r);
    }
    return requests;
}

template <class Request>
void single(benchmark::State& state, Find find) {
    const Queries queries = pile_world(1).queries();
    const auto requests = make_requests<Request>(find);
    std::vector<QueryHit> hits;
    std::size_t count = 0;
    for (auto _ : state) {
        count = 0;
        for (const Request& request : requests) {
            (void)queries.find(request, hits);
            count += hits.size();
        }
    }
    state.counters["hits"] = double(count) / double(k_requests);
    state.SetItemsProcessed(std::int64_t(state.iterations() * k_requests));
}

template <class Request>
void batched(benchmark::State& state, Find find) {
    const Queries queries = pile_world(int(state.range(0))).queries();
    const auto requests = make_requests<Request>(find);
    QueryResults results;
    for (auto _ : state) (void)queries.find(std::span(requests), results);
    state.counters["hits"] = double(results.hits.size()) / double(k_requests);
    state.SetItemsProcessed(std::int64_t(state.iterations() * k_requests));
}

/// After every body has moved a little.
void bring_up_to_date(benchmark::State& state) {
    World& world = pile_world(1);
    const Pile pile;
    std::vector<BodyId> ids;
    for (std::uint32_t i = 0; i < pile.bodies.size(); ++i) ids.push_back({i, 0});
    float shift = 0;
    for (auto _ : state) {
        state.PauseTiming();
        shift = shift > 0 ? 0 : 0.001f;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            Transform at = pile.bodies[i].at;
            at.position.x += shift;
            (void)world.set_transform(ids[i], at);
        }
        state.ResumeTiming();
        (void)world.queries();
    }
}

/// Named here because the library's macros take no templates.
template <class Request>
void add_pair(const std::string& name, Find find) {
    benchmark::RegisterBenchmark((name + "/single").c_str(), single<Request>, find);
    benchmark::RegisterBenchmark((name + "/batched/threads").c_str(), batched<Request>, find)
        ->Arg(1);
    // Two threads are measured by the wall clock, which means little on a busy machine.
    benchmark::RegisterBenchmark((name + "/batched/threads").c_str(), batched<Request>, find)
        ->Arg(2)
        ->UseRealTime();
}

BENCHMARK(bring_up_to_date)->Unit(benchmark::kMicrosecond);

} // namespace

int main(int argc, char** argv) {
    add_pair<RayCast>("rays/closest", Find::closest);
    add_pair<RayCast>("rays/any", Find::any);
    add_pair<RayCast>("rays/all", Find::all);
    add_pair<SphereCast>("spheres/closest", Find::closest);
    add_pair<ShapeCast>("boxes/closest", Find::closest);
    add_pair<ShapeOverlap>("overlaps/all", Find::all);
    add_pair<ClosestPoint>("points/closest", Find::closest);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
