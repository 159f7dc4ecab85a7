#include "bench/deform/deform_run.h"

#include <algorithm>
#include <numeric>

#include "fovea/base/clock.h"

namespace fovea {

namespace {

/// CPU time: the machine may be shared, and peers may use helper threads.
class CpuWatch {
  public:
    double lap_ms() {
        const double now = process_cpu_seconds();
        const double ms = (now - start_) * 1e3;
        start_ = now;
        return std::max(0.0, ms - reading_ms());
    }

  private:
    /// What reading the clock costs, which would count against the quickest methods.
    static double reading_ms() {
        static const double ms = [] {
            std::vector<double> laps;
            for (int i = 0; i < 1001; ++i) {
                const double start = process_cpu_seconds();
                laps.push_back((process_cpu_seconds() - start) * 1e3);
            }
            std::nth_element(laps.begin(), laps.begin() + 500, laps.end());
            return laps[500];
        }();
        return ms;
    }

    double start_ = process_cpu_seconds();
};

std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct Runner {
    std::unique_ptr<DeformSubject> subject;
    bool first_only;
    MethodResult result;
};

Aabb bounds_of(std::span<const Vec3> vertices) {
    Aabb box;
    for (const Vec3& v : vertices) box = merged(box, v);
    return box;
}

/// One step of one method on all candidate pairs of bodies.
void take_step(Runner& runner, int step, const std::vector<BodyFrame>& frames,
               const std::vector<std::pair<int, int>>& candidates) {
    MethodResult& result = runner.result;
    CpuWatch watch;
    for (int body = 0; body < int(frames.size()); ++body)
        runner.subject->update(body, frames[body]);
    result.update_ms.push_back(watch.lap_ms());
    std::vector<TrianglePair> pairs;
    std::uint64_t step_hash = 0, found = 0;
    double query_ms = 0;
    for (const auto& [a, b] : candidates) {
        pairs.clear();
        watch.lap_ms();
        runner.subject->collide(a, b, runner.first_only, pairs);
        query_ms += watch.lap_ms();
        found += pairs.size();
        // Order-free; a first pair may differ between methods, its existence may not.
        const auto bodies = std::uint64_t(a) << 8 | std::uint64_t(b);
        if (runner.first_only)
            step_hash += mixed(bodies << 1 | (pairs.empty() ? 0u : 1u));
        else
            for (const TrianglePair& p : pairs)
                step_hash += mixed((std::uint64_t(p.a) << 32 | p.b) + (bodies << 40));
    }
    result.query_ms.push_back(query_ms);
    result.hash = mixed(result.hash ^ step_hash);
    result.pairs += found;
    result.last_pairs = found;
    if (found > 0 && result.first_contact < 0) result.first_contact = step;
    result.counters += runner.subject->take_counters();
    ++result.steps;
}

void add_runners(const std::vector<NamedMaker>& makers, const std::vector<TriangleMesh>& meshes,
                 const RunSettings& settings, std::vector<Runner>& runners) {
    for (const bool first_only : {false, true}) {
        if (first_only ? !settings.first : !settings.all) continue;
        for (const NamedMaker& maker : makers) {
            Runner runner{maker.make(meshes), first_only, {}};
            runner.result.method = runner.subject->name();
            runner.result.mode = first_only ? "first" : "all";
            runner.subject->take_counters();
            runners.push_back(std::move(runner));
        }
    }
}

/// The first method once more, ahead of all: whoever comes first pays for cold caches and clocks.
std::vector<Runner> warming_up(const std::vector<NamedMaker>& makers,
                               const std::vector<TriangleMesh>& meshes) {
    std::vector<Runner> runners;
    add_runners({makers.front()}, meshes, {.stride = 1, .all = true, .first = false}, runners);
    return runners;
}

/// Pairs of bodies whose boxes overlap: the same for all methods, and not charged.
std::vector<std::pair<int, int>> candidate_pairs(const std::vector<BodyFrame>& frames) {
    std::vector<Aabb> boxes;
    for (const BodyFrame& frame : frames) boxes.push_back(bounds_of(frame.world));
    std::vector<std::pair<int, int>> pairs;
    for (int a = 0; a < int(boxes.size()); ++a) {
        for (int b = a + 1; b < int(boxes.size()); ++b) {
            if (boxes.size() == 2 || overlap(boxes[a], boxes[b])) pairs.emplace_back(a, b);
        }
    }
    return pairs;
}

RunResult finished(std::vector<Runner>& runners, const std::string& scene, int triangles,
                   double vertices_ms) {
    RunResult result;
    for (Runner& runner : runners) {
        runner.result.scene = scene;
        runner.result.triangles = triangles;
        result.methods.push_back(std::move(runner.result));
    }
    const auto runs = double(result.methods.size());
    result.methods.erase(result.methods.begin()); // see warming_up()
    if (!result.methods.empty())
        result.vertices_ms = vertices_ms / double(result.methods[0].steps) / runs;
    return result;
}

} // namespace

double MethodResult::mean_update() const {
    return std::accumulate(update_ms.begin(), update_ms.end(), 0.0) / double(update_ms.size());
}

double MethodResult::mean_query() const {
    return std::accumulate(query_ms.begin(), query_ms.end(), 0.0) / double(query_ms.size());
}

double MethodResult::percentile(double fraction) const {
    std::vector<double> totals(update_ms.size());
    for (std::size_t i = 0; i < totals.size(); ++i) totals[i] = update_ms[i] + query_ms[i];
    std::sort(totals.begin(), totals.end());
    return totals[std::min(totals.size() - 1, std::size_t(fraction * double(totals.size())))];
}

RunResult run_rippling(const RipplingScene& scene, int triangles,
                       const std::vector<NamedMaker>& makers, const RunSettings& settings) {
    const TriangleMesh sphere = make_subdivided_sphere(triangles).value();
    std::vector<TriangleMesh> meshes, directions;
    for (int body = 0; body < scene.bodies; ++body) {
        TriangleMesh mesh = sphere;
        scene.world_vertices(sphere.vertices, body, 0, mesh.vertices);
        const MeshHierarchy order = build_hierarchy(mesh, {}).value();
        directions.push_back(reordered(sphere, order));
        meshes.push_back(reordered(mesh, order));
    }
    std::vector<Runner> runners = warming_up(makers, meshes);
    add_runners(makers, meshes, settings, runners);

    std::vector<std::vector<Vec3>> world(scene.bodies), local(scene.bodies);
    std::vector<BodyFrame> frames(scene.bodies);
    double vertices_ms = 0;
    // Method by method, so that none finds the caches as another left them.
    for (Runner& runner : runners)
        for (int step = 0; step < scene.steps; step += settings.stride) {
            CpuWatch watch;
            for (int body = 0; body < scene.bodies; ++body)
                scene.world_vertices(directions[body].vertices, body, step, world[body]);
            vertices_ms += watch.lap_ms();
            for (int body = 0; body < scene.bodies; ++body) {
                ripple(directions[body].vertices, scene.ripples, scene.phase(body, step), {},
                       local[body]);
                frames[body] = {world[body], local[body], scene.placement(body, step), {}};
            }
            const auto candidates = candidate_pairs(frames);
            take_step(runner, step, frames, candidates);
        }
    return finished(runners, scene.name, triangles, vertices_ms);
}

RunResult run_morphing(const MorphingScene& scene, const std::vector<NamedMaker>& makers,
                       const std::vector<NamedMaker>& morph_makers, const RunSettings& settings) {
    const MeshHierarchy order = build_hierarchy(scene.references[0], {}).value();
    std::vector<TriangleMesh> references;
    for (const TriangleMesh& shape : scene.references)
        references.push_back(reordered(shape, order));
    const auto triangles = int(references[0].triangles.size());

    std::vector<std::vector<Vec3>> world(scene.bodies);
    std::vector<std::vector<float>> weights(scene.bodies);
    const auto fill_world = [&](int body, int step) {
        weights[body] = scene.weights(body, step);
        const Transform at = scene.placement(body, step);
        world[body].assign(references[0].vertices.size(), Vec3());
        for (std::size_t r = 0; r < references.size(); ++r) {
            if (weights[body][r] == 0) continue;
            for (std::size_t v = 0; v < world[body].size(); ++v)
                world[body][v] += references[r].vertices[v] * weights[body][r];
        }
        for (Vec3& v : world[body]) v = at * v;
    };
    std::vector<TriangleMesh> meshes;
    for (int body = 0; body < scene.bodies; ++body) {
        fill_world(body, 0);
        meshes.push_back({world[body], references[0].triangles});
    }
    std::vector<Runner> runners = warming_up(makers, meshes);
    add_runners(makers, meshes, settings, runners);
    add_runners(morph_makers, references, settings, runners);

    std::vector<BodyFrame> frames(scene.bodies);
    double vertices_ms = 0;
    for (Runner& runner : runners)
        for (int step = 0; step < scene.steps; step += settings.stride) {
            CpuWatch watch;
            for (int body = 0; body < scene.bodies; ++body) fill_world(body, step);
            vertices_ms += watch.lap_ms();
            for (int body = 0; body < scene.bodies; ++body)
                frames[body] = {world[body], {}, scene.placement(body, step), weights[body]};
            const auto candidates = candidate_pairs(frames);
            take_step(runner, step, frames, candidates);
        }
    return finished(runners, scene.name, triangles, vertices_ms);
}

} // namespace fovea
