// Measures collision of deforming and morphing meshes: every update policy, the methods of the
// source system, and FCL and Embree where they are installed, on the same steps in one run.
//
//   fovea bench deform [--scene a1,a2,a3,b1,b2] [--stride N] [--sizes 1280,5120,...] [--json FILE]
#include <cmath>
#include <iostream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "bench/command_line.h"
#include "bench/deform/deform_run.h"
#include "bench/json_report.h"

using namespace fovea;

namespace {

const HierarchySettings k_midpoint = {8, Partition::midpoint_centre};

NamedMaker wide(std::string name, HierarchySettings hierarchy, RefitSettings refit) {
    return {name,
            [=](const auto& meshes) { return make_wide_subject(meshes, name, hierarchy, refit); }};
}

NamedMaker skip(std::string name, RefitSettings refit) {
    return {name,
            [=](const auto& meshes) { return make_skip_subject(meshes, name, k_midpoint, refit); }};
}

NamedMaker van_den_bergen(int branching) {
    return {"van den Bergen",
            [=](const auto& meshes) { return make_van_den_bergen_subject(meshes, branching); }};
}

NamedMaker morph(int bodies, bool in_between) {
    return {"morph", [=](const auto& references) {
                return make_morph_subject(references, bodies, {Overshoot::refuse, in_between});
            }};
}

std::vector<NamedMaker> peers(bool rebuild) {
    std::vector<NamedMaker> makers;
    for (const auto& list : {fcl_makers(), embree_makers()}) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i == 0 || rebuild) makers.push_back(list[i]);
        }
    }
    return makers;
}

std::vector<NamedMaker> main_methods() {
    return {wide("wide, hybrid", {}, {UpdatePolicy::hybrid}), van_den_bergen(2)};
}

std::vector<NamedMaker> all_methods() {
    return {
        wide("wide, hybrid", {}, {UpdatePolicy::hybrid}),
        wide("wide, hybrid, connectivity", {8, Partition::connectivity}, {UpdatePolicy::hybrid}),
        wide("wide, hybrid, midpoint", k_midpoint, {UpdatePolicy::hybrid}),
        wide("wide, half height", {}, {UpdatePolicy::hybrid, 3}),
        wide("wide, top down", {}, {UpdatePolicy::top_down}),
        wide("wide, lazy subtree", {}, {UpdatePolicy::hybrid, 3, LazyVariant::subtree}),
        wide("wide, lazy 2 levels", {}, {UpdatePolicy::hybrid, 3, LazyVariant::levels}),
        wide("wide, bottom up", {}, {UpdatePolicy::bottom_up}),
        wide("wide, rebuild", {}, {UpdatePolicy::rebuild}),
        skip("skip, hybrid", {UpdatePolicy::hybrid}),
        skip("skip, top down", {UpdatePolicy::top_down}),
        skip("skip, bottom up", {UpdatePolicy::bottom_up}),
        van_den_bergen(2),
        van_den_bergen(8)};
}

template <class... Lists>
std::vector<NamedMaker> joined(const Lists&... lists) {
    std::vector<NamedMaker> result;
    (result.insert(result.end(), lists.begin(), lists.end()), ...);
    return result;
}

void print_run(const RunResult& run) {
    const MethodResult& any = run.methods.front();
    fmt::print("\n{}: {} triangles a body, {} steps, first contact at step {}, {} pairs in the "
               "last; world vertices {:.3f} ms a step\n",
               any.scene, any.triangles, any.steps, any.first_contact, any.last_pairs,
               run.vertices_ms);
    fmt::print("{:<28} {:<5} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7} {:>8} {:>9}  {}\n", "method",
               "mode", "update", "query", "total", "p99", "n_v", "n_p", "n_u", "read", "blended",
               "hash");
    for (const MethodResult& m : run.methods) {
        const double steps = m.steps;
        const RefitCounters& refits = m.counters.refits;
        fmt::print("{:<28} {:<5} {:>9.4f} {:>9.4f} {:>9.4f} {:>9.4f} {:>9.0f} {:>9.0f} {:>7.0f} "
                   "{:>8.0f} {:>9.0f}  {:016x}\n",
                   m.method, m.mode, m.mean_update(), m.mean_query(), m.mean_total(),
                   m.percentile(0.99), double(m.counters.box_tests) / steps,
                   double(m.counters.triangle_tests) / steps, double(refits.nodes_updated) / steps,
                   double(refits.vertices_read) / steps, double(refits.vertices_blended) / steps,
                   m.hash);
    }
    // Ratios of every method to the first of its mode.
    for (const char* mode : {"all", "first"}) {
        const MethodResult* own = nullptr;
        for (const MethodResult& m : run.methods) {
            if (m.mode != mode) continue;
            if (!own) {
                own = &m;
                continue;
            }
            fmt::print("  {} is {:.2f} times as fast as {} ({}){}\n", own->method,
                       m.mean_total() / own->mean_total(), m.method, mode,
                       m.hash == own->hash ? "" : "  ** ANSWERS DIFFER **");
        }
    }
    std::cout << std::flush;
}

nlohmann::json to_json(const std::string& name, const RunResult& run) {
    nlohmann::json rows = nlohmann::json::array();
    for (const MethodResult& m : run.methods) {
        rows.push_back({{"run", name},
                        {"scene", m.scene},
                        {"method", m.method},
                        {"mode", m.mode},
                        {"triangles", m.triangles},
                        {"steps", m.steps},
                        {"update_ms", m.mean_update()},
                        {"query_ms", m.mean_query()},
                        {"p50_ms", m.percentile(0.5)},
                        {"p99_ms", m.percentile(0.99)},
                        {"max_ms", m.percentile(1)},
                        {"world_vertices_ms", run.vertices_ms},
                        {"box_tests", m.counters.box_tests},
                        {"triangle_tests", m.counters.triangle_tests},
                        {"nodes_updated", m.counters.refits.nodes_updated},
                        {"vertices_read", m.counters.refits.vertices_read},
                        {"vertices_blended", m.counters.refits.vertices_blended},
                        {"pairs", m.pairs},
                        {"first_contact", m.first_contact},
                        {"hash", fmt::format("{:016x}", m.hash)},
                        {"update_ms_by_step", m.update_ms},
                        {"query_ms_by_step", m.query_ms}});
    }
    return rows;
}

/// Slope of log time over log size, by least squares.
double growth(const std::vector<double>& sizes, const std::vector<double>& times) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    const auto n = double(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const double x = std::log(sizes[i]), y = std::log(times[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Collision of deforming and morphing meshes, policy by policy and peer by peer");
    std::vector<std::string> scenes = {"a1", "a2", "a3", "b1", "b2"};
    std::vector<int> sizes = {1280, 5120, 8192, 16384, 20480, 32768, 65536};
    int stride = 1, levels = 6;
    std::string json_path;
    app.add_option("--scene", scenes, "scenes to run")
        ->delimiter(',')
        ->check(CLI::IsMember({"a1", "a2", "a3", "b1", "b2"}));
    app.add_option("--sizes", sizes, "triangles per body of A2")
        ->delimiter(',')
        ->check(CLI::Range(20, 10000000));
    app.add_option("--stride", stride, "take every N-th step")->check(CLI::PositiveNumber);
    app.add_option("--levels", levels, "sizes 564 x 4^k of B2")->check(CLI::Range(1, 6));
    app.add_option("--json", json_path, "write what is printed, and times by step, to this file");
    if (const auto code = fovea::bench::read_command_line(app, argc, argv)) return *code;

    nlohmann::json report = nlohmann::json::array();
    std::string scene;
    const auto take = [&](const RunResult& run) {
        print_run(run);
        for (const auto& row : to_json(scene, run)) report.push_back(row);
    };
    const RunSettings settings = {stride};
    fmt::print("CPU milliseconds per step, one thread; mean over the run\n");
    for (const std::string& name : scenes) {
        scene = name;
        if (scene == "a1") {
            take(run_rippling(scene_a1(), 20480, joined(all_methods(), peers(true)), settings));
        } else if (scene == "a2") {
            for (const int size : sizes)
                take(
                    run_rippling(scene_a1(), size, joined(main_methods(), peers(false)), settings));
        } else if (scene == "a3") {
            for (const bool armed : {false, true})
                take(run_rippling(scene_a3(armed), 5120, joined(main_methods(), peers(false)),
                                  settings));
        } else if (scene == "b1") {
            take(run_morphing(scene_b1(),
                              joined(std::vector{wide("wide, hybrid", {}, {})}, peers(false)),
                              {morph(2, true), morph(2, false)}, settings));
        } else { // b2
            std::vector<double> triangles, all, first;
            for (int level = 0; level < levels; ++level) {
                const RunResult run =
                    run_morphing(scene_b2(level), {wide("wide, hybrid", {}, {})}, {morph(12, true)},
                                 {level < 4 ? stride : 10 * stride});
                take(run);
                triangles.push_back(run.methods.front().triangles);
                for (const MethodResult& m : run.methods) {
                    if (m.method.rfind("morph", 0) != 0) continue;
                    (m.mode == "all" ? all : first).push_back(m.mean_total());
                }
            }
            if (levels > 1)
                fmt::print("\nmorph tree: time grows as triangles^{:.2f} (all), ^{:.2f} (first)\n",
                           growth(triangles, all), growth(triangles, first));
        }
    }
    return bench::write_report(argv[0], json_path, report);
}
